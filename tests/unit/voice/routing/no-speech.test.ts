import { readFileSync } from "node:fs";
import { resolve } from "node:path";
import { describe, expect, test } from "vitest";
import { isNoSpeech } from "../../../../electron/voice/routing/no-speech.ts";
import type { SpeechSigns } from "../../../../electron/voice/stt/voice-events.ts";

/** What was measured of real coughs, animals, things and digits, where the recogniser made words of them. */
const measured = readFileSync(
  resolve(import.meta.dirname, "../../../fixtures/audio/short-sounds.tsv"),
  "utf8",
)
  .trim()
  .split("\n")
  .slice(1)
  .map((line) => {
    const [said = "", text = "", confidence, share, voicedMs, sure, closed = "-"] = line.split("\t");
    const signs: SpeechSigns = {
      ...{ voicedShare: Number(share), voicedMs: Number(voicedMs), sureShare: Number(sure) },
      closed: closed === "-" ? null : closed,
    };
    return { said, text, confidence: Number(confidence), signs };
  });
const noises = ["cough", "effect"];
const ofNoise = measured.filter(({ said }) => noises.includes(said));
const ofPeople = measured.filter(({ said }) => !noises.includes(said));

describe("of real sounds", () => {
  test("nearly all coughs and other noises are not speech", () => {
    expect(ofNoise.length).toBeGreaterThan(40);
    expect(ofNoise.filter((sound) => !isNoSpeech(sound, false)).map(({ text }) => text)).toEqual([
      // Coughs.
      ...["cool", "it", "the", "the congress"],
      // A ghost that howls, and a voice behind music: they have the pitch of a voice.
      ...["who", "excellent"],
    ]);
  });

  test("digits that six people said are speech, and each that was heard right is", () => {
    expect(ofPeople.length).toBeGreaterThan(200);
    const lost = ofPeople.filter((sound) => isNoSpeech(sound, false));
    expect(lost.length / ofPeople.length).toBeLessThan(0.04);
    expect(lost.filter(({ said, text }) => said === text)).toEqual([]);
  });

  test("where a short word is expected fewer of them are dropped", () => {
    const dropped = (isExpected: boolean) => measured.filter((sound) => isNoSpeech(sound, isExpected)).length;
    expect(dropped(true)).toBeLessThan(dropped(false));
  });
});

/** A cough that was heard as “yeah”. */
const cough: SpeechSigns = { voicedShare: 0.2, voicedMs: 60, sureShare: 0.2, closed: null };
const heard = (text: string, confidence: number | null, signs: Partial<SpeechSigns> | null) =>
  isNoSpeech({ text, confidence, signs: signs && { ...cough, ...signs } }, false);

test("nothing is dropped without signs", () => {
  expect(heard("yeah", 0.4, null)).toBe(false);
  expect(isNoSpeech({ text: "yeah", confidence: 0.4 }, false)).toBe(false);
});

test("the sound of a voice is speech, whatever the words are", () => {
  const clear = { voicedShare: 0.9, voicedMs: 300, sureShare: 0.9 };
  expect(heard("yeah", 0.3, clear)).toBe(false);
  // A soft vowel, of which the detector is hardly sure.
  expect(heard("oh", 0.5, { ...clear, sureShare: 0.08 })).toBe(false);
});

test("a horn and a bee have the pitch of a voice, and the detector is sure of no moment of them", () => {
  const horn = { voicedShare: 1, voicedMs: 250, sureShare: 0, closed: null };
  expect(heard("he", 0.97, horn)).toBe(true);
  expect(heard("yeah the", 0.37, { ...horn, voicedMs: 660, closed: "yep" })).toBe(true);
  // Said softly.
  expect(heard("sorry", 0.7, { ...horn, voicedMs: 550, closed: "sorry" })).toBe(false);
  expect(heard("hurry up", 0.76, { ...horn, voicedMs: 270 })).toBe(true);
});

