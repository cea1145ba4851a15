import type { AgentEvent } from "../../shared/events.ts";
import type { Settings } from "../../shared/settings.ts";
import type { Clock, ConversationStore, ExecutionEnvironment, Permissions, Provider, Tool } from "./ports.ts";

/** What a conversation is made of, passed in by `main.ts`. */
export interface AgentParts {
  clock: Clock;
  /** A new unique id. */
  newId(): string;
  /** Read once at the start of every run: a change applies from the next run on. */
  settings(): Settings;
  /** Called once a run. @throws ModelError where the chosen provider cannot be had */
  createProvider(settings: Settings): Provider | Promise<Provider>;
  /** Asked for every request: what servers offer may change in the middle of a run. The same tools are the same objects. */
  tools(conversationId: string): readonly Tool[];
  environment: ExecutionEnvironment;
  permissions: Permissions;
  /** Shared by all conversations; whoever made it closes it. */
  store: ConversationStore;
  /** Gets every event of every conversation: the log's way in. */
  onEvent(event: AgentEvent): void;
  /** Gets what a listener threw: events inform, so a faulty reader must not end a run. */
  reportError(error: unknown): void;
}
