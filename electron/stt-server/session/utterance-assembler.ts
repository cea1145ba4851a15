import {
  type RecognisedWord,
  type SpeechSigns,
  sttInfo,
  type TurnEnd,
  type UtteranceEndReason,
} from "../../../shared/voice/stt.ts";
import type { Clock } from "../clock.ts";
import type { Reading, Recognised, Recogniser } from "../recognisers/recogniser.ts";
import type { ShortCommands } from "../recognisers/short-commands.ts";
import type { WakeGate } from "../recognisers/wake-recogniser.ts";
import { withAlternatives } from "../rescoring/alternatives.ts";
import { type HeardPiece, isUnsure, maxAlternatives, wholeReadings } from "../rescoring/readings.ts";
import type { Rescoring } from "../rescoring/rescoring.ts";
import type { SpeechSignsListener } from "../signs/speech-signs.ts";
import type { SessionLog } from "./session-log.ts";

/** Longest that an utterance waits for what else it may say: longer where a word is doubtful, which is what they are for. Milliseconds. */
export const readingsPatienceMs = { sure: 150, unsure: 600 };

export interface UtteranceAssemblerOptions {
  recogniser: Recogniser;
  clock: Clock;
  log: Pick<SessionLog, "append">;
  /** Where a wake phrase decides what is recognised. */
  wake?: WakeGate | undefined;
  /** What is compared with short utterances. */
  commands?: ShortCommands | null | undefined;
  /** Measures whether short utterances are like speech. */
  signs?: Pick<SpeechSignsListener, "keep" | "utteranceEnded" | "dispose"> | undefined;
  /** What is made better of what was recognised. */
  rescoring?: Rescoring | undefined;
  /** Writes a finished utterance as people do. */
  punctuate?: ((text: string) => string) | undefined;
  newUtteranceId(): string;
  /** When sample 0 was heard, milliseconds since the epoch, where it is another time than was told last. */
  timeNews(): number | null;
}

/** How an utterance ended; times on the session's clock in milliseconds. */
export interface UtteranceEnd {
  endMs: number;
  nowMs: number;
  /** Whether its speaker has finished, where it shows. */
  turnEnd: TurnEnd | undefined;
}

interface Utterance {
  id: string;
  startMs: number;
  /** Where the recogniser's clock has its zero; null while it was given nothing since the last pause. */
  feedStartMs: number | null;
  /** What was said up to the last pause, and the words of it. */
  settledText: string;
  words: RecognisedWord[];
  /** All of it, as far as it is recognised. */
  text: string;
  pieces: HeardPiece[];
  /** The readings that are still to come. */
  coming: Promise<void>[];
}

/** Makes an utterance of the sound that is given to it: its partial texts, its words and their doubts, and its end. */
export class UtteranceAssembler {
  readonly #options: UtteranceAssemblerOptions;
  #current: Utterance | null = null;

  constructor(options: UtteranceAssemblerOptions) {
    this.#options = options;
  }

  /** Something is being said. */
  get isOpen(): boolean {
    return this.#current !== null;
  }

  /** What was recognised of it so far. */
  get text(): string {
    return this.#current?.text ?? "";
  }

  /** When it began, on the session's clock in milliseconds. */
  get startMs(): number {
    return this.#current?.startMs ?? 0;
  }

