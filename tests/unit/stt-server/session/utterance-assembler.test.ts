import { expect, test } from "vitest";
import type {
  Reading,
  Recognised,
  Recogniser,
} from "../../../../electron/stt-server/recognisers/recogniser.ts";
import {
  readingsPatienceMs,
  UtteranceAssembler,
} from "../../../../electron/stt-server/session/utterance-assembler.ts";
import type { SpeechSigns } from "../../../../shared/voice/stt.ts";
import { ManualClock } from "../manual-clock.ts";

/** Hears one word, and tells what else it may be when the test says so. */
class LateReadings implements Recogniser {
  readonly #confidence: number;
  #resolve: (readings: Reading[]) => void = () => {};
  readonly #latest = new Promise<Reading[]>((resolve) => {
    this.#resolve = resolve;
  });

  constructor(confidence: number) {
    this.#confidence = confidence;
  }

  accept = async () => "bored";
  finish = async (): Promise<Recognised> => ({
    text: "bored",
    words: [{ word: "bored", startMs: 0, endMs: 400, confidence: this.#confidence }],
  });
  readings = () => this.#latest;
  tell = () =>
    this.#resolve(
      ["bored", "boat"].map((word, cost) => ({
        ...{ text: word, cost },
        words: [{ word, startMs: 0, endMs: 400 }],
      })),
    );
  dispose = () => {};
}

/** @returns the event of the utterance, of a word that is sure to this degree and whose readings come so late */
async function finalOf(confidence: number, lateMs: number): Promise<unknown> {
  const clock = new ManualClock();
  const recogniser = new LateReadings(confidence);
  const events: { type: string }[] = [];
  const assembler = new UtteranceAssembler({
    ...{ recogniser, clock, newUtteranceId: () => "u1", timeNews: () => null },
    log: { append: (event) => events.push(event) },
  });
  assembler.begin(0);
  await assembler.feed(new Int16Array(6400), 0);
  const ended = assembler.end("endpoint", { endMs: 400, nowMs: 900, turnEnd: undefined });
  await expect.poll(() => clock.sleeping).toBe(1);
  clock.advance(lateMs);
  await new Promise((resolve) => setImmediate(resolve));
  recogniser.tell();
  await ended;
  return events.find(({ type }) => type === "utterance_final");
}

test("a doubtful word waits for its readings, and not for ever", async () => {
  expect(await finalOf(0.3, readingsPatienceMs.unsure - 1)).toMatchObject({ alternatives: ["boat"] });
  expect(await finalOf(0.3, readingsPatienceMs.unsure)).not.toHaveProperty("alternatives");
});

test("a word that is sure keeps nobody waiting", async () => {
  const { sure, unsure } = readingsPatienceMs;
  expect(sure).toBeLessThan(unsure);
  expect(await finalOf(1, sure)).toMatchObject({ text: "bored" });
});

/** Hears no words in anything. */
const wordless: Recogniser = {
  accept: async () => "",
  finish: async () => ({ text: "", words: [] }),
  dispose: () => {},
};

test.each([
  ["endpoint", 500],
  ["released", 0],
] as const)("a sound without words that ends by %s is measured for %i ms", async (reason, expectedMs) => {
  const signs: SpeechSigns = { sound_ms: 400, voiced_share: 0.9, voiced_ms: 300 };
  const measured: number[] = [];
  const events: { type: string }[] = [];
  const assembler = new UtteranceAssembler({
    ...{ recogniser: wordless, clock: new ManualClock(), newUtteranceId: () => "u1", timeNews: () => null },
    log: { append: (event) => events.push(event) },
    signs: {
      keep: () => {},
      utteranceEnded: async (speechMs) => {
        measured.push(speechMs);
        return speechMs > 0 ? signs : null;
      },
      dispose: () => {},
    },
  });
  assembler.begin(0);
  await assembler.feed(new Int16Array(6400), 0);
  await assembler.end(reason, { endMs: 500, nowMs: 900, turnEnd: undefined });
  expect(measured).toEqual([expectedMs]);
  const payload = { start_ms: 0, end_ms: 500, reason, ...(expectedMs > 0 && { speech_signs: signs }) };
  expect(events).toEqual([{ type: "info", message: "no_words", payload }]);
});
