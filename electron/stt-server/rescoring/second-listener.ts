import { alignedWords } from "../../../shared/voice/aligned-words.ts";
import { soundsOf } from "../../../shared/voice/phonemes.ts";
import type { Clock } from "../clock.ts";
import type {
  Reading,
  ReadingsListener,
  Recognised,
  RecognisedPart,
  Recogniser,
} from "../recognisers/recogniser.ts";
import { spreadWords } from "../recognisers/sherpa-words.ts";
import { isInPlaceOf } from "./alternatives.ts";
import { plainWord } from "./plain-word.ts";

/** Longest that what was recognised waits for the second listener. Milliseconds. */
const patienceMs = 250;
/** How sure a word is that the second listener heard, too; that only its other readings have; that none has. */
const sureness = { heard: 1, possible: 0.75, unheard: 0.5 };
/** What the second listener heard is less likely than what was recognised by this much. */
const otherCost = 1;

export interface SecondListenerOptions {
  first: Recogniser;
  second: ReadingsListener;
  /** Whether the second one could have heard the word. */
  knowsWord(word: string): boolean;
  clock: Clock;
}

/**
 * A recogniser that tells neither when each word was said nor how sure it is of it, and another one, which tells readings,
 * beside it. The words are the first one's; their times are the second one's, and they are doubtful where the second one heard
 * something else. Nobody asks it before the end, and where it cannot follow the words are as the first one has them.
 */
export class SecondListener implements Recogniser {
  readonly #options: SecondListenerOptions;
  #latest: Reading[] = [];

  constructor(options: SecondListenerOptions) {
    this.#options = options;
  }

  async accept(pcm: Int16Array): Promise<string> {
    const { first, second } = this.#options;
    const [text] = await Promise.all([first.accept(pcm), second.accept(pcm)]);
    return text;
  }

  async finish(): Promise<Recognised> {
    const { first, second } = this.#options;
    const hearing = second.finish().catch((error: unknown) => {
      console.error("No second listener:", error);
      return [];
    });
    const heard = await first.finish();
    const readings = await this.#soon(hearing);
    this.#latest = [];
    const [best] = readings;
    if (!best || best.words.length === 0 || heard.text === "") return heard;
    const words = comparedWords(heard.words, readings, this.#options.knowsWord);
    const own = {
      text: heard.text,
      cost: 0,
      words: words.map(({ word, ...times }) => ({ ...times, word: plainWord(word) })),
    };
    this.#latest = [own, ...readings.map((reading) => ({ ...reading, cost: reading.cost + otherCost }))];
    return { text: heard.text, words, secondChoice: { text: best.text, words: best.words } };
  }

  async readings(): Promise<Reading[]> {
    return this.#latest;
  }

  expectWords(hotWords: readonly string[]): void {
    this.#options.first.expectWords?.(hotWords);
  }

  dispose(): void {
    this.#options.first.dispose();
    this.#options.second.free();
  }

  async #soon(hearing: Promise<Reading[]>): Promise<Reading[]> {
    const waiting = new AbortController();
    const late = this.#options.clock.sleep(patienceMs, waiting.signal).then(
      () => [],
      () => hearing,
    );
    const readings = await Promise.race([hearing, late]);
    waiting.abort();
    return readings;
  }
}

/**
 * The words with the times of those that the second listener heard in their place, and how sure they are.
 * @param knowsWord what the second listener cannot write it cannot contradict
 */
export function comparedWords(
  words: readonly RecognisedPart[],
  readings: readonly Reading[],
  knowsWord: (word: string) => boolean,
): RecognisedPart[] {
  const best = readings[0]?.words ?? [];
  const keys = words.map(({ word }) => plainWord(word));
  const pairs = alignedWords(
    keys,
    best.map(({ word }) => word),
  );
  const compared: RecognisedPart[] = [];
  let [at, otherAt] = [0, 0];
  for (const [pairAt, pairOther] of [...pairs, [words.length, best.length] as const]) {
    compared.push(
      ...differing(
        words.slice(at, pairAt),
        best.slice(otherAt, pairOther),
        {
          startMs: best[otherAt - 1]?.endMs ?? 0,
          endMs: best[pairOther]?.startMs ?? best.at(-1)?.endMs ?? 0,
        },
        { readings, knowsWord },
      ),
    );
    const [word, other] = [words[pairAt], best[pairOther]];
    if (word && other) compared.push(timed(word, other, sureness.heard));
    [at, otherAt] = [pairAt + 1, pairOther + 1];
  }
  return compared;
}

interface Others {
  readings: readonly Reading[];
  knowsWord(word: string): boolean;
}

/** Words in whose place the second listener heard others. */
function differing(
  words: readonly RecognisedPart[],
  others: Reading["words"],
  between: { startMs: number; endMs: number },
  { readings, knowsWord }: Others,
): RecognisedPart[] {
  if (words.length === 0) return [];
  const span = {
    startMs: others[0]?.startMs ?? between.startMs,
    endMs: Math.max(others.at(-1)?.endMs ?? between.endMs, others[0]?.startMs ?? between.startMs),
  };
  const text = words.map(({ word }) => word).join(" ");
  const isSpelling = soundsOf(text) === soundsOf(others.map(({ word }) => word).join(" "));
  const places = spreadWords(text, span);
  return words.map((word, index) => {
    const place = places[index] ?? word;
    const key = plainWord(word.word);
    const isHeard = isSpelling || readings.some((reading) => holds(reading, key, place));
    if (isSpelling) return timed(word, place, sureness.heard);
    if (isHeard) return timed(word, place, sureness.possible);
    const isKnown = !/\p{N}/u.test(key) && knowsWord(key);
    return timed(word, place, isKnown ? sureness.unheard : undefined);
  });
}

const holds = ({ words }: Reading, key: string, { startMs, endMs }: RecognisedPart) =>
  words.some(
    (other) =>
      other.word === key && isInPlaceOf({ start_ms: startMs, end_ms: endMs }, other.startMs, other.endMs),
  );

/** What the first recogniser knows itself counts, too. */
function timed(
  { word, startMs, endMs, confidence }: RecognisedPart,
  place: { startMs: number; endMs: number },
  sure: number | undefined,
): RecognisedPart {
  const isTold = confidence !== undefined;
  const both = [confidence, sure].filter((one) => one !== undefined);
  return {
    word,
    ...(isTold ? { startMs, endMs } : { startMs: place.startMs, endMs: place.endMs }),
    confidence: both.length > 0 ? Math.min(...both) : undefined,
  };
}