test("what the detector is never sure of is not speech without the pitch of a voice, though the recogniser of short answers hears the same", () => {
  const half = { voicedShare: 0.6, voicedMs: 120, closed: "hello" };
  expect(heard("hello", 0.8, { ...half, sureShare: 0 })).toBe(true);
  expect(heard("hello", 0.8, { ...half, sureShare: 0.2 })).toBe(false);
  // A cough with the pitch of a voice.
  const pitch = { ...half, voicedShare: 0.84, voicedMs: 180 };
  expect(heard("hello", 0.47, { ...pitch, sureShare: 0 })).toBe(true);
  expect(heard("hello", 0.7, { ...pitch, sureShare: 0 })).toBe(false);
  // Somebody was asked.
  const yes = { ...cough, voicedShare: 0.6, voicedMs: 120, sureShare: 0, closed: "yes" };
  expect(isNoSpeech({ text: "yes", confidence: 0.8, signs: yes }, true)).toBe(false);
});

test("a vowel counts though a fan has most of the sound", () => {
  const besideFan = { voicedShare: 0.25, sureShare: 0.6 };
  expect(heard("six", 0.6, { ...besideFan, voicedMs: 60 })).toBe(true);
  expect(heard("six", 0.7, { ...besideFan, voicedMs: 160 })).toBe(false);
});

test("a hoarse sentence is speech if the recogniser is sure of it, an unsure one is not", () => {
  expect(heard("what time is it", 0.9, {})).toBe(false);
  expect(heard("what time is it", 0.8, {})).toBe(true);
  expect(heard("oh oh oh", 0.9, {})).toBe(true);
  expect(heard("what time is it", null, {})).toBe(true);
  // Whispered, for a recogniser that does not say how sure it is.
  const whispered = { voicedShare: 0, voicedMs: 0, sureShare: 0.5 };
  expect(heard("what time is it", null, whispered)).toBe(false);
  expect(heard("yeah", null, whispered)).toBe(true);
});

test("laughter is not speech, however clear its sound is; a word that somebody repeats is", () => {
  const clear = { voicedShare: 0.98, voicedMs: 170, sureShare: 0.9 };
  for (const laugh of ["he he he", "Ha ha ha!", "up up up up up"])
    expect(heard(laugh, 0.97, clear)).toBe(true);
  for (const said of ["no no no", "stop stop stop", "he he", "wait wait wait", "up up up down"])
    expect(heard(said, 0.97, clear)).toBe(false);
  // Nobody measures what is long.
  expect(heard("oh oh oh oh", 0.73, null)).toBe(true);
  // With the key to talk held nothing is taken for noise.
  expect(isNoSpeech({ text: "ha ha ha", confidence: 0.97, reason: "released", signs: cough }, false)).toBe(
    false,
  );
  expect(isNoSpeech({ text: "ha ha ha", confidence: 0.97 }, true)).toBe(false);
});

test("repeated words of noise are one, and an answer that is heard twice needs more doubts", () => {
  const unclear = { voicedShare: 0.4, voicedMs: 60, sureShare: 0.9 };
  expect(heard("oh oh", 0.6, { ...unclear, closed: null })).toBe(true);
  expect(heard("oh oh", 0.6, { ...unclear, closed: "oh" })).toBe(false);
  expect(heard("thank you", 0.9, { ...unclear, closed: null })).toBe(false);
});

test("in a language without a recogniser of short answers only sound and confidence count", () => {
  expect(heard("ja", 0.9, { closed: undefined, sureShare: 0.9 })).toBe(false);
  expect(heard("ja", 0.3, { closed: undefined })).toBe(true);
});

test("a server that does not say how sure its detector is has the other signs", () => {
  expect(heard("the", 0.5, { sureShare: null })).toBe(true);
  expect(heard("the", 0.5, { sureShare: null, voicedShare: 0.7 })).toBe(false);
});
