import { type SttEvent, sttEvent, sttInfo } from "../../../shared/voice/stt.ts";
import { confidenceOf, timesOf, wordsOf } from "./event-values.ts";
import { errorInstead, isWordless, writtenText } from "./heard-words.ts";
import { isCut, maxUtteranceChars, plainTexts, saidNames } from "./plain-text.ts";
import { seq, type UpdatesAnswer } from "./server-answers.ts";

export interface NumberedEvent {
  /** 0: some servers number from there, or write it for what they do not count. */
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
    const last = next ?? (isNumbered(answer) ? undefined : cursor + events.length);
    const number = numberOf(raw) ?? (last === undefined ? undefined : last - (events.length - 1 - index));
    if (number === undefined) {
      unreadable.push("an event without `seq`");
      continue;
    }
    const { event = null, fault } = readEvent({ ...raw, seq: Math.max(1, number) });
    if (fault !== undefined) unreadable.push(fault);
    batch.push({
      seq: Math.max(0, number),
      event,
      content: JSON.stringify(raw),
    });
  }
  return { batch: batch.sort((a, b) => a.seq - b.seq), unreadable };
}

/** Some write 0 for the last number of what they do not count. */
export const isNumbered = ({ events, next_seq }: Pick<UpdatesAnswer, "events" | "next_seq">): boolean =>
  (next_seq ?? 0) > 0 || events.some((raw) => numberOf(raw) !== undefined);

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
  /** Whether it gives again what it has given; null where no answer has shown it yet. */
  #repeats: boolean | null = null;

  /**
   * Without what the answer before it has given already.
   * @param hasWaited the server held the answer back until something happened
   */
  news(answer: UpdatesAnswer, hasWaited: boolean): UpdatesAnswer {
    const before = this.#before;
    const now = answer.events.map((raw) => JSON.stringify(raw));
    this.#before = now;
    const begins = before.every((one, index) => one === now[index]);
    // The same again was worth waiting for: it was said again.
    const isSaidAgain = hasWaited && now.length === before.length;
    // Whatever its number means, an event that has one and comes again just as it was is the same one.
    const events = answer.events.every((raw) => numberOf(raw) !== undefined)
      ? answer.events.filter((_, index) => !before.includes(now[index] ?? ""))
      : answer.events.slice(begins && !isSaidAgain ? before.length : 0);
    if (before.length > 0 && now.length === 0) this.#repeats ??= false;
    if (events.length < now.length) this.#repeats ??= true;
    return this.#repeats ? { ...answer, events } : answer;
  }
}

/** What servers of the older kind call the words so far. */
const partialTypes: ReadonlySet<unknown> = new Set([
  "provisional_text",
  "stable_text",
  ...["partial", "interim", "partial_transcript", "partial_result"],
]);
/** What others call an utterance. */
const finalTypes: ReadonlySet<unknown> = new Set(["final", "final_transcript", "final_result"]);
/** These say with `is_final` which of the two it is. */
const eitherTypes: ReadonlySet<unknown> = new Set([
  ...["transcript", "transcription", "result", "recognition", "utterance", undefined],
]);
/** What does without them misses nothing that was said. */
const hints: ReadonlySet<string> = new Set(["speech_start", "speech_end", "info"]);
const knownTypes: ReadonlySet<string> = new Set(sttEvent.options.map(({ shape }) => shape.type.value));

function typeOf({ type, is_final: isFinal, final: plainFinal }: Record<string, unknown>): unknown {
  if (partialTypes.has(type)) return "utterance_partial";
  if (finalTypes.has(type)) return "utterance_final";
  if (!eitherTypes.has(type)) return type;
  const final = isFinal ?? plainFinal;
  if (final === true || final === "true" || final === 1) return "utterance_final";
  return final === false || final === "false" || final === 0 ? "utterance_partial" : type;
}

interface ReadEvent {
  event?: SttEvent;
  /** What is wrong with it; an event may stand for what could be read all the same. */
  fault?: string;
}

