import { type SttEvent, sttEvent, sttInfo } from "../../../shared/voice/stt.ts";
import { seq, type UpdatesAnswer } from "./server-answers.ts";

export interface NumberedEvent {
  seq: number;
  /** null for an event of a kind that we do not know: its number counts all the same. */
  event: SttEvent | null;
  /** The event as it came: whether it is the same as another. */
  content: string;
}

/**
 * The events of one answer, in their order, and what is wrong with those of a known kind that cannot be read.
 * @param cursor the number that was asked from: where the server numbers nothing, its news begins after it
 */
export function eventsIn(
  answer: Pick<UpdatesAnswer, "events" | "next_seq">,
  cursor: number,
): { batch: NumberedEvent[]; unreadable: string[] } {
  const batch: NumberedEvent[] = [];
  const unreadable: string[] = [];
  const { events, next_seq: next } = answer;
  for (const [index, raw] of events.entries()) {
    if (typeof raw !== "object" || raw === null) {
      unreadable.push("an event that is no object");
      continue;
    }
    // Without numbers of their own they are counted back from the last one, or as they come.
    const last = isNumbered(answer) ? next : cursor + events.length;
    const number = numberOf(raw) ?? (last === undefined ? undefined : last - (events.length - 1 - index));
    if (number === undefined || number < 1) {
      unreadable.push("an event without `seq`");
      continue;
    }
    const read = readEvent({ ...raw, seq: number });
    if ("fault" in read) unreadable.push(read.fault);
    batch.push({
      seq: number,
      event: "event" in read ? read.event : null,
      content: JSON.stringify(raw),
    });
  }
  return { batch: batch.sort((a, b) => a.seq - b.seq), unreadable };
}

export const isNumbered = ({ events, next_seq }: Pick<UpdatesAnswer, "events" | "next_seq">): boolean =>
  next_seq !== undefined || events.some((raw) => numberOf(raw) !== undefined);

function numberOf(raw: unknown): number | undefined {
  if (typeof raw !== "object" || raw === null || !("seq" in raw) || raw.seq === null) return undefined;
  const read = seq.safeParse(raw.seq);
  return read.success ? read.data : undefined;
}

/** Without numbers: they are the server's own affair where it cannot be asked for what comes after one. */
export function withoutNumbers(answer: UpdatesAnswer): UpdatesAnswer {
  const bare = (raw: unknown) =>
    typeof raw === "object" && raw !== null
      ? Object.fromEntries(Object.entries(raw).filter(([name]) => name !== "seq"))
      : raw;
  return { status: answer.status, events: answer.events.map(bare) };
}

/**
 * The answers of a server that cannot be asked to go on from a number: most give each event once, as they should; others
 * begin with what they gave before.
 */
export class UnnumberedAnswers {
  #before: string[] = [];

  /**
   * Without what the answer before it has given already.
   * @param hasWaited the server held the answer back until something happened
   */
  news(answer: UpdatesAnswer, hasWaited: boolean): UpdatesAnswer {
    const before = this.#before;
    const now = answer.events.map((raw) => JSON.stringify(raw));
    this.#before = now;
    // Whatever its number means, an event that has one and comes again just as it was is the same one.
    if (answer.events.every((raw) => numberOf(raw) !== undefined)) {
      return { ...answer, events: answer.events.filter((_, index) => !before.includes(now[index] ?? "")) };
    }
    const isRepeated = before.length > 0 && before.every((one, index) => one === now[index]);
    // The same again was worth waiting for: it was said again.
    const isSaidAgain = hasWaited && now.length === before.length;
    return isRepeated && !isSaidAgain ? { ...answer, events: answer.events.slice(before.length) } : answer;
  }
}

/** What servers of the older kind call the words so far. */
const partialTypes: ReadonlySet<unknown> = new Set(["provisional_text", "stable_text"]);
/** What does without them misses nothing that was said. */
const hints: ReadonlySet<string> = new Set(["speech_start", "speech_end", "info"]);
const knownTypes: ReadonlySet<string> = new Set(sttEvent.options.map(({ shape }) => shape.type.value));

function readEvent(
  raw: Record<string, unknown> & { seq: number },
): { event: SttEvent } | { fault: string } | object {
  const type = partialTypes.has(raw.type) ? "utterance_partial" : raw.type;
  if (typeof type !== "string" || !knownTypes.has(type)) return {};
  const text = onOneLine(raw.text ?? textIn(raw.payload));
  const timestamp_utc = timeOf(raw.timestamp_utc);
  // Recognisers say so of sound without words.
  if (type === "utterance_final" && text === "") {
    return { event: { type: "info", seq: raw.seq, timestamp_utc, message: sttInfo.noWords } };
  }
  const whole = {
    ...raw,
    type,
    text,
    timestamp_utc,
    // No recogniser writes down what it is sure not to have heard: it does not know.
    confidence: raw.confidence === 0 ? undefined : raw.confidence,
    alternatives: readingsIn(raw.alternatives),
    words: Array.isArray(raw.words) ? raw.words.map(wordOf) : raw.words,
  };
  const strict = sttEvent.safeParse(whole);
  if (strict.success) return { event: strict.data };
  // What cannot be read is left out; where the event can do without, it counts.
  const faulty = new Set(strict.error.issues.map(({ path }) => path[0]));
  const rest = Object.fromEntries(Object.entries(whole).filter(([name]) => !faulty.has(name)));
  const kind = sttEvent.safeParse(rest);
  if (kind.success) return { event: kind.data };
  if (hints.has(type)) return {};
  return {
    fault: `\`${type}\` without a readable ${[...faulty].map((name) => `\`${String(name)}\``).join(", ")}`,
  };
}

const textIn = (value: unknown) =>
  typeof value === "object" && value !== null && "text" in value ? value.text : undefined;

/** Nothing in it moves a cursor or breaks a line; some recognisers begin each text with a space. */
const onOneLine = (text: unknown) =>
  typeof text === "string" ? text.replaceAll(/\p{Cc}+/gu, " ").trim() : text;

/** Each as text; some tell a confidence with it. */
const readingsIn = (alternatives: unknown) =>
  Array.isArray(alternatives) ? alternatives.map((one) => textIn(one) ?? one) : alternatives;

const wordOf = (word: unknown) =>
  typeof word === "object" && word !== null && "alternatives" in word
    ? { ...word, alternatives: readingsIn(word.alternatives) }
    : word;

/** Some tell the time in seconds or milliseconds since the epoch, some not at all. */
function timeOf(value: unknown): string {
  if (typeof value === "string") return value;
  if (typeof value !== "number" || !Number.isFinite(value)) return "";
  const ms = value > 1e11 ? value : value * 1000;
  return ms >= 0 && ms < 8e15 ? new Date(ms).toISOString() : "";
}
