import { frameMs, frameSamples, type SpokenOver, sampleRateHz } from "../../../shared/voice/stt.ts";
import type { OverFrame } from "../audio/audio-source.ts";
import { grammarRecogniser, plainPhrase } from "./grammar.ts";
import type { Recogniser, RecogniserModel } from "./recogniser.ts";

/** Below this mean confidence it was rather something alike. */
const minConfidence = 0.9;
/** What Parley played is looked at with less doubt: there it is loud and clear. */
const minOwnConfidence = 0.3;
/** An echo comes no later than this after the sound, nor earlier than it by more than the recogniser is out. Milliseconds. */
const echoMs = { from: -250, to: 900 };
/** So much of what was played is kept to compare: a phrase and its echo. */
const keptSamples = 2.5 * sampleRateHz;
/** Frames recognised at a time. */
const feedFrames = 2;
/** A word that was not sure yet is heard again from so many frames before, and asked about so many later. */
const againFrames = 30;
const patienceFrames = 4;
/** After so much that was nothing it begins anew, in a quiet moment or at the latest after twice as much. Samples. */
const freshSamples = 4 * sampleRateHz;
/** What is louder than an echo begins with a word, or as long as it takes to be sure of that before, and lasts so many frames at least. */
const nearFrames = { slack: 8, least: 3 };
/** Frames of which that is kept. */
const keptNears = 64;
/** Mean size of the samples, of 32,768. */
const quietBelow = 100;

/** A phrase that somebody said. `of`: the stream that it was heard in. */
export interface SpottedPhrase {
  phrase: string;
  of: Exclude<SpokenOver, "played">;
  confidence: number;
}

/**
 * Listens for a few phrases, such as "stop", in what a microphone hears while Parley speaks: in each of its streams by a
 * recogniser that knows nothing else. What is left of an echo does not count, whatever it sounds like, nor what Parley says
 * itself at that moment: only where a phrase was heard what was played is looked at, too.
 */
export class StopSpotter {
  readonly #phrases: readonly string[];
  readonly #streams: Readonly<Record<SpottedPhrase["of"], PhraseStream>>;
  readonly #own: Recogniser;
  #played: Int16Array[] = [];

  private constructor(model: RecogniserModel, phrases: readonly string[]) {
    this.#phrases = phrases;
    const stream = () => new PhraseStream(grammarRecogniser(model, phrases), phrases);
    this.#streams = { cancelled: stream(), cleaned: stream() };
    this.#own = grammarRecogniser(model, phrases);
  }

  /** @returns null where the model cannot tell any of the phrases */
  static of(model: RecogniserModel, phrases: readonly string[]): StopSpotter | null {
    const { listened } = heardPhrases(model, phrases);
    return listened.length === 0 ? null : new StopSpotter(model, listened);
  }

