import type { RewindOutcome, RewindPart } from "../../../shared/conversation/checkpoints.ts";
import type { IpcInput, IpcOutput, IpcResult, IpcRoute } from "../../../shared/ipc/ipc.ts";
import { Store } from "../store.ts";

/** The prompt before which, or the checkpoint at which, everything is to be as it was. */
export interface RewindTarget {
  conversationId: string;
  /** `path`: of one file alone, as shown. */
  to: { messageId: string } | { checkpointId: string; path?: string };
  /** Newest first, where the user chooses which prompt is meant. */
  prompts?: readonly { messageId: string; text: string }[];
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

  /** @param model who answers from then on; without it who answered last */
  regenerate = (messageId: string, model?: string): void => {
    const { attempt, shownId } = this.#options;
    const conversationId = shownId();
    if (conversationId === undefined) return;
    const by = model !== undefined && { model };
    void attempt("conversation.regenerate", { conversationId, messageId, ...by });
  };
  showBranch = (messageId: string): void => {
    const { attempt, shownId } = this.#options;
    const conversationId = shownId();
    if (conversationId !== undefined) void attempt("conversation.branch", { conversationId, messageId });
  };

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
    if (conversationId !== undefined) this.rewinding.set({ conversationId, to: { messageId } });
  };

  /** Lets the user choose before which prompt. @param prompts newest first; without any nothing happens */
  rewindToOne = (prompts: readonly { messageId: string; text: string }[]): void => {
    const conversationId = this.#options.shownId();
    const [newest] = prompts;
    if (conversationId === undefined || !newest) return;
    this.rewinding.set({ conversationId, to: { messageId: newest.messageId }, prompts });
  };

  /** Lets the user decide whether to go back: before all that the conversation changed in files, or in one of them. */
  rewindChanges = (checkpointId: string, path?: string): void => {
    const conversationId = this.#options.shownId();
    const to = path === undefined ? { checkpointId } : { checkpointId, path };
    if (conversationId !== undefined) this.rewinding.set({ conversationId, to });
  };

  previewRewind = ({ conversationId, to }: RewindTarget, part: RewindPart) =>
    this.#options.ask("checkpoint.preview", { conversationId, target: to, part });

  rewind = ({ conversationId, to }: RewindTarget, part: RewindPart, overwrite: boolean) =>
    this.#options.ask("checkpoint.rewind", { conversationId, target: to, part, overwrite });

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
}
