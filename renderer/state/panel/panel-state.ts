import type { ConversationChanges } from "../../../shared/conversation/checkpoints.ts";
import type { ContextFacts } from "../../../shared/conversation/context-facts.ts";
import type { AgentEvent, AgentEventType } from "../../../shared/conversation/events.ts";
import type { RunPart } from "../../../shared/ipc/conversation-routes.ts";
import type { IpcInput, IpcOutput, IpcResult, IpcRoute } from "../../../shared/ipc/ipc.ts";
import type { RememberedState } from "../remembered.ts";
import { Store } from "../store.ts";

export interface PanelStateOptions {
  /** For what the window asks by itself: a section that cannot be had is not there. */
  ask<R extends IpcRoute>(route: R, input: IpcInput<R>): Promise<IpcResult<IpcOutput[R]>>;
  /** For what the user does. @returns null where it failed, which is shown */
  attempt<R extends IpcRoute>(route: R, input: IpcInput<R>): Promise<IpcOutput[R] | null>;
  remembered: RememberedState;
  /** The conversation that is shown. */
  shownId(): string | undefined;
}

const noChanges: ConversationChanges = { files: [], checkpointId: null };

/** What the right panel shows of a conversation beside its view. Main is asked only while the panel is in sight. */
export class PanelState {
  /** In a narrow window it opens as a sheet. */
  readonly isSheetOpen = new Store(false);
  readonly context = new Store<ContextFacts | null>(null);
  readonly changes = new Store<ConversationChanges>(noChanges);
  /** The changed files are looked at, one of them opened: by its path, null: none. */
  readonly reviewed = new Store<{ path: string | null } | null>(null);
  readonly #options: PanelStateOptions;
  readonly #context: Loader;
  readonly #changes: Loader;
  #watchers = 0;

  constructor(options: PanelStateOptions) {
    this.#options = options;
    const { ask, shownId } = options;
    this.#context = new Loader(shownId, async (conversationId) => {
      const answer = await ask("conversation.context", { conversationId });
      return answer.ok ? () => this.context.set(answer.value) : null;
    });
    this.#changes = new Loader(shownId, async (conversationId) => {
      const answer = await ask("checkpoint.changes", { conversationId });
      return answer.ok ? () => this.changes.set(answer.value) : null;
    });
  }

  /** Opens or closes it in a window that has room; remembered. */
  show = (isOpen: boolean): void => this.#options.remembered.change({ isPanelOpen: isOpen });

  /** It is in sight. @returns what ends that */
  watch = (): (() => void) => {
    if (this.#watchers++ === 0) this.#loadAll();
    return () => {
      this.#watchers--;
    };
  };

  /** Another conversation is shown: nothing of the last one is told of it. */
  showNext(): void {
    this.context.set(null);
    this.changes.set(noChanges);
    this.reviewed.set(null);
    if (this.#watchers > 0) this.#loadAll();
  }

  /** Something happened in the conversations that this window follows. */
  hear(events: readonly AgentEvent[]): void {
    if (this.#watchers === 0) return;
    const shownId = this.#options.shownId();
    const types = new Set(
      events.filter(({ conversationId }) => conversationId === shownId).map(({ type }) => type),
    );
    if (contextEvents.some((type) => types.has(type))) this.#context.load();
    if (changeEvents.some((type) => types.has(type))) this.#changes.load();
  }

  /** Ends one sub-agent or one command. */
  stopPart = (part: RunPart): void => {
    const conversationId = this.#options.shownId();
    if (conversationId !== undefined)
      void this.#options.attempt("conversation.stopPart", { conversationId, part });
  };

  openFile = (path: string): void => {
    const conversationId = this.#options.shownId();
    if (conversationId !== undefined)
      void this.#options.attempt("checkpoint.openFile", { conversationId, path });
  };

  /** @param path the file to begin with; null: the first */
  review = (path: string | null): void => this.reviewed.set({ path });

  #loadAll(): void {
    this.#context.load();
    this.#changes.load();
  }
}

/** After these the figures of the context may be others. */
const contextEvents: readonly AgentEventType[] = [
  "model.responded",
  "compaction.ended",
  "history.trimmed",
  "subagent.ended",
  "run.ended",
  "head.moved",
  "model.chosen",
];
/** And after these the files. */
const changeEvents: readonly AgentEventType[] = [
  "tool.ended",
  "subagent.step",
  "checkpoint.rewound",
  "run.ended",
  "session.changed",
];

/** One request at a time; what is wanted meanwhile is asked for once, behind it. */
class Loader {
  readonly #shownId: () => string | undefined;
  readonly #ask: (conversationId: string) => Promise<(() => void) | null>;
  #isAsking = false;
  #isWantedAgain = false;

  /** @param ask returns what shows the answer, for which it may be too late; null: there is none */
  constructor(
    shownId: () => string | undefined,
    ask: (conversationId: string) => Promise<(() => void) | null>,
  ) {
    this.#shownId = shownId;
    this.#ask = ask;
  }

  load(): void {
    this.#isWantedAgain = true;
    if (!this.#isAsking) void this.#run();
  }

  async #run(): Promise<void> {
    this.#isAsking = true;
    while (this.#isWantedAgain) {
      this.#isWantedAgain = false;
      const id = this.#shownId();
      const show = id === undefined ? null : await this.#ask(id);
      if (id === this.#shownId()) show?.();
    }
    this.#isAsking = false;
  }
}
