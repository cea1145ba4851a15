import type { MeetingLine } from "../../../shared/conversation/meeting.ts";
import type { SaidLine } from "../../../shared/conversation/messages.ts";
import type { PromptInput } from "../context/prompt-content.ts";
import type { SessionStore } from "../ports/session-store.ts";
import type { ConversationRecord } from "./conversation-record.ts";

/** So much of a meeting goes with one prompt; what is older goes with the next. Characters are UTF-16 units. */
export const askLimits = { maxLines: 2000, maxChars: 100_000 };

/** What the buttons of a meeting ask. */
export const meetingPrompts = {
  ask: "Look at what was just said in the meeting: answer what was asked of me, or sum up what matters.",
  summary:
    "Summarise this meeting: the main points with their times, what was decided, the tasks (who does what, and until when), and what stayed open. Leave out a part that has nothing.",
};
export type MeetingQuestion = keyof typeof meetingPrompts;

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

  /** A prompt with what was said before it and went with none yet. */
  joinedTo<P extends PromptInput>(prompt: P): P {
    const { lines, left } = this.#unasked();
    const given = prompt.meeting ?? [];
    const more = lines.filter((line) => !given.some((one) => isSame(one, line)));
    if (more.length === 0) return prompt;
    const meeting = [...given, ...more.map(({ id, who, text, at }) => ({ id, who, text, at }))];
    return { ...prompt, meeting, ...(left > 0 && { meetingLeft: left }) };
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
