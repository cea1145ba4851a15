import { wordErrors, wordsHeard } from "../word-errors.ts";
import type { Clip } from "./clips.ts";

/** What each stage made of a clip; of the readings the best one stands for all. */
export interface StageTexts {
  recogniser: string;
  bestOf5: string;
  bestOf20: string;
  rescored: string;
  pipeline: string;
}
type Stage = keyof StageTexts;
const stages: readonly Stage[] = ["recogniser", "bestOf5", "bestOf20", "rescored", "pipeline"];

/** The reading with the fewest wrong words, the first of them where there are several. */
export function bestOf(readings: readonly string[], transcript: string): string {
  const errors = readings.map((reading) => wordErrors(transcript, reading).errors);
  return readings[errors.indexOf(Math.min(...errors))] ?? "";
}

/** Counts wrong words by stage and source, and names those that were lost on the way. */
export class Tally {
  readonly #bySource = new Map<string, Record<Stage | "words", number>>();
  readonly #lost: string[] = [];

  /** @param utterances how many the pipeline made of the clip */
  add({ name, source, transcript }: Clip, texts: StageTexts, utterances: number): void {
    for (const key of [source, "all"]) {
      const counts = this.#bySource.get(key) ?? {
        ...{ words: 0, recogniser: 0, bestOf5: 0, bestOf20: 0, rescored: 0, pipeline: 0 },
      };
      for (const stage of stages) counts[stage] += wordErrors(transcript, texts[stage]).errors;
      counts.words += wordErrors(transcript, "").words;
      this.#bySource.set(key, counts);
    }
    const before = wordsHeard(transcript, texts.recogniser);
    for (const [index, { word, isHeard }] of wordsHeard(transcript, texts.pipeline).entries()) {
      if (isHeard || !before[index]?.isHeard) continue;
      this.#lost.push(`${name}: word ${index + 1}, “${word}”: ${reasonOf(texts, utterances)}`);
    }
  }

  /** Per cent of words that are wrong, by source and stage; the words that the pipeline lost beyond the recogniser. */
  get report() {
    const werPercentBySource = Object.fromEntries(
      [...this.#bySource].map(([source, { words, ...counts }]) => [
        source,
        { words, ...Object.fromEntries(stages.map((stage) => [stage, percentOf(counts[stage], words)])) },
      ]),
    );
    return { werPercentBySource, lostByPipeline: this.#lost };
  }
}

/** Why a word may be lost between the recogniser and the pipeline, as far as the clip's texts tell. */
function reasonOf({ recogniser, rescored, pipeline }: StageTexts, utterances: number): string {
  if (utterances === 0) return "no utterance was made of it";
  if (utterances > 1) return `cut into ${utterances} utterances`;
  if (rescored !== recogniser) return "rescoring";
  return recogniser.split(" ").length > pipeline.split(" ").length
    ? "its sound was left out"
    : "the sound that the recogniser got was louder, or began or ended elsewhere";
}

const percentOf = (count: number, of: number) => Math.round((1000 * count) / of) / 10;
