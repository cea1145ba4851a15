import type { AgentEvent } from "../../../shared/conversation/events.ts";
import type { Settings } from "../../../shared/settings.ts";
import type { TrustsFile } from "../context/project-documents.ts";
import type { Checkpoints, Rewinding } from "./checkpoint-ports.ts";
import type { Clock, ExecutionEnvironment, Fence, Permissions, Provider, Tool } from "./ports.ts";
import type { SessionStore } from "./session-store.ts";

/** What a conversation is made of, passed in by `compose/conversations.ts`. */
export interface AgentOptions {
  clock: Clock;
  /** A new unique id. */
  newId(): string;
  /** Read once at the start of every run: a change applies from the next run on. */
  settings(): Settings;
  /** Called once a run. @throws ModelError where the chosen provider cannot be had */
  createProvider(settings: Settings): Provider | Promise<Provider>;
  /** Asked for every request: what servers offer may change in the middle of a run. The same tools are the same objects. */
  tools(conversationId: string): readonly Tool[];
  /** The folder that a new conversation works in: absolute, and there. */
  workingFolder(): string;
  /** Parley's own folder, which `openEnvironment` makes again. Absent: there is none. */
  ownFolder?(): string;
  /** Called once a run; the same folder has the same environment. @throws EnvironmentError when it is not there */
  openEnvironment(folder: string): Promise<ExecutionEnvironment>;
  permissions: Permissions;
  /** Called once a run. null: there is no fence here, or it is switched off. */
  fence(conversationId: string, folder: string): Fence | null;
  /** Asked before tools run: resolves when it is known whether there is a fence. Absent: it is. */
  fenceKnown?(): Promise<unknown>;
  /** Whether the user trusts a file of a project as it is: nothing else of one is told to the model. Absent: none. */
  isTrusted?: TrustsFile;
  /** Whether the user trusts all that a folder brings: then names of files in it are told. Absent: none is. */
  isFolderTrusted?(folder: string): Promise<boolean>;
  /** Shared by all conversations; whoever made it closes it. */
  store: SessionStore;
  /** Keeps files before they are changed; null: nothing is kept. Whoever made it closes it. */
  checkpoints: Checkpoints | null;
  /** What is kept, and the way back to it; null: only the conversation goes back, and not forward again. */
  rewinding: Rewinding | null;
  /** Gets every event of every conversation: the log's way in. */
  onEvent(event: AgentEvent): void;
  /** Gets what a listener threw: events inform, so a faulty reader must not end a run. */
  reportError(error: unknown): void;
}

export const trustOf = ({ isTrusted = () => false }: Pick<AgentOptions, "isTrusted">): TrustsFile =>
  isTrusted;