  begin(startMs: number): void {
    this.#current = {
      id: this.#options.newUtteranceId(),
      startMs,
      feedStartMs: null,
      settledText: "",
      words: [],
      text: "",
      pieces: [],
      coming: [],
    };
  }

  /** @param startMs of this sound, on the session's clock */
  async feed(pcm: Int16Array, startMs: number): Promise<void> {
    if (this.#current) await this.#feed(this.#current, pcm, startMs);
  }

  /** Takes everything that the recogniser heard, the last words included. */
  async settle(): Promise<void> {
    if (this.#current) await this.#settle(this.#current);
  }

  /** It is over: says its words, or that it had none. */
  async end(reason: UtteranceEndReason, facts: UtteranceEnd): Promise<void> {
    const utterance = this.#current;
    this.#current = null;
    if (utterance) await this.#end(utterance, reason, facts);
  }

  async #feed(utterance: Utterance, pcm: Int16Array, startMs: number): Promise<void> {
    utterance.feedStartMs ??= startMs;
    this.#options.commands?.keep(pcm);
    this.#options.signs?.keep(pcm);
    this.#options.rescoring?.keep(pcm);
    const text = await this.#options.recogniser.accept(pcm);
    this.#read(utterance, joinText(utterance.settledText, text));
  }

  async #settle(utterance: Utterance): Promise<void> {
    if (utterance.feedStartMs === null) return;
    const { recogniser, rescoring } = this.#options;
    const freely = await recogniser.finish();
    const recognised = (await rescoring?.pieceHeard(freely)) ?? freely;
    utterance.settledText = joinText(utterance.settledText, recognised.text);
    const words = wordsOf(recognised, utterance.feedStartMs);
    utterance.words.push(...words);
    const piece: HeardPiece = { text: recognised.text, readings: [], startMs: utterance.feedStartMs };
    // What was heard freely stays the likeliest other guess.
    if (recognised !== freely) piece.instead = freely.text;
    utterance.pieces.push(piece);
    this.#readings(utterance, piece, utterance.feedStartMs);
    utterance.feedStartMs = null;
    this.#read(utterance, utterance.settledText);
  }

  /** Takes what the latest piece may say besides, when it is known: what goes on does not wait. */
  #readings(utterance: Utterance, piece: HeardPiece, feedStartMs: number): void {
    const coming = this.#options.recogniser.readings?.().then(
      (readings) => {
        piece.readings = readings;
        utterance.words = withAlternatives(utterance.words, readings, feedStartMs);
      },
      (error: unknown) => console.error("No readings:", error),
    );
    if (coming) utterance.coming.push(coming);
  }

  /** Waits for what else it may say, but not for long: it is worth less than an answer without delay. */
  async #settleReadings({ coming, words, pieces }: Utterance): Promise<void> {
    if (coming.length === 0) return;
    const waiting = new AbortController();
    const ms = isUnsure(words, pieces) ? readingsPatienceMs.unsure : readingsPatienceMs.sure;
    const patience = this.#options.clock.sleep(ms, waiting.signal).catch(() => undefined);
    await Promise.race([Promise.all(coming), patience]);
    waiting.abort();
  }

  #read(utterance: Utterance, text: string): void {
    if (text === utterance.text) return;
    utterance.text = text;
    if (text !== "")
      this.#options.log.append({ type: "utterance_partial", utterance_id: utterance.id, text });
  }

  async #end(utterance: Utterance, reason: UtteranceEndReason, facts: UtteranceEnd): Promise<void> {
    const { endMs, nowMs, turnEnd } = facts;
    await this.#settle(utterance);
    await this.#settleReadings(utterance);
    this.#takeOwnWords(utterance);
    this.#options.wake?.utteranceEnded(nowMs, utterance.settledText !== "");
    const startMs = Math.round(utterance.startMs);
    const head = { start_ms: startMs, end_ms: Math.round(endMs) };
    const command = await this.#command(utterance, endMs - startMs);
    const text = utterance.settledText || (command ?? "");
    const signs = await this.#signs(reason, endMs - startMs);
    const measured = signs !== null && { speech_signs: signs };
    if (text === "") {
      const payload = { ...head, reason, ...measured };
      this.#options.log.append({ type: "info", message: sttInfo.noWords, payload });
      return;
    }
    this.#tellTime();
    this.#options.log.append({
      type: "utterance_final",
      utterance_id: utterance.id,
      text: this.#options.punctuate?.(text) ?? text,
      reason,
      ...head,
      ...confidenceOf(utterance.words),
      words: utterance.words,
      ...alternativesOf(utterance),
      ...(command !== null && { command }),
      ...(turnEnd !== undefined && { turn_end: turnEnd }),
      ...measured,
    });
  }

  /** Its readings as they stand on the session's clock; none of what a second look changed: it knew better. */
  #readingsOf({ pieces }: Utterance): Reading[] {
    return pieces.flatMap(({ readings, startMs, instead }) =>
      instead === undefined ? readings.map((reading) => later(reading, startMs)) : [],
    );
  }

  #takeOwnWords(utterance: Utterance): void {
    const heard = utterance.words;
    // A text of more than its words cannot be put together again.
    if (textOf(heard) !== utterance.settledText) return;
    utterance.words = this.#options.rescoring?.withOwnWords(heard, this.#readingsOf(utterance)) ?? heard;
    utterance.settledText = textOf(utterance.words);
  }

  async #command({ settledText, words }: Utterance, speechMs: number): Promise<string | null> {
    const heard = words.map(({ word, start_ms, end_ms, confidence }) => ({
      ...{ word, startMs: start_ms, endMs: end_ms, confidence },
    }));
    return (
      (await this.#options.commands?.utteranceEnded({ text: settledText, words: heard }, speechMs)) ?? null
    );
  }

  /** Who holds a key while they speak means it, and does not wait for this. */
  async #signs(reason: UtteranceEndReason, speechMs: number): Promise<SpeechSigns | null> {
    return (await this.#options.signs?.utteranceEnded(reason === "released" ? 0 : speechMs)) ?? null;
  }

  /** The times of an utterance are read by this clock. */
  #tellTime(): void {
    const epoch_ms = this.#options.timeNews();
    if (epoch_ms === null) return;
    this.#options.log.append({ type: "info", message: sttInfo.audioStarted, payload: { epoch_ms } });
  }
}

const textOf = (words: readonly RecognisedWord[]) => words.map(({ word }) => word).join(" ");

/** The same with its times so much later. */
function later(reading: Reading, ms: number): Reading {
  const words = reading.words.map(({ word, startMs, endMs }) => ({
    ...{ word, startMs: startMs + ms, endMs: endMs + ms },
  }));
  return { ...reading, words };
}

function joinText(before: string, after: string): string {
  return before === "" || after === "" ? before + after : `${before} ${after}`;
}

/** The words with their times on the session's clock. */
function wordsOf({ words }: Recognised, feedStartMs: number): RecognisedWord[] {
  return words.map(({ word, startMs, endMs, confidence }) => ({
    word,
    start_ms: Math.round(feedStartMs + startMs),
    end_ms: Math.round(feedStartMs + endMs),
    ...(confidence !== undefined && { confidence }),
  }));
}

/** The mean over the words of which something is known. */
function confidenceOf(words: RecognisedWord[]): { confidence?: number } {
  const known = words.flatMap(({ confidence }) => confidence ?? []);
  if (known.length === 0) return {};
  return { confidence: known.reduce((sum, one) => sum + one, 0) / known.length };
}

/** Of an utterance that the recogniser is not sure of, what else it may be as a whole. */
function alternativesOf({ words, pieces, settledText }: Utterance): { alternatives?: string[] } {
  if (!isUnsure(words, pieces)) return {};
  const alternatives = wholeReadings(pieces, settledText).slice(0, maxAlternatives);
  return alternatives.length > 0 ? { alternatives } : {};
}
