import type { RewindOutcome, RewindPart } from "../../../shared/conversation/checkpoints.ts";
import type { IpcInput, IpcOutput, IpcResult, IpcRoute } from "../../../shared/ipc.ts";
import { Store } from "../store.ts";

/** The prompt before which everything is to be as it was. */
export interface RewindTarget {
  conversationId: string;
  messageId: string;
}

export interface HistoryOptions {
  /** For what shows its failures itself. */
  ask<R extends IpcRoute>(route: R, input: IpcInput<R>): Promise<IpcResult<IpcOutput[R]>>;
  /** @returns null where it failed, which is shown */
  attempt<R extends IpcRoute>(route: R, input: IpcInput<R>): Promise<IpcOutput[R] | null>;
  /** The conversation that is shown. */
  shownId(): string | undefined;
  show(conversationId: string): void;
}

/** Ways back and sideways in the tree of what was said. */
export class History {
  /** The prompt whose rewind is being decided. */
  readonly rewinding = new Store<RewindTarget | null>(null);
  readonly #options: HistoryOptions;

  constructor(options: HistoryOptions) {
    this.#options = options;
  }

  /** @returns false when it was not taken and must not be lost */
  editPrompt = async (messageId: string, text: string): Promise<boolean> => {
    const { attempt, shownId } = this.#options;
    const conversationId = shownId();
    if (conversationId === undefined) return false;
    return (await attempt("conversation.edit", { conversationId, messageId, text })) !== null;
  };

  /** @param id of a prompt that waits, or of the message of one that was sent */
  takeBackRepair = (id: string): void => {
    const conversationId = this.#options.shownId();
    if (conversationId !== undefined)
      void this.#options.attempt("conversation.takeBackRepair", { conversationId, id });
  };

  regenerate = (messageId: string): void => this.#onShown("conversation.regenerate", messageId);
  showBranch = (messageId: string): void => this.#onShown("conversation.branch", messageId);

  /** Into a new conversation: the path up to and with the message, or all of it. */
  fork = async (conversationId: string, messageId?: string): Promise<void> => {
    const input = messageId === undefined ? { conversationId } : { conversationId, messageId };
    const made = await this.#options.attempt("conversation.fork", input);
    if (made) this.#options.show(made.conversationId);
  };

  forkShown = (messageId: string): void => {
    const conversationId = this.#options.shownId();
    if (conversationId !== undefined) void this.fork(conversationId, messageId);
  };

  /** Lets the user decide how far to go back: before this prompt. */
  rewindTo = (messageId: string): void => {
    const conversationId = this.#options.shownId();
    if (conversationId !== undefined) this.rewinding.set({ conversationId, messageId });
  };

  previewRewind = ({ conversationId, messageId }: RewindTarget, part: RewindPart) =>
    this.#options.ask("checkpoint.preview", { conversationId, target: { messageId }, part });

  rewind = ({ conversationId, messageId }: RewindTarget, part: RewindPart, overwrite: boolean) =>
    this.#options.ask("checkpoint.rewind", { conversationId, target: { messageId }, part, overwrite });

  /** The files alone, as they were at a checkpoint; what something else changed since stays. Shown as it is done. */
  undo = async (checkpointId: string): Promise<void> => {
    const { attempt, shownId } = this.#options;
    const conversationId = shownId();
    if (conversationId === undefined) return;
    const target = { checkpointId };
    await attempt("checkpoint.rewind", { conversationId, target, part: "files", overwrite: false });
  };

  redo = async (): Promise<RewindOutcome | null> => {
    const { attempt, shownId } = this.#options;
    const conversationId = shownId();
    return conversationId === undefined ? null : await attempt("checkpoint.redo", { conversationId });
  };

  #onShown(route: "conversation.regenerate" | "conversation.branch", messageId: string): void {
    const { attempt, shownId } = this.#options;
    const conversationId = shownId();
    if (conversationId !== undefined) void attempt(route, { conversationId, messageId });
  }
}
