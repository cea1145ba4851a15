import type { Reading, RecogniserModel } from "../../../electron/stt-server/recognisers/recogniser.ts";
import { Rescoring } from "../../../electron/stt-server/rescoring/rescoring.ts";
import { GainControl } from "../../../shared/voice/gain-control.ts";
import { frameSamples, type RecognisedWord } from "../../../shared/voice/stt.ts";
import { finalsOf } from "../../integration/stt/stt-client.ts";
import { embeddedModel, hearAll, joinPcm } from "../../integration/stt/stt-in-process.ts";
import type { PartTexts } from "./tally.ts";

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

  /** @returns what the recogniser alone hears of the sound as loud as the pipeline makes it, and the pipeline of it as loud as it is */
  async parts(pcm: Int16Array): Promise<PartTexts> {
    const gain = new GainControl();
    const louder: Int16Array[] = [];
    for (let at = 0; at < pcm.length; at += frameSamples) {
      louder.push(gain.apply(pcm.subarray(at, at + frameSamples)));
    }
    const events = await hearAll(this.#model, { source: "file", path: "clip.wav" }, () => [pcm], {
      hasGainControl: true,
    });
    return {
      louder: (await this.hear(joinPcm(louder))).first,
      cut: finalsOf(events)
        .map(({ text }) => text)
        .join(" "),
    };
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
