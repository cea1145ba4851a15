import {
  type Meeting,
  type MeetingLine,
  maxAskedLines,
  meetingRange,
} from "../../../shared/conversation/meeting.ts";
import type { SaidLine } from "../../../shared/conversation/messages.ts";
import type { PromptInput } from "../context/prompt-content.ts";
import type { SessionStore } from "../ports/session-store.ts";
import type { ConversationRecord } from "./conversation-record.ts";

/** So much of a meeting goes with one prompt; what is older goes with the next. Characters are UTF-16 units. */
export const askLimits = { maxLines: maxAskedLines, maxChars: 100_000 };

export interface MeetingNotesOptions {
  id: string;
  store: SessionStore;
  record: ConversationRecord;
  newId(): string;
  reportError(error: unknown): void;
}

/**
 * What was heard in meetings of one conversation. It is in the store and nowhere else: which lines a prompt brings is
 * read there, and kept there in the same step as the prompt, so that each goes with exactly one of every path.
 */
export class MeetingNotes {
  readonly #options: MeetingNotesOptions;

  constructor(options: MeetingNotesOptions) {
    this.#options = options;
  }

  /** @returns the line's id, when it is durable @throws StoreError */
  note(said: Omit<MeetingLine, "id">): string {
    const id = this.#options.newId();
    this.#options.record.line({ ...said, id });
    return id;
  }

  /** It was an echo of another one. @throws StoreError */
  forget(lineId: string): void {
    this.#options.store.deleteLine(this.#options.id, lineId);
  }

  /** A page of lines, oldest first: the newest of those that began before `before`. @throws StoreError */
  lines(page: { before: number | undefined; limit: number }): MeetingLine[] {
    const { id, store, record } = this.#options;
    return record.isKept ? store.meetingLines(id, page) : [];
  }

  /** A prompt with what was said before it and went with none yet. */
  joinedTo<P extends PromptInput>(prompt: P): P {
    const { lines, left } = this.#unasked();
    const given = prompt.meeting ?? [];
    const more = lines.filter((line) => !given.some((one) => isSame(one, line)));
    if (more.length === 0) return prompt;
    const meeting = [...given, ...more.map(({ id, who, text, at }) => ({ id, who, text, at }))];
    return { ...prompt, meeting, ...(left > 0 && { meetingLeft: left }) };
  }

  /** A prompt about one meeting with the newest lines of it, whether they went before or not. @throws Error where there is no such meeting @throws StoreError */
  broughtTo<P extends PromptInput>(prompt: P, startedAt: number): P {
    const { id, store } = this.#options;
    const range = meetingRange(this.meetings(), startedAt);
    if (!range) throw new Error("That meeting is no longer there.");
    const meeting: SaidLine[] = [];
    let chars = 0;
    for (const { id: lineId, who, text, at } of store
      .meetingLines(id, { ...range, limit: askLimits.maxLines })
      .reverse()) {
      chars += text.length;
      if (meeting.length > 0 && chars > askLimits.maxChars) break;
      meeting.push({ id: lineId, who, text, at });
    }
    return { ...prompt, meeting: meeting.reverse() };
  }

  /** The meetings of the conversation, oldest first. @throws StoreError */
  meetings(): Meeting[] {
    const { id, store, record } = this.#options;
    return record.isKept ? store.meetings(id) : [];
  }

  /** What the window and `/meeting` show of it. @throws StoreError */
  counts(): { lines: number; unasked: number } {
    const { id, store, record } = this.#options;
    if (!record.isKept) return { lines: 0, unasked: 0 };
    const { lines, left } = store.unaskedLines(id, { maxLines: 1, maxChars: 0 });
    return { lines: store.countLines(id), unasked: lines.length + left };
  }

  /** A store that fails now fails the run, too, which tells the user. */
  #unasked(): ReturnType<SessionStore["unaskedLines"]> {
    const { id, store, record, reportError } = this.#options;
    if (!record.isKept) return { lines: [], left: 0 };
    try {
      return store.unaskedLines(id, askLimits);
    } catch (error) {
      reportError(error);
      return { lines: [], left: 0 };
    }
  }
}

/** Prompts of an earlier Parley have lines without ids. */
const isSame = (given: SaidLine, line: MeetingLine) =>
  given.id === undefined ? given.who === line.who && given.text === line.text : given.id === line.id;
