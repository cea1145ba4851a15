import {
  type Meeting,
  type MeetingLine,
  type MeetingRange,
  meetingRange,
} from "../../../shared/conversation/meeting.ts";
import type { SaidLine } from "../../../shared/conversation/messages.ts";
import type { PromptInput } from "../context/prompt-content.ts";
import type { AskLimits, SessionStore } from "../ports/session-store.ts";
import type { ConversationRecord } from "./conversation-record.ts";
import { meetingTitle, untitled } from "./sessions/title.ts";

/** So much of a meeting goes with one prompt; what is older goes with the next. */
const askLimits: AskLimits = { maxLines: 2000, maxChars: 100_000 };

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
  /** That was begun last since the conversation was opened. */
  #last: { title: string | null; isOver: boolean } | null = null;

  constructor(options: MeetingNotesOptions) {
    this.#options = options;
  }

  /** A meeting that was begun here is written down, or is over; `none`: none was since the conversation was opened. */
  get state(): "none" | "going" | "over" {
    if (!this.#last) return "none";
    return this.#last.isOver ? "over" : "going";
  }

  /**
   * A conversation without a title has that of the meeting from now on, and loses it where nothing was said or noted.
   * @param at milliseconds since the epoch @returns ends it; never throws @throws StoreError
   */
  begin(at: number): () => void {
    const { record, reportError } = this.#options;
    const { title: before } = record.session;
    const isUntitled = before === untitled || before === this.#last?.title;
    const meeting = { title: isUntitled ? meetingTitle(at) : null, isOver: false };
    if (meeting.title !== null) record.changeQuietly({ title: meeting.title });
    this.#last = meeting;
    return () => {
      meeting.isOver = true;
      try {
        const isItsTitle = this.#last === meeting && record.session.title === meeting.title;
        if (isItsTitle && this.counts().lines === 0) record.changeQuietly({ title: untitled });
      } catch (error) {
        reportError(error);
      }
    };
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

  /**
   * A prompt with what was said before it and went with none yet. One that is asked anew, with the lines that it had: with
   * the newest of their meetings, or with them alone where another prompt has brought them, too.
   */
  joinedTo<P extends PromptInput>(prompt: P): P {
    const given = prompt.meeting ?? [];
    const found = this.#unasked(given.length > 0 ? this.#rangeOf(given) : undefined);
    const isGiven = (line: MeetingLine) => given.some((one) => isSame(one, line));
    return given.length > 0 && !found.lines.some(isGiven)
      ? prompt
      : { ...prompt, meetingLeft: undefined, ...broughtBy(found) };
  }

  /**
   * A prompt about one meeting: about the last with what went with none yet, about an earlier one with all of it, whether that
   * went before or not. Of one that is too long for that, with what went with none yet, or else with its newest lines.
   * @throws Error where there is no such meeting @throws StoreError
   */
  broughtTo<P extends PromptInput>(prompt: P, startedAt: number): P {
    return { ...prompt, ...broughtBy(this.#about(startedAt)) };
  }

  /** The meetings of the conversation, oldest first. @throws StoreError */
  meetings(): Meeting[] {
    const { id, store, record } = this.#options;
    return record.isKept ? store.meetings(id) : [];
  }

  /**
   * What the window and `/meeting` show of it. `goes`: how many lines go with the next question, or with one about a meeting.
   * @throws Error where there is no such meeting @throws StoreError
   */
  counts(about?: number): { lines: number; unasked: number; goes: number } {
    const { id, store, record } = this.#options;
    if (!record.isKept) return { lines: 0, unasked: 0, goes: 0 };
    const counts = { lines: store.countLines(id), ...store.countUnasked(id, askLimits) };
    return about === undefined ? counts : { ...counts, goes: this.#about(about).lines.length };
  }

  /** What goes with a question about one meeting. @throws Error where there is no such meeting @throws StoreError */
  #about(startedAt: number): BroughtLines {
    const { id, store } = this.#options;
    const meetings = this.meetings();
    const range = meetingRange(meetings, startedAt);
    if (!range) throw new Error("That meeting is no longer there.");
    const unasked = store.unaskedLines(id, askLimits, range);
    // Of the last one the model has all that it was asked about.
    if (startedAt === meetings.at(-1)?.startedAt) return unasked;
    const newest = store.meetingLines(id, { ...range, limit: askLimits.maxLines });
    const lines = newestWithin(newest, askLimits.maxChars);
    const count = meetings.find((meeting) => meeting.startedAt === startedAt)?.lines ?? lines.length;
    const left = count - lines.length;
    return left > 0 && unasked.lines.length > 0 ? unasked : { lines, left };
  }

  /** From the beginning of the meeting of the first of these lines to the end of that of the last; undefined: an earlier Parley did not tell when they were said. */
  #rangeOf(lines: readonly SaidLine[]): MeetingRange | undefined {
    const [first, last] = [lines[0]?.at, lines.at(-1)?.at];
    if (first === undefined || last === undefined) return undefined;
    const starts = this.meetings().map(({ startedAt }) => startedAt);
    return {
      from: starts.findLast((start) => start <= first) ?? 0,
      before: starts.find((start) => start > last) ?? Number.MAX_SAFE_INTEGER,
    };
  }

  /** A store that fails now fails the run, too, which tells the user. */
  #unasked(range?: MeetingRange): BroughtLines {
    const { id, store, record, reportError } = this.#options;
    if (!record.isKept) return { lines: [], left: 0 };
    try {
      return store.unaskedLines(id, askLimits, range);
    } catch (error) {
      reportError(error);
      return { lines: [], left: 0 };
    }
  }
}

/** Oldest first, and how many older ones did not fit. */
interface BroughtLines {
  lines: MeetingLine[];
  left: number;
}

/** What of a prompt tells of them. */
const broughtBy = ({ lines, left }: BroughtLines): Pick<PromptInput, "meeting" | "meetingLeft"> =>
  lines.length === 0
    ? {}
    : {
        meeting: lines.map(({ id, who, text, at }) => ({ id, who, text, at })),
        ...(left > 0 && { meetingLeft: left }),
      };

/** The newest lines that have so many characters at most, at least one of them. */
function newestWithin(lines: readonly MeetingLine[], maxChars: number): MeetingLine[] {
  let chars = 0;
  const tooMany = lines.findLastIndex(({ text }) => {
    chars += text.length;
    return chars > maxChars;
  });
  return lines.slice(Math.min(tooMany + 1, lines.length - 1));
}

/** Prompts of an earlier Parley have lines without ids. */
const isSame = (given: SaidLine, line: MeetingLine) =>
  given.id === undefined ? given.who === line.who && given.text === line.text : given.id === line.id;
