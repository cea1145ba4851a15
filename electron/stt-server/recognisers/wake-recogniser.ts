import { sampleRateHz } from "../../../shared/voice/stt.ts";
import { plainPhrase } from "./grammar.ts";
import type { Reading, Recognised, Recogniser } from "./recogniser.ts";

/** After what was said last, silence so long makes the session wait for the wake phrase again. */
export const followUpMs = 8000;
/** Sound kept while asleep: what follows the phrase in the same breath is recognised from it. */
const maxKeptSamples = 10 * sampleRateHz;
/** Below this mean confidence the phrase was rather something alike. */
const minConfidence = 0.5;

/** What a transcriber tells of its utterances, on the session's clock in milliseconds. */
export interface WakeGate {
  tick(nowMs: number): void;
  utteranceEnded(nowMs: number, hadText: boolean): void;
}

export interface WakeOptions {
  phrase: string;
  /** Knows the phrase and nothing else. */
  grammar: Recogniser;
  free: Recogniser;
  onChange: (state: "awake" | "asleep") => void;
}

/** Says nothing until the wake phrase is heard; then recognises what follows it, until it is quiet for a while. */
export class WakeRecogniser implements Recogniser, WakeGate {
  readonly #options: WakeOptions;
  readonly #phrase: string[];
  #awake = false;
  #inUtterance = false;
  #nowMs = 0;
  #sleepAtMs = 0;
  /** What was given since the utterance or its latest pause. */
  #kept: Int16Array[] = [];
  #keptSamples = 0;
  #latest: Promise<Reading[]> = Promise.resolve([]);
  /** Milliseconds of it that the free recogniser was not given. */
  #skippedMs = 0;

  constructor(options: WakeOptions) {
    this.#options = options;
    this.#phrase = plainPhrase(options.phrase).split(" ");
  }

  async accept(pcm: Int16Array): Promise<string> {
    this.#inUtterance = true;
    if (this.#awake) return this.#options.free.accept(pcm);
    this.#keep(pcm);
    const text = await this.#options.grammar.accept(pcm);
    if (!contains(text.split(" "), this.#phrase)) return "";
    return this.#wake(await this.#options.grammar.finish());
  }

  async finish(): Promise<Recognised> {
    // The last words of an utterance may come out only now.
    if (!this.#awake) await this.#wake(await this.#options.grammar.finish());
    const skippedMs = this.#skippedMs;
    this.#forget();
    this.#latest = Promise.resolve([]);
    if (!this.#awake) return { text: "", words: [] };
    const { free } = this.#options;
    const { text, words, secondChoice } = await free.finish();
    this.#latest = (free.readings?.() ?? this.#latest).then((readings) =>
      readings.map((reading) => ({ ...reading, words: later(reading.words, skippedMs) })),
    );
    const second = secondChoice && { ...secondChoice, words: later(secondChoice.words, skippedMs) };
    return { text, words: later(words, skippedMs), ...(second && { secondChoice: second }) };
  }

  tick(nowMs: number): void {
    this.#nowMs = nowMs;
    if (!this.#awake || this.#inUtterance || nowMs < this.#sleepAtMs) return;
    this.#awake = false;
    this.#options.onChange("asleep");
  }

  utteranceEnded(nowMs: number, hadText: boolean): void {
    this.#inUtterance = false;
    // A cough keeps nobody awake.
    if (hadText) this.#sleepAtMs = nowMs + followUpMs;
  }

  expectWords(hotWords: readonly string[]): void {
    this.#options.free.expectWords?.(hotWords);
  }

  readings(): Promise<Reading[]> {
    return this.#latest;
  }

  dispose(): void {
    this.#options.grammar.dispose();
    this.#options.free.dispose();
  }

  /** @returns what is recognised of the sound after the phrase, if the phrase is in `heard` */
  async #wake(heard: Recognised): Promise<string> {
    const end = phraseEndMs(heard, this.#phrase);
    if (end === null) {
      this.#forget();
      return "";
    }
    this.#awake = true;
    this.#sleepAtMs = this.#nowMs + followUpMs;
    this.#options.onChange("awake");
    const kept = this.#kept;
    const from = Math.min(this.#keptSamples, Math.round((end * sampleRateHz) / 1000));
    this.#skippedMs = (from * 1000) / sampleRateHz;
    this.#forgetSound();
    let text = "";
    let at = 0;
    for (const pcm of kept) {
      const rest = pcm.subarray(Math.max(0, Math.min(pcm.length, from - at)));
      at += pcm.length;
      if (rest.length > 0) text = await this.#options.free.accept(rest);
    }
    return text;
  }

  #keep(pcm: Int16Array): void {
    if (this.#keptSamples + pcm.length > maxKeptSamples) return;
    this.#kept.push(pcm);
    this.#keptSamples += pcm.length;
  }

  #forgetSound(): void {
    this.#kept = [];
    this.#keptSamples = 0;
  }

  #forget(): void {
    this.#forgetSound();
    this.#skippedMs = 0;
  }
}

function later<T extends { startMs: number; endMs: number }>(words: readonly T[], ms: number): T[] {
  return words.map((word) => ({ ...word, startMs: word.startMs + ms, endMs: word.endMs + ms }));
}

function contains(words: string[], phrase: string[]): boolean {
  return indexOf(words, phrase) >= 0;
}

function indexOf(words: string[], phrase: string[]): number {
  return words.findIndex((_, at) => phrase.every((word, index) => words[at + index] === word));
}

/** Where the phrase ends in what was heard; null when it is not in it. */
function phraseEndMs({ words }: Recognised, phrase: string[]): number | null {
  const at = indexOf(
    words.map(({ word }) => word),
    phrase,
  );
  const said = at < 0 ? [] : words.slice(at, at + phrase.length);
  const confidence = said.reduce((sum, word) => sum + (word.confidence ?? 0), 0) / phrase.length;
  return said.length > 0 && confidence >= minConfidence ? (said.at(-1)?.endMs ?? null) : null;
}
