import type { Attachment, AttachmentChoice } from "../../../shared/conversation/attachments.ts";
import type {
  RewindOutcome,
  RewindPart,
  RewindPlan,
  RewindTarget,
} from "../../../shared/conversation/checkpoints.ts";
import type { AgentEventBody } from "../../../shared/conversation/events.ts";
import { textOf } from "../../../shared/conversation/messages.ts";
import { attachmentsOf, meetingIn, type PromptInput } from "../context/prompt-content.ts";
import type { Rewinding } from "../ports/checkpoint-ports.ts";
import type { SessionStore } from "../ports/session-store.ts";
import type { ConversationEvents } from "./conversation-events.ts";
import type { ConversationRecord } from "./conversation-record.ts";
import { ConversationRewinds } from "./conversation-rewinds.ts";
import type { ConversationRuns } from "./conversation-runs.ts";
import type { Waiting } from "./inbox.ts";
import type { TitleGenerator } from "./sessions/conversation-title.ts";
import { draftAttachedOf } from "./sessions/draft-attached.ts";
import type { ConversationPath } from "./tree/conversation-path.ts";
import { inputOf } from "./tree/path-moves.ts";

type PlacedPrompt = ReturnType<ConversationPath["promptAt"]>;
type MoveReason = Extract<AgentEventBody, { type: "head.moved" }>["reason"];

/** The parts of a conversation that its moves work with. */
export interface ConversationMovesOptions {
  readonly id: string;
  newId(): string;
  /** null where nothing is kept: then only the conversation goes back, and not forward again. */
  readonly rewinding: Rewinding | null;
  readonly record: ConversationRecord;
  readonly path: ConversationPath;
  readonly events: ConversationEvents;
  readonly runs: ConversationRuns;
  readonly titles: TitleGenerator;
  readonly store: Pick<SessionStore, "saveDraftFile">;
  /** The text box gets this text, and what is attached to it. */
  setDraft(draft: string, attached: AttachmentChoice[]): void;
}

/**
 * Ways back and sideways in the tree of one conversation. Nothing is deleted: what is left behind stays in the tree.
 * Whoever calls sees to it that nothing runs or waits. All methods throw StoreError.
 */
export class ConversationMoves {
  readonly #options: ConversationMovesOptions;
  readonly #rewinds: ConversationRewinds;

  constructor(options: ConversationMovesOptions) {
    const { id, rewinding, record, path, events } = options;
    this.#options = options;
    this.#rewinds = new ConversationRewinds({
      id,
      rewinding,
      path,
      workingFolder: () => record.session.workingFolder,
      moveHead: (messageId, reason) => this.#moveHead(messageId, reason),
      emit: (body) => events.emit(body),
    });
  }

  /** Goes to before a prompt, to another version of it. @returns what stood beside it */
  toBefore({
    message,
    parentId,
  }: PlacedPrompt): Pick<PromptInput, "meeting" | "meetingLeft" | "attachments"> {
    this.#moveHead(parentId, "edit");
    const { content } = message;
    return { ...meetingIn(content), attachments: attachmentsOf(content) };
  }

  /** Goes to the prompt of the reply that this message is part of. @returns it, to be run again */
  toPromptOf(messageId: string): Waiting {
    const prompt = this.#options.path.promptOf(messageId);
    this.#moveHead(prompt.id, "regenerate");
    return { input: inputOf(prompt, this.#options.newId()), isInHistory: true };
  }

  /** Goes to where this reply began: the next one is another version of it. What was done before it stays. */
  toBeforeReply(messageId: string): void {
    this.#moveHead(this.#options.path.parentOf(messageId), "regenerate");
  }

  /** Goes to the newest path through a message. */
  toBranch(messageId: string): void {
    this.#moveHead(this.#options.path.newestLeaf(messageId), "branch");
  }

  /** What a rewind would do. @throws Error with words for the user */
  async previewRewind(target: RewindTarget, part: RewindPart): Promise<RewindPlan> {
    return await this.#rewinds.preview(target, part);
  }

  /** In a turn of its own. @throws Error for what is no prompt or no checkpoint: then nothing was changed */
  async rewind(target: RewindTarget, how: { part: RewindPart; overwrite: boolean }): Promise<RewindOutcome> {
    const { record, runs, setDraft } = this.#options;
    return await runs.alone(async () => {
      const { draft, draftAttached } = record.session;
      const isEmpty = draft.trim() === "" && draftAttached.length === 0;
      const prompt = isEmpty && how.part !== "files" ? this.#promptAt(target) : null;
      const outcome = await this.#rewinds.rewind(target, how);
      if (prompt) setDraft(prompt.text, draftAttachedOf(prompt.attachments, this.#options.store));
      return outcome;
    });
  }

  /** In a turn of its own. @throws Error where there is no rewind to take back */
  async redo(overwrite: boolean): Promise<RewindOutcome> {
    const { record, runs, events, setDraft } = this.#options;
    return await runs.alone(async () => {
      const before = new Set(events.view.items.map(({ key }) => key));
      const outcome = await this.#rewinds.redo(overwrite);
      const { draft } = record.session;
      // The prompt that the rewind put into the text box stands in the conversation again.
      const isThere = events.view.items.some(
        (item) => item.kind === "user" && !before.has(item.key) && item.text === draft,
      );
      if (isThere) setDraft("", []);
      return outcome;
    });
  }

  /** The view begins anew with the path as the store has it. Where it ends in the middle of a turn, `retry` goes on. */
  showPath({ isRunNext, cutShortId }: { isRunNext: boolean; cutShortId: string | null }): void {
    const { path, runs, titles, events } = this.#options;
    const isCutShort = cutShortId !== null;
    const { unfinished, hasReplies, ...shown } = path.shownEnd({ isCutShort, isRunNext });
    runs.stepRetry({ type: "shown", cutShortId, unfinished });
    if (hasReplies) titles.skip();
    events.changeView({ ...shown, tasks: path.tasks, agents: path.agents(), activity: null });
  }

  /** What is asked in the same step needs no line that offers it. */
  #moveHead(messageId: string | null, reason: MoveReason): void {
    this.#options.path.moveHead(messageId);
    this.showPath({ isRunNext: reason === "edit" || reason === "regenerate", cutShortId: null });
    this.#options.events.emit({ type: "head.moved", headMessageId: messageId, reason });
  }

  /** A prompt that its speaker went on with is shown, and comes back, as one. @returns null where no prompt is meant */
  #promptAt(target: RewindTarget): { text: string; attachments: Attachment[] } | null {
    if (!("messageId" in target)) return null;
    const { events, path } = this.#options;
    const shown = events.view.items.find(({ key }) => key === target.messageId);
    const { content } = path.promptAt(target.messageId).message;
    return {
      text: shown?.kind === "user" ? shown.text : textOf(content),
      attachments: attachmentsOf(content),
    };
  }
}
