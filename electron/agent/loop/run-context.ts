import type { AgentEventBody, UserError } from "../../../shared/conversation/events.ts";
import type { Message, SpeechSource, StopReason } from "../../../shared/conversation/messages.ts";
import type { Task } from "../../../shared/conversation/tasks.ts";
import type { Settings } from "../../../shared/settings.ts";
import type { Context } from "../context/context.ts";
import type { PendingRequests } from "../conversation/pending-requests.ts";
import type {
  Clock,
  ExecutionEnvironment,
  Fence,
  Permissions,
  Provider,
  StoredToolCall,
  Subagents,
  Tool,
} from "../ports/ports.ts";
import type { Budget } from "./budget.ts";
import type { CallIds } from "./call-ids.ts";
import type { Steering } from "./steering.ts";
import type { KeepSubagent } from "./subagents/subagent-record.ts";
import type { CallStops } from "./tools/call-stops.ts";
import type { ToolFiles } from "./tools/tool-files.ts";
import type { TurnCheckpoints } from "./tools/turn-checkpoints.ts";

/** What one run works with. Settings, provider and system prompt stay the same until it ends. */
export interface RunContext {
  readonly runId: string;
  readonly conversationId: string;
  /** Of a sub-agent. */
  readonly agentId?: string | undefined;
  /** Where its prompt was heard, null if it was not. */
  readonly source: SpeechSource | null;
  /** Whether words from the computer's sound are part of the conversation, now. */
  isOverheard(): boolean;
  readonly settings: Settings;
  readonly provider: Provider;
  /** Those that can be called now. */
  readonly tools: readonly Tool[];
  readonly system: string;
  /** The same for a sub-agent that differs in these. */
  systemFor(changes: SystemFor): string;
  readonly environment: ExecutionEnvironment;
  /** Where a sub-agent's paths begin, relative to the working folder. Absent: in the working folder. */
  readonly folder?: string | undefined;
  readonly permissions: Permissions;
  /** Around commands; null: there is none. */
  readonly fence: Fence | null;
  /** Resolves when it was looked for. Absent: it is known. */
  readonly fenceKnown?: (() => Promise<unknown>) | undefined;
  readonly clock: Clock;
  readonly signal: AbortSignal;
  readonly context: Context;
  readonly budget: Budget;
  readonly steering: Steering;
  readonly requests: PendingRequests;
  readonly subagents: Subagents;
  /** The list of the conversation's path; null of a sub-agent, which has none. */
  readonly tasks: RunTasks | null;
  /** null: changes to files are not kept. */
  readonly checkpoints: TurnCheckpoints | null;
  /** What ends one call alone. Absent: nobody can. */
  readonly callStops?: CallStops | undefined;
  /** Told of each wait before a request is tried again, with what ends it at once. Absent: nobody can. */
  readonly onRetryWait?: ((skip: () => void) => void) | undefined;
  /** What a command outside of the fence would obey; null: it is not known what changed. */
  readonly toolFiles: ToolFiles | null;
  newId(): string;
  /**
   * Resolves when the message is kept: nothing is sent to the model before that.
   * @param calls whose results it brings, with their whole outputs
   */
  append(message: Message, calls?: readonly StoredToolCall[]): Promise<void>;
  /** Keeps a call before its result goes into a message. What fails is reported: the message brings it again. */
  keepCall(call: StoredToolCall): void;
  fullOutput(toolUseId: string): string | undefined;
  /** One for the run and its sub-agents. */
  readonly callIds: CallIds;
  readonly keepSubagent: KeepSubagent;
  emit(body: AgentEventBody): void;
  /** Emits what a person sees or could feel of the run: from then on it cannot be taken back. */
  show(body: AgentEventBody): void;
  /**
   * Resolves when the speaker of the prompt will not go on: nothing that `show` is for happens before. @throws the signal's
   * reason
   */
  settled(): Promise<void>;
  /** For what is a fault of Parley's own: the user sees one line, the log should get the stack. */
  reportError(error: unknown): void;
}

export interface RunTasks {
  /** As it is now; empty where there is none. */
  list(): readonly Task[];
  /** Tells everybody; the call that says it keeps it. */
  update(tasks: readonly Task[]): void;
}

export interface SystemFor {
  /** As in the settings: an alias or a full id. */
  model: string;
  /** Relative to the working folder. */
  folder?: string | undefined;
  /** Whether it may start agents itself. */
  maySpawn: boolean;
}

export interface RunOutcome {
  stopReason: StopReason;
  error?: UserError;
}
