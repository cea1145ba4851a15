import type { SpeechRequest, SpeechSamples } from "../../../shared/voice/speech.ts";
import type { Speech, SpeechSynthesiser } from "./speech-synthesiser.ts";

type Order = Extract<SpeechRequest, { type: "make" }>;

export interface SpeechGeneratorOptions {
  /** @throws Error for a voice that cannot be had */
  open(voice: string, language: string): Promise<SpeechSynthesiser>;
  send(samples: SpeechSamples): void;
  fail(order: Order, error: unknown): void;
  /** Speaks in the place of a voice that cannot be had. */
  fallback: string;
  /** Told once a voice: it cannot be had, and another one speaks. */
  onFallback(order: Order, error: unknown): void;
}

/** Speech that was made lately, for what is said again. */
const maxKept = 24;

/** Makes what was ordered, one after the other; what was cancelled meanwhile is neither made nor sent. */
export class SpeechGenerator {
  readonly #options: SpeechGeneratorOptions;
  readonly #voices = new Map<string, Promise<SpeechSynthesiser>>();
  readonly #kept = new Map<string, Speech>();
  /** Voices that could not be had when they were wanted last. */
  readonly #missing = new Set<string>();
  #orders: Order[] = [];
  #cancelled = 0;
  #isBusy = false;

  constructor(options: SpeechGeneratorOptions) {
    this.#options = options;
  }

  make(order: Order): void {
    this.#orders.push(order);
    if (!this.#isBusy) void this.#work();
  }

  /** Drops what was ordered of this turn and those before it. */
  cancel(turn: number): void {
    this.#cancelled = Math.max(this.#cancelled, turn);
    this.#orders = this.#orders.filter((order) => order.turn > this.#cancelled);
  }

  async #work(): Promise<void> {
    this.#isBusy = true;
    for (let order = this.#orders.shift(); order; order = this.#orders.shift()) {
      const { turn, id } = order;
      try {
        const { pcm, sampleRateHz } = await this.#speech(order);
        if (turn > this.#cancelled) this.#options.send({ type: "samples", turn, id, pcm, sampleRateHz });
      } catch (error) {
        if (turn > this.#cancelled) this.#options.fail(order, error);
      }
      // Making blocks this thread: a cancel that came meanwhile must get in.
      await new Promise((resolve) => setImmediate(resolve));
    }
    this.#isBusy = false;
  }

  async #speech(order: Order): Promise<Speech> {
    const { voice, speaker, language, rate, text } = order;
    const key = `${voice} ${speaker} ${language} ${rate} ${text}`;
    const known = this.#kept.get(key);
    const speech = known ?? (await (await this.#voiceOf(order)).synthesise(text, rate, speaker));
    this.#kept.delete(key);
    this.#kept.set(key, speech);
    const [oldest] = this.#kept.keys();
    if (this.#kept.size > maxKept && oldest !== undefined) this.#kept.delete(oldest);
    return speech;
  }

  async #voiceOf(order: Order): Promise<SpeechSynthesiser> {
    const { fallback, onFallback } = this.#options;
    try {
      const voice = await this.#voice(order.voice, order.language);
      this.#missing.delete(order.voice);
      return voice;
    } catch (error) {
      if (order.voice === fallback) throw error;
      if (!this.#missing.has(order.voice)) onFallback(order, error);
      this.#missing.add(order.voice);
      return await this.#voice(fallback, order.language);
    }
  }

  #voice(name: string, language: string): Promise<SpeechSynthesiser> {
    const key = `${name} ${language}`;
    const known = this.#voices.get(key);
    if (known) return known;
    const opened = this.#options.open(name, language);
    this.#voices.set(key, opened);
    // What could not be opened may be there the next time.
    opened.catch(() => this.#voices.delete(key));
    return opened;
  }
}
