import { beforeEach, expect, test } from "vitest";
import {
  type ReadingsLibrary,
  VoskReadings,
} from "../../../../electron/stt-server/recognisers/vosk-readings.ts";

/** A recogniser that hears a piece of sound when the test says so. */
class SlowLibrary implements ReadingsLibrary {
  readonly #waiting: (() => void)[] = [];
  heardSamples = 0;
  recognizerNew = () => ({});
  recognizerFree = () => {};
  setMaxAlternatives = () => {};
  setWords = () => {};
  giveBackMemory = () => {};
  accept = (_: unknown, pcm: Int16Array) =>
    new Promise<unknown>((resolve) => {
      this.heardSamples += pcm.length;
      this.#waiting.push(() => resolve(0));
    });
  finalResult = async () => JSON.stringify({ alternatives: [{ confidence: 1, text: "so far" }] });

  async hearAll(): Promise<void> {
    for (let idle = 0; idle < 3; idle++) {
      const next = this.#waiting.shift();
      if (next) idle = 0;
      next?.();
      await new Promise((resolve) => setImmediate(resolve));
    }
  }
}

const tenth = new Int16Array(1600);
let library: SlowLibrary;
beforeEach(() => {
  library = new SlowLibrary();
});

test("who speaks is not held up by a computer that is too slow to hear them twice: then there are no readings", async () => {
  const readings = new VoskReadings(library, {}, false);
  for (let tenths = 0; tenths < 30; tenths++) await readings.accept(tenth);
  const finished = readings.finish();
  // What is said next is a piece of its own, from its beginning on.
  const next = readings.accept(tenth);
  await library.hearAll();
  expect(await finished).toEqual([]);
  await next;
  const before = library.heardSamples;
  expect(before).toBeLessThan(1.2 * 16_000);
  const another = readings.finish();
  await library.hearAll();
  expect((await another).map(({ text }) => text)).toEqual(["so far"]);
});

test("a recording waits, and all of it is heard", async () => {
  const readings = new VoskReadings(library, {}, true);
  const given: string[] = [];
  const giving = (async () => {
    for (let tenths = 0; tenths < 30; tenths++) await readings.accept(tenth);
    given.push("all");
  })();
  await Promise.resolve();
  expect(given).toEqual([]);
  await library.hearAll();
  await giving;
  const finished = readings.finish();
  await library.hearAll();
  expect((await finished).map(({ text }) => text)).toEqual(["so far"]);
  expect(library.heardSamples).toBe(30 * 1600);
});