  /** @returns what was said just now; null for nothing */
  async hear(frame: OverFrame): Promise<SpottedPhrase | null> {
    const { of } = frame;
    if (of === "played") {
      this.#keep(frame);
      return null;
    }
    const said = await this.#streams[of].hear(frame);
    if (!said || (await this.#isOwn(said))) return null;
    return { phrase: said.phrase, of, confidence: said.confidence };
  }

  dispose(): void {
    for (const stream of Object.values(this.#streams)) stream.dispose();
    this.#own.dispose();
  }

  #keep({ pcm, isFirst }: OverFrame): void {
    const most = Math.ceil(keptSamples / frameSamples);
    this.#played = isFirst ? [pcm] : [...this.#played.slice(1 - most), pcm];
  }

  /** Whether Parley said it at that time, or something that sounds like any of the phrases. */
  async #isOwn({ agoMs }: Said): Promise<boolean> {
    if (this.#played.length === 0) return false;
    let samples = 0;
    for (const pcm of this.#played) {
      await this.#own.accept(pcm);
      samples += pcm.length;
    }
    const { words } = await this.#own.finish();
    const known = new Set(this.#phrases.flatMap((phrase) => phrase.split(" ")));
    return words.some(({ word, confidence = 0, endMs }) => {
      const lateMs = toMs(samples) - endMs - agoMs;
      return (
        known.has(word) && confidence >= minOwnConfidence && lateMs >= echoMs.from && lateMs <= echoMs.to
      );
    });
  }
}

/** `agoMs`: its end, before the last sample; `lengthMs`: how long it took. */
interface Said {
  phrase: string;
  confidence: number;
  agoMs: number;
  lengthMs: number;
}

/** One stream, with a recogniser of its own. */
class PhraseStream {
  readonly #recogniser: Recogniser;
  readonly #phrases: readonly string[];
  #frames: Int16Array[] = [];
  /** The latest ones that were recognised: a word that was asked about before it was over is heard again with its end. */
  #latest: Int16Array[] = [];
  /** Frames until it may be asked about again. */
  #patience = 0;
  #samples = 0;
  /** Of the latest frames, whether they hold more than an echo. */
  #nears: boolean[] = [];

  constructor(recogniser: Recogniser, phrases: readonly string[]) {
    this.#recogniser = recogniser;
    this.#phrases = phrases;
  }

  async hear({ pcm, isFirst, isNear }: OverFrame): Promise<Said | null> {
    if (isFirst && this.#samples > 0) await this.#finish();
    if (isFirst) this.#latest = [];
    this.#nears = [...(isFirst ? [] : this.#nears.slice(1 - keptNears)), isNear];
    this.#frames.push(pcm);
    if (this.#frames.length < feedFrames) return null;
    const frames = this.#frames.splice(0);
    this.#latest = [...this.#latest, ...frames].slice(-againFrames);
    this.#patience = Math.max(0, this.#patience - frames.length);
    const text = await this.#accept(frames);
    if (this.#patience === 0 && this.#phrases.some((phrase) => holds(text, phrase))) {
      const said = await this.#finish();
      if (said) this.#latest = [];
      else await this.#accept(this.#latest);
      this.#patience = patienceFrames;
      return said;
    }
    const isLong = this.#samples >= freshSamples * (isQuiet(pcm) ? 1 : 2);
    return isLong ? await this.#finish() : null;
  }

  dispose(): void {
    this.#recogniser.dispose();
  }

  async #accept(frames: readonly Int16Array[]): Promise<string> {
    let text = "";
    for (const frame of frames) {
      text = await this.#recogniser.accept(frame);
      this.#samples += frame.length;
    }
    return text;
  }

  /** @returns the last of the phrases that was surely said */
  async #finish(): Promise<Said | null> {
    const { words } = await this.#recogniser.finish();
    const totalMs = toMs(this.#samples);
    this.#samples = 0;
    this.#frames = [];
    let said: Said | null = null;
    for (const phrase of this.#phrases) {
      const parts = phrase.split(" ");
      for (const [at] of words.entries()) {
        const found = words.slice(at, at + parts.length);
        if (found.map(({ word }) => word).join(" ") !== phrase) continue;
        const confidence = found.reduce((sum, word) => sum + (word.confidence ?? 0), 0) / found.length;
        const agoMs = totalMs - (found.at(-1)?.endMs ?? totalMs);
        const lengthMs = totalMs - agoMs - (found[0]?.startMs ?? 0);
        const now = { phrase, confidence, agoMs, lengthMs };
        const isLatest = agoMs < (said?.agoMs ?? Number.POSITIVE_INFINITY);
        if (confidence >= minConfidence && isLatest && this.#wasNear(now)) said = now;
      }
    }
    return said;
  }

  /** Whether there was more than an echo while it was said. */
  #wasNear({ agoMs, lengthMs }: Said): boolean {
    const frames = Math.ceil((agoMs + lengthMs) / frameMs);
    const until = Math.max(0, Math.floor(agoMs / frameMs) - nearFrames.slack);
    const nears = this.#nears.slice(-frames, until === 0 ? undefined : -until);
    return nears.filter((isNear) => isNear).length >= nearFrames.least;
  }
}

const toMs = (samples: number) => (samples * 1000) / sampleRateHz;
const holds = (text: string, phrase: string) => ` ${text} `.includes(` ${phrase} `);
const isQuiet = (pcm: Int16Array) =>
  pcm.reduce((sum, sample) => sum + Math.abs(sample), 0) < quietBelow * pcm.length;

/** Which of these phrases the model can listen for, as it writes them, and which it cannot. */
export function heardPhrases(
  model: RecogniserModel,
  phrases: readonly string[],
): { listened: string[]; unknown: string[] } {
  const plain = [...new Set(phrases.map(plainPhrase))].filter((phrase) => phrase !== "");
  const listened = plain.filter((phrase) => model.createGrammarRecogniser && isKnown(model, phrase));
  return { listened, unknown: plain.filter((phrase) => !listened.includes(phrase)) };
}

function isKnown(model: RecogniserModel, phrase: string): boolean {
  return phrase.split(" ").every((word) => model.knowsWord?.(word) ?? true);
}
