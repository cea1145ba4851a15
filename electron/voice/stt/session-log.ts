import type { SttEvent } from "../../../shared/voice/stt.ts";
import type { UpdatesAnswer } from "./server-answers.ts";
import {
  eventsIn,
  isNumbered,
  type NumberedEvent,
  UnnumberedAnswers,
  withoutNumbers,
} from "./server-events.ts";

/** Events that one answer brings at most. */
export const batchSize = 100;
/** Asking again for events that are missing in the middle, before they count as lost; once more after an empty answer. */
const maxHoleRetries = 1;
/** Events read last whose content is kept, to be compared with what comes under their number. */
const maxKept = 300;

export type LogNews =
  /** Each event exactly once, in order of `seq`. */
  | { type: "event"; event: SttEvent }
  /** The server dropped this many events before they were read. */
  | { type: "gap"; missed: number }
  /** Something of a known kind that cannot be read; told once for each fault. */
  | { type: "unreadable"; what: string }
  /** The server numbers its events anew: what it said in between may be lost. Told once. */
  | { type: "renumbered" };

/** What an answer brings. */
export interface Batch {
  events: readonly NumberedEvent[];
  /** The answer itself has no events. */
  isEmpty: boolean;
  unreadable: readonly string[];
  firstSeq: number | undefined;
  /** As many as one answer brings: there may be more. */
  isFull: boolean;
  /** All of it lies before what was read last. */
  endsBefore: boolean;
  /** There is something among them that we know and have not read. */
  isNews: boolean;
}

/** What was read of a session's log, whatever the server repeats, leaves out or numbers anew. */
export class SessionLog {
  readonly #canGoOn: boolean;
  /** Everything up to here was delivered or is known to be lost. */
  #cursor = 0;
  #holeRetries = 0;
  /** The last number of an empty answer that lay before what was read: each is looked into once. */
  #shortEnd = 0;
  /** Reads from the beginning: the log may be another one. */
  #readsAgain = false;
  /** A server may give it once only. */
  #behindHole: readonly NumberedEvent[] = [];
  /** The content of the events read last, by their numbers. */
  readonly #kept = new Map<number, string>();
  /** The content of those with the number 0. */
  readonly #uncounted = new Set<string>();
  readonly #told = new Set<string>();
  readonly #unnumbered = new UnnumberedAnswers();

  /** @param canGoOn the server can be asked for what comes after a number: only then numbers mean anything to us */
  constructor(canGoOn: boolean) {
    this.#canGoOn = canGoOn;
  }

  /** The number to go on from. */
  get cursor(): number {
    return this.#readsAgain ? 0 : this.#cursor;
  }

  /** Something is missing in the middle, and worth asking for once more. */
  get hasHole(): boolean {
    return this.#holeRetries > 0;
  }

  /** @param hasWaited the server held the answer back until something happened */
  batchOf(answer: UpdatesAnswer, hasWaited: boolean): Batch {
    const { first_seq: firstSeq, ...given } = this.#canGoOn
      ? this.#withoutRepeats(answer, hasWaited)
      : withoutNumbers(this.#unnumbered.news(answer, hasWaited));
    const { batch, unreadable } = eventsIn(given, this.#cursor);
    // Where nothing is counted, repeats are left out already: what is there was said again.
    if (!isNumbered(given)) for (const { content } of batch) this.#uncounted.delete(content);
    const held = this.#behindHole.filter(({ seq }) => batch.every((one) => one.seq !== seq));
    this.#behindHole = [];
    const events = [...held, ...batch].sort((a, b) => a.seq - b.seq);
    const isFull = this.#canGoOn && batch.length >= batchSize;
    const endsBefore = !isFull && (events.at(-1)?.seq ?? 0) < this.#cursor;
    const isNews = events.some((one) => one.event !== null && !this.#isRead(one, endsBefore));
    const isEmpty = batch.length === 0;
    // A server that has begun anew has nothing behind a number that it has not come to yet: it is asked for all that it has.
    const end = given.next_seq ?? 0;
    this.#readsAgain =
      this.#canGoOn &&
      isEmpty &&
      end > 0 &&
      end < this.#cursor &&
      end !== this.#shortEnd &&
      !this.#readsAgain;
    if (this.#readsAgain) this.#shortEnd = end;
    return { events, isEmpty, unreadable, firstSeq, isFull, endsBefore, isNews };
  }

  /** @returns whether it has brought us on; events that are missing in its middle have to be asked for again first */
  *read({ events, isEmpty, unreadable, firstSeq, endsBefore }: Batch): Generator<LogNews, boolean> {
    for (const what of unreadable) yield* this.#tellOnce({ type: "unreadable", what }, what);
    const lost = firstSeq === undefined ? 0 : firstSeq - this.#cursor - 1;
    if (lost > 0) {
      this.#cursor += lost;
      yield { type: "gap", missed: lost };
    }
    let isOn = lost > 0;
    for (const one of events) {
      if (this.#isRead(one, endsBefore)) {
        this.#cursor = Math.max(this.#cursor, one.seq);
        continue;
      }
      if (one.seq === 0) {
        this.#uncounted.add(one.content);
        if (this.#uncounted.size > maxKept) this.#uncounted.delete([...this.#uncounted][0] ?? "");
        if (one.event) yield { type: "event", event: one.event };
        isOn = true;
        continue;
      }
      const missed = one.seq - this.#cursor - 1;
      if (missed > 0 && this.#holeRetries < maxHoleRetries + (isEmpty ? 1 : 0)) {
        this.#holeRetries += 1;
        this.#behindHole = events.filter(({ seq }) => seq >= one.seq);
        return true;
      }
      if (missed < 0) yield* this.#tellOnce({ type: "renumbered" }, "renumbered");
      this.#cursor = one.seq;
      this.#holeRetries = 0;
      this.#keep(one);
      isOn = true;
      if (missed > 0) yield { type: "gap", missed };
      if (one.event) yield { type: "event", event: one.event };
    }
    return isOn;
  }

  *#tellOnce(news: LogNews, what: string): Generator<LogNews, void> {
    if (!this.#told.has(what)) yield news;
    this.#told.add(what);
  }

  #withoutRepeats(answer: UpdatesAnswer, hasWaited: boolean): UpdatesAnswer {
    return isNumbered(answer) ? answer : this.#unnumbered.news(answer, hasWaited);
  }

  /** @param endsBefore of its answer */
  #isRead({ seq, event, content }: NumberedEvent, endsBefore: boolean): boolean {
    if (seq === 0) return this.#uncounted.has(content);
    const kept = this.#kept.get(seq);
    if (kept === content) return true;
    if (seq > this.#cursor) return false;
    // What was read long ago is not kept. A log that reaches less far than what was read of it is another one.
    return event === null || (kept === undefined && !endsBefore);
  }

  #keep({ seq, content }: NumberedEvent): void {
    this.#kept.delete(seq);
    this.#kept.set(seq, content);
    const [oldest] = this.#kept.keys();
    if (this.#kept.size > maxKept && oldest !== undefined) this.#kept.delete(oldest);
  }
}
