import type { Reading, RecogniserModel } from "../../../electron/stt-server/recognisers/recogniser.ts";
import { Rescoring } from "../../../electron/stt-server/rescoring/rescoring.ts";
import type { RecognisedWord } from "../../../shared/voice/stt.ts";
import { embeddedModel } from "../../integration/stt/stt-in-process.ts";

const pieceSamples = 1536;

/** The recogniser alone: hears every sample of a recording, and nothing decides what it is given. */
export class WholeRecogniser {
  readonly #model: RecogniserModel;

  private constructor(model: RecogniserModel) {
    this.#model = model;
  }

  static async load(): Promise<WholeRecogniser> {
    return new WholeRecogniser(await embeddedModel());
  }

  /** @returns its first choice, and its readings, likeliest first */
  async hear(pcm: Int16Array): Promise<{
    first: string;
    readings: string[];
    rescored: string;
    words: RecognisedWord[];
    ways: Reading[];
  }> {
    const recogniser = this.#model.createRecogniser();
    const rescoring = new Rescoring(this.#model, {});
    for (let at = 0; at < pcm.length; at += pieceSamples) {
      const piece = pcm.subarray(at, at + pieceSamples);
      rescoring.keep(piece);
      await recogniser.accept(piece);
    }
    const first = await recogniser.finish();
    const readings = (await recogniser.readings?.()) ?? [];
    const rescored = await rescoring.pieceHeard(first);
    recogniser.dispose();
    rescoring.dispose();
    return {
      first: first.text,
      readings: readings.map(({ text }) => text),
      rescored: rescored.text,
      words: first.words.map(({ word, startMs, endMs, confidence }) => ({
        ...{ word, start_ms: startMs, end_ms: endMs, confidence },
      })),
      ways: readings,
    };
  }
}
