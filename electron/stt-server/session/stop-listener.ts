import { sttInfo } from "../../../shared/voice/stt.ts";
import type { OverFrame } from "../audio/audio-source.ts";
import type { RecogniserModel } from "../recognisers/recogniser.ts";
import { heardPhrases, StopSpotter } from "../recognisers/stop-spotter.ts";
import type { SessionLog } from "./session-log.ts";

/** Frames that may wait to be recognised, some two seconds of three streams: what comes while there are more is lost. */
const maxWaitingFrames = 200;

export interface StopListenerOptions {
  model: RecogniserModel;
  phrases: readonly string[];
  /** The session is muted, or waits for a key: nothing is heard. */
  isDeaf(): boolean;
  log: Pick<SessionLog, "append">;
}

/**
 * Tells in the session's log that a word to stop was said over what Parley says, past everything that the session's
 * utterances go through. Its recognisers are made when Parley speaks for the first time.
 */
export class StopListener {
  readonly #options: StopListenerOptions;
  readonly #waiting: OverFrame[] = [];
  #spotter: StopSpotter | null | undefined;
  #working: Promise<void> | null = null;
  #isOver = false;

  constructor(options: StopListenerOptions) {
    this.#options = options;
  }

  /** Makes the recognisers now: the model may be gone later. */
  prepare(): void {
    const { model, phrases } = this.#options;
    if (phrases.length > 0) this.#spotter = StopSpotter.of(model, phrases);
  }

  /** Says which of the phrases it listens for, where there are any. */
  tell(): void {
    const { model, phrases, log } = this.#options;
    if (phrases.length === 0) return;
    const name = model.createGrammarRecogniser ? model.name : null;
    const payload = { ...heardPhrases(model, phrases), model: name };
    log.append({ type: "info", message: sttInfo.stopWords, payload });
  }

  hear(frame: OverFrame): void {
    if (this.#options.isDeaf()) return;
    if (this.#isOver || this.#options.phrases.length === 0 || this.#waiting.length >= maxWaitingFrames)
      return;
    this.#waiting.push(frame);
    this.#working ??= this.#work().finally(() => {
      this.#working = null;
    });
  }

  /** Done when what is being recognised was. */
  async end(): Promise<void> {
    this.#isOver = true;
    await this.#working;
    this.#spotter?.dispose();
    this.#spotter = null;
  }

  async #work(): Promise<void> {
    const { model, phrases, log } = this.#options;
    try {
      if (this.#spotter === undefined) this.#spotter = StopSpotter.of(model, phrases);
      for (let frame = this.#waiting.shift(); frame && !this.#isOver; frame = this.#waiting.shift()) {
        const said = await this.#spotter?.hear(frame);
        if (!said) continue;
        const payload = { phrase: said.phrase, heard_in: said.of, confidence: said.confidence };
        log.append({ type: "info", message: sttInfo.stopWord, payload });
      }
    } catch (error) {
      // Without it the words of an utterance still stop.
      console.error("No words to stop:", error);
      this.#isOver = true;
    }
  }
}
