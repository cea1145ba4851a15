import { EventEmitter, once } from "node:events";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, onTestFinished, test, vi } from "vitest";
import { openFlite } from "../../../electron/voice/tts/flite.ts";
import { SpeechGenerator } from "../../../electron/voice/tts/speech-generator.ts";
import type { SpeechSamples } from "../../../shared/voice/speech.ts";
import { embeddedVoices } from "../../../shared/voice/speech.ts";

const sentence = "The quick brown fox jumps over the lazy dog.";
const seconds = (speech: { pcm: Int16Array; sampleRateHz: number }) =>
  speech.pcm.length / speech.sampleRateHz;
const rms = (pcm: Int16Array) =>
  Math.sqrt(pcm.reduce((sum, sample) => sum + (sample / 0x8000) ** 2, 0) / pcm.length);

test.each(embeddedVoices)("the voice %s speaks: audible, about as long as a person takes", async (name) => {
  const speech = await (await openFlite(name)).synthesise(sentence, 1);
  expect(rms(speech.pcm)).toBeGreaterThan(0.02);
  expect(seconds(speech)).toBeGreaterThan(1.8);
  expect(seconds(speech)).toBeLessThan(4.5);
});

test("the rate makes it shorter and longer", async () => {
  const voice = await openFlite("slt");
  const plain = seconds(await voice.synthesise(sentence, 1));
  expect(seconds(await voice.synthesise(sentence, 1.5)) / plain).toBeCloseTo(1 / 1.5, 1);
  expect(seconds(await voice.synthesise(sentence, 0.75)) / plain).toBeCloseTo(1 / 0.75, 1);
});

test("letters and signs that the voice does not know do not stop it", async () => {
  const voice = await openFlite("slt");
  const speech = await voice.synthesise("-t Café “naïve” — 東京 … 50 %", 1);
  expect(rms(speech.pcm)).toBeGreaterThan(0.02);
});

// Bug: within some dozen sentences the process crashed, in the app as in this file.
test("speaks on and on", async () => {
  const voice = await openFlite("slt");
  for (let count = 0; count < 40; count++) {
    expect(seconds(await voice.synthesise(sentence, 1))).toBeGreaterThan(1.8);
  }
});

// Bug: killed in the middle of a sentence, the process left the file that it wrote the speech to.
test("what is said is in no file: no folder for one is needed", async () => {
  vi.stubEnv("TMPDIR", join(tmpdir(), "there", "is", "none"));
  onTestFinished(() => {
    vi.unstubAllEnvs();
  });
  const speech = await (await openFlite("slt")).synthesise("Hello.", 1);
  expect(rms(speech.pcm)).toBeGreaterThan(0.02);
});

/** A maker with the real voice, and what it told. */
function startMaker() {
  const told = new EventEmitter();
  const sent: SpeechSamples[] = [];
  const failed: number[] = [];
  let made = 0;
  const maker = new SpeechGenerator({
    // None either.
    fallback: "none",
    onFallback: () => {},
    open: async (name) => {
      if (name !== "slt") throw new Error("no such voice");
      const voice = await openFlite("slt");
      return {
        synthesise: (text, rate) => {
          made += 1;
          return voice.synthesise(text, rate);
        },
      };
    },
    send: (samples) => {
      sent.push(samples);
      told.emit(`sent ${samples.id}`);
    },
    fail: ({ id }) => {
      failed.push(id);
      told.emit(`failed ${id}`);
    },
  });
  const order = (turn: number, id: number, text: string, voice = "slt") =>
    maker.make({ type: "make", turn, id, text, voice, rate: 1, speaker: 0, language: "en" });
  return { maker, order, sent, failed, told, made: () => made };
}

test("sentences are made in the order they were asked for; a cancelled turn's are neither made nor sent", async () => {
  const { maker, order, sent, told, made } = startMaker();
  for (const id of [1, 2, 3]) order(1, id, `Number ${id}.`);
  const first = once(told, "sent 1");
  await first;
  maker.cancel(1);
  const last = once(told, "sent 5");
  order(2, 4, "After that.");
  order(2, 5, "And that.");
  await last;
  expect(sent.map(({ id }) => id)).toEqual([1, 4, 5]);
  // The one that was being made when the word came is finished, and not sent.
  expect(made()).toBeLessThanOrEqual(4);
});

test("what is said again is not made again", async () => {
  const { order, sent, told, made } = startMaker();
  const both = once(told, "sent 2");
  order(1, 1, sentence);
  order(1, 2, sentence);
  await both;
  expect(made()).toBe(1);
  expect(sent[0]?.pcm).toEqual(sent[1]?.pcm);
});

test("a voice that is not there fails its sentence, and the next one is made", async () => {
  const { order, sent, failed, told } = startMaker();
  const next = once(told, "sent 2");
  order(1, 1, "One.", "nobody");
  order(1, 2, "Two.");
  await next;
  expect(failed).toEqual([1]);
  expect(sent.map(({ id }) => id)).toEqual([2]);
});