function readEvent(given: Record<string, unknown> & { seq: number }): ReadEvent {
  const raw = { ...given, ...Object(plainTexts(given)), seq: given.seq };
  const type = typeOf(raw);
  if (typeof type !== "string" || !knownTypes.has(type)) return {};
  const timestamp_utc = timeOf(raw.timestamp_utc);
  const isFinal = type === "utterance_final";
  const told = textIn(raw) || (textIn(raw.payload) ?? textIn(raw));
  const written = told !== undefined && (isFinal || type === "utterance_partial") ? writtenText(told) : null;
  const nothing: SttEvent = { type: "info", seq: raw.seq, timestamp_utc, message: sttInfo.noWords };
  // What was said is lost, and nothing is being transcribed any more.
  if (written && written.text === undefined) {
    return isFinal ? { event: nothing, ...(written.fault !== undefined && { fault: written.fault }) } : {};
  }
  const text = written ? written.text : told;
  // Recognisers say so of sound without words.
  if (isFinal && (text === "" || (text === undefined && raw.text === null))) {
    return typeof raw.error === "string" && raw.error !== ""
      ? { event: nothing, fault: errorInstead(raw.error) }
      : { event: nothing };
  }
  const whole = {
    ...raw,
    type,
    text,
    message: raw.message ?? raw.error ?? text,
    timestamp_utc,
    ...timesOf(raw),
    utterance_id: typeof raw.utterance_id === "number" ? String(raw.utterance_id) : raw.utterance_id,
    confidence: confidenceOf(raw.confidence),
    alternatives: readingsIn(raw.alternatives),
    words: wordsOf(raw.words, raw),
  };
  const cut = told !== undefined && isCut(told, maxUtteranceChars) ? tooLong : undefined;
  const readAs = (event: SttEvent): ReadEvent => {
    const fault = isFinal ? (cut ?? (isWordlessFinal(event) ? written?.fault : undefined)) : undefined;
    return { event, ...(fault !== undefined && { fault }) };
  };
  const strict = sttEvent.safeParse(whole);
  if (strict.success) return readAs(strict.data);
  // What cannot be read is left out; where the event can do without, it counts.
  const faulty = new Set(strict.error.issues.map(({ path }) => path[0]));
  const rest = Object.fromEntries(Object.entries(whole).filter(([name]) => !faulty.has(name)));
  const kind = sttEvent.safeParse(rest);
  if (kind.success) return readAs(kind.data);
  if (hints.has(type)) return {};
  return {
    fault: `\`${type}\` without a readable ${[...faulty].map((name) => `\`${String(name)}\``).join(", ")}`,
  };
}

const tooLong = `an utterance of more than ${maxUtteranceChars} characters: its end is left out`;

/** What the recogniser lists word by word was said, whatever it looks like. */
const isWordlessFinal = (event: SttEvent) =>
  event.type === "utterance_final" &&
  isWordless(
    event.text,
    event.words?.map(({ word }) => word),
  );

/** The words of an event, whatever they are called. Numbers by other names than `text` count something, or are flags. */
function textIn(value: unknown): string | undefined {
  if (typeof value !== "object" || value === null) return undefined;
  const fields = new Map<string, unknown>(Object.entries(value));
  const number = fields.get("text");
  if (typeof number === "number" && Number.isFinite(number)) return String(number);
  const found = saidNames
    .map((name) => ({ name, text: fields.get(name) }))
    .flatMap(({ name, text }) => (typeof text === "string" && !isFlag(name, text) ? [text] : []));
  return found.find((text) => text !== "") ?? found[0];
}

const isFlag = (name: string, text: string) => name === "final" && /^(?:true|false)$/i.test(text);

/** Each as text; some tell a confidence with it. Those of sounds, and of errors, are none. */
const readingsIn = (alternatives: unknown) =>
  Array.isArray(alternatives)
    ? alternatives.flatMap((one) => {
        const said = textIn(one) ?? one;
        const text = typeof said === "string" ? writtenText(said).text : undefined;
        return text === undefined || isWordless(text) ? [] : [text];
      })
    : undefined;

/** Some tell the time in seconds or milliseconds since the epoch, some not at all. */
function timeOf(value: unknown): string {
  if (typeof value === "string") return value;
  if (typeof value !== "number" || !Number.isFinite(value)) return "";
  const ms = value > 1e11 ? value : value * 1000;
  return ms >= 0 && ms < 8e15 ? new Date(ms).toISOString() : "";
}
