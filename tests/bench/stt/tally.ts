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

/** What is made of a clip where only a part of the pipeline is at work. */
export interface PartTexts {
  /** The recogniser alone, of all of the sound, as loud as the pipeline makes it. */
  louder: string;
  /** The pipeline, of the sound as loud as it is. */
  cut: string;
}

/** Counts wrong words by stage and source, and names those that were lost on the way. */
export class Tally {
  readonly #bySource = new Map<string, Record<Stage | "words", number>>();
  readonly #lost: string[] = [];

  /**
   * @param utterances how many the pipeline made of the clip
   * @param parts asked for only where a word was lost
   */
  async add(
    { name, source, transcript }: Clip,
    texts: StageTexts,
    utterances: number,
    parts: () => Promise<PartTexts>,
  ): Promise<void> {
    for (const key of [source, "all"]) {
      const counts = this.#bySource.get(key) ?? {
        ...{ words: 0, recogniser: 0, bestOf5: 0, bestOf20: 0, rescored: 0, pipeline: 0 },
      };
      for (const stage of stages) counts[stage] += wordErrors(transcript, texts[stage]).errors;
      counts.words += wordErrors(transcript, "").words;
      this.#bySource.set(key, counts);
    }
    const [before, after, rescored] = [texts.recogniser, texts.pipeline, texts.rescored].map((text) =>
      wordsHeard(transcript, text),
    );
    const lost = (after ?? []).flatMap(({ word, isHeard }, index) =>
      !isHeard && before?.[index]?.isHeard ? [{ word, index }] : [],
    );
    if (lost.length === 0) return;
    const { louder, cut } = await parts();
    const [inLouder, inCut] = [wordsHeard(transcript, louder), wordsHeard(transcript, cut)];
    for (const { word, index } of lost) {
      const cause = causeOf({
        utterances,
        byRescoring: !rescored?.[index]?.isHeard,
        byGain: !inLouder[index]?.isHeard,
        byCutting: !inCut[index]?.isHeard,
      });
      this.#lost.push(`${name}: word ${index + 1}, “${word}”: ${cause}`);
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

interface Losses {
  /** How many the pipeline made of the clip. */
  utterances: number;
  /** Whether each of them alone loses the word. */
  byRescoring: boolean;
  byGain: boolean;
  byCutting: boolean;
}

/** What loses a word between the recogniser and the pipeline. */
function causeOf({ utterances, byRescoring, byGain, byCutting }: Losses): string {
  if (utterances === 0) return "no utterance was made of it";
  if (byRescoring) return "rescoring";
  const cutting =
    utterances > 1 ? `cutting into ${utterances} utterances` : "cutting off what is around speech";
  if (byGain && byCutting) return `gain, and ${cutting}: each by itself`;
  if (byGain) return "gain";
  return byCutting ? cutting : `gain with ${cutting}: neither by itself`;
}

const percentOf = (count: number, of: number) => Math.round((1000 * count) / of) / 10;
