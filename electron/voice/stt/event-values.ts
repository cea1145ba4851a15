import { isWordless } from "./heard-words.ts";

/** The values of speech servers that write them in their own way: percent, seconds, other names. Pure, all of it. */

/** A number, or its digits. */
function numberIn(value: unknown): number | undefined {
  const read = typeof value === "string" && value.trim() !== "" ? Number(value) : value;
  return typeof read === "number" && Number.isFinite(read) ? read : undefined;
}

/** What floating-point sums may come to beyond 1. */
const roundingError = 0.001;

/**
 * A confidence, 0–1. From 2 to 100 it is percent. undefined: unknown, as what is beyond that, negative or no number; and 0, because no
 * recogniser writes down what it is sure not to have heard.
 */
export function confidenceOf(value: unknown): number | undefined {
  const percent = typeof value === "string" ? /^\s*([\d.]+)\s*%\s*$/.exec(value)?.[1] : undefined;
  const number = percent === undefined ? numberIn(value) : Number(percent) / 100;
  if (number === undefined || number <= 0 || number > 100) return undefined;
  if (number <= 1 + roundingError) return Math.min(1, number);
  return number >= 2 ? number / 100 : undefined;
}

/** No utterance and no word is so short, in milliseconds: such times are seconds, if they have fractions. */
const shortestMs = 60;
/** No utterance is so long, in seconds: such times without a unit are milliseconds, if they have no fractions. */
const longestSeconds = 60;

interface Times {
  start_ms: number | undefined;
  end_ms: number | undefined;
}

/** When something was said, in milliseconds, by whatever names and in whatever unit; undefined: not known. */
export function timesOf(raw: Readonly<Record<string, unknown>>): Times {
  const named = (...names: string[]) =>
    names.map((name) => numberIn(raw[name])).find((value) => value !== undefined);
  const [startMs, endMs] = [named("start_ms"), named("end_ms")];
  const [start, end] = [startMs ?? named("start", "start_time"), endMs ?? named("end", "end_time")];
  const hasFraction = [start, end].some((value) => value !== undefined && !Number.isInteger(value));
  const lasts = (end ?? 0) - (start ?? 0);
  const isMs =
    startMs !== undefined || endMs !== undefined
      ? !hasFraction || lasts <= 0 || lasts >= shortestMs
      : !hasFraction && lasts >= longestSeconds;
  const ms = (value: number | undefined) => {
    if (value === undefined || value < 0) return undefined;
    return isMs ? value : Math.round(value * 1000);
  };
  return { start_ms: ms(start), end_ms: ms(end) };
}

/**
 * The words of an utterance. One whose times are not told has those of all of it; names of sounds are none.
 * @param utterance that they are of, as it came @returns undefined: there is no list
 */
export function wordsOf(words: unknown, utterance: Readonly<Record<string, unknown>>): object[] | undefined {
  if (!Array.isArray(words)) return undefined;
  const { start_ms = 0, end_ms = start_ms } = timesOf(utterance);
  return words.flatMap((one) => {
    const raw: Record<string, unknown> = typeof one === "object" && one !== null ? { ...one } : { word: one };
    const word = raw.word ?? raw.text;
    if (typeof word !== "string" || word === "" || (/^[<[(*]/.test(word) && isWordless(word))) return [];
    const { alternatives } = raw;
    const own = timesOf(raw);
    return [
      {
        word,
        start_ms: own.start_ms ?? start_ms,
        end_ms: own.end_ms ?? end_ms,
        confidence: confidenceOf(raw.confidence ?? raw.probability ?? raw.score),
        ...(Array.isArray(alternatives) && {
          alternatives: alternatives.map(textOf).filter((text) => typeof text === "string"),
        }),
      },
    ];
  });
}

/** Some tell a confidence with a reading. */
const textOf = (reading: unknown): unknown =>
  typeof reading === "object" && reading !== null && "text" in reading ? reading.text : reading;
