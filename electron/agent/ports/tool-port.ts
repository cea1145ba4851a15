import type { ZodType } from "zod";
import type { ApprovalWish, ToolEffect } from "../../../shared/conversation/events.ts";
import type { ImageBlock, SpeechSource } from "../../../shared/conversation/messages.ts";
import type { Task } from "../../../shared/conversation/tasks.ts";
import type { QuestionForm } from "../../../shared/servers/forms.ts";
import type { Settings } from "../../../shared/settings.ts";
import type { ExecutionEnvironment } from "./environment-port.ts";
import type { Confinement, Fence, FenceHost } from "./fence-port.ts";

export interface Tool<I = unknown> {
  readonly name: string;
  readonly description: string;
  readonly input: ZodType<I>;
  readonly effect: ToolEffect;
  /** Of a tool of an MCP server: that server, and the tool's name there. Rules go by these, never by `name`. */
  readonly server?: { readonly name: string; readonly tool: string } | undefined;
  /** The input as JSON Schema, whole, in place of what `input` makes: tools of others bring their own. */
  readonly inputSchema?: Readonly<Record<string, unknown>> | undefined;
  readonly hints?: ToolHints | undefined;
  /** For the approval card, where the words of the effect are too general. */
  readonly wish?: ApprovalWish | undefined;
  /** A yes to one call is one for the conversation, such as for a host. */
  readonly holdsInConversation?: boolean | undefined;
  /** Paths that a call reads or changes: two calls that share one run one after the other. */
  touchedPaths?(input: I): string[];
  /**
   * The same input with each of its paths as `of` has it.
   * @param folder in place of a path that the input does not give; undefined: the working folder
   */
  withPaths?(input: I, of: (path: string) => string, folder?: string): I;
  /** `unknown`: a call may change files that nobody can name beforehand; so do all that execute, and need not say it. */
  readonly changes?: "unknown" | undefined;
  /** Exactly what a call will run or change, for the approval card; the input as JSON where there is none. */
  describe?(input: I): string;
  /** What a call would change in the files as they are now, as a unified diff. May throw, as the call would. */
  preview?(input: I, environment: ExecutionEnvironment): Promise<string>;
  /** Offered whatever the provider's profile names: a tool that is not one of Parley's own set. */
  readonly everyProfile?: boolean | undefined;
  /** Why this tool cannot be offered here (a missing program, another platform); undefined: it can. */
  unavailable?: string | undefined;
  /** May throw: the runner turns it into an `is_error` result. */
  run(input: I, context: ToolContext): Promise<ToolOutput>;
}

export interface ToolOutput {
  text: string;
  isError?: boolean;
  /** Beside the text: the model sees them where it can. */
  images?: ImageBlock[];
}

/** What an MCP server says of a tool of its own: never facts, so they can only make a rule stricter. */
export interface ToolHints {
  readOnly?: boolean | undefined;
  destructive?: boolean | undefined;
  openWorld?: boolean | undefined;
}

export interface ToolContext {
  conversationId: string;
  toolUseId: string;
  /** Where the prompt of this run was heard, null if typed. */
  source: SpeechSource | null;
  settings: Settings;
  /** Whether the model sees the images of a result. Not said: it does not. */
  seesImages?: boolean | undefined;
  environment: ExecutionEnvironment;
  /** Where a sub-agent's paths begin, relative to the working folder. Not said: in the working folder. */
  folder?: string | undefined;
  /** null: there is none here, or it is switched off. */
  fence?: Fence | null | undefined;
  /** How what this call runs is confined, as it was decided for it; `outside` where there is no fence. */
  confinement?: Confinement | undefined;
  /** Of a command: the files that rules keep from it. `globs` are absolute; `fits` takes an absolute path. */
  denied?: { globs: readonly string[]; fits(path: string): boolean } | undefined;
  /** Absolute paths that a rewind could not restore: a fenced command finds them read-only. */
  readOnlyPaths?: readonly string[] | undefined;
  /** Whether rules keep a file from this call that its search finds; relative to the working folder, or absolute. */
  hides?: ((path: string) => boolean) | undefined;
  /** Words from the computer's sound are part of the conversation. Not said: they are where `source` is loopback. */
  overheard?: boolean | undefined;
  signal: AbortSignal;
  /** Shows what the tool says before it has ended; the result is still the whole. */
  progress(text: string): void;
  /** Asks the user. @param ended aborted when nobody wants to know any more @returns the answer; rejects then, and when the run is aborted */
  ask(question: Question, ended?: AbortSignal): Promise<string>;
  /**
   * Has the user allow something that the call does beside itself, by hand. Denied when the run is aborted.
   * @param elsewhere resolves when that is answered in another place: it counts for the card, too
   */
  approve(request: SideRequest, elsewhere?: Promise<SideAnswer>): Promise<{ allowed: boolean }>;
  /** Whether a command of this call may connect to a host: by the rules, else by the user's word. Absent: to none. */
  checkHost?(host: FenceHost, ended: AbortSignal): Promise<boolean>;
  subagents: Subagents;
  /** Takes the place of the conversation's list of tasks. Absent where it has none, as a sub-agent. */
  updateTasks?(tasks: readonly Task[]): void;
  /** The whole output of an earlier call of this conversation, before it was truncated. */
  fullOutput(toolUseId: string): string | undefined;
}

export interface Question {
  question: string;
  options: { label: string; description?: string | undefined }[];
  /** Fields in place of options: the answer is a `FormAnswer`, as JSON, and cannot be spoken. */
  form?: QuestionForm | undefined;
}

/** What a call wants to do beside itself. */
export interface SideRequest {
  /** Who wants it. */
  name: string;
  effect: ToolEffect;
  wish: ApprovalWish;
  /** Exactly what will be done. */
  detail: string;
  why: string;
}

export interface SideAnswer {
  allowed: boolean;
  /** For whoever reads what became of the card. */
  reason?: string;
}

/** Agents of a run's own: a history of their own, the environment of the conversation. */
export interface Subagents {
  /** How many work now. */
  readonly running: number;
  /** Whether a sub-agent can have this model. @throws Error where the provider has none of this name; it says which it has */
  checkModel(name: string): Promise<void>;
  /** Starts one on a task. @returns its id @throws Error at the depth limit */
  spawn(task: string, options?: SpawnOptions): string;
  /** Steers one that runs, or gives one that has ended something new to do. @throws Error for an unknown id */
  sendInput(agentId: string, text: string): void;
  /** Waits until it has ended or `timeoutMs` have passed. @throws Error for an unknown id */
  wait(agentId: string, timeoutMs: number): Promise<SubagentReport>;
  /** Ends it; what it did stays done. @throws Error for an unknown id */
  close(agentId: string): Promise<void>;
}

export interface SpawnOptions {
  maxTurns?: number | undefined;
  /** As in the settings: an alias or a full id. Default: the model that starts it. */
  model?: string | undefined;
  /** Where its paths and commands begin, relative to the working folder, and there. Default: as of who starts it. */
  folder?: string | undefined;
}

export interface SubagentReport {
  status: "running" | "completed" | "failed";
  /** Its last words so far. */
  output: string;
  turns: number;
}
