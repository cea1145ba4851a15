import { expect, test } from "vitest";
import { soundsOf } from "../../../../shared/voice/phonemes.ts";
import { readySounds, soundDistance } from "../../../../shared/voice/sound-distance.ts";

const apart = (one: string, other: string) =>
  soundDistance(readySounds(soundsOf(one)), readySounds(soundsOf(other)));

test.each([
  ["knight", "nYt"],
  ["phone", "fon"],
  ["Quintessa", "kwintesx"],
  ["write", "rYt"],
  ["Mirelle", "mirel"],
  ["unique", "unik"],
  ["Müller", "mulR"],
  ["Wałęsa", "walesx"],
  ["Иванов", "ivanov"],
  ["Жуковский", "Zukovskiy"],
  ["Παπαδόπουλος", "papaTopulos"],
  ["東京", "東京"],
  ["", ""],
])("%s sounds like %s", (word, sounds) => {
  expect(soundsOf(word)).toBe(sounds);
});

test("what sounds alike is near, whatever its spelling, and what does not is far", () => {
  expect(apart("night", "knight")).toBe(0);
  expect(apart("fone", "phone")).toBe(0);
  expect(apart("Pelmarch", "pell march")).toBeLessThan(0.1);
  expect(apart("Braxwell", "bricks well")).toBeLessThan(0.15);
  expect(apart("Lydia", "later")).toBeGreaterThan(0.3);
  expect(apart("table", "mountain")).toBeGreaterThan(0.5);
  expect(apart("Зорват", "зори вата")).toBeLessThan(0.25);
  expect(apart("Зорват", "мельница")).toBeGreaterThan(0.5);
  expect(apart("東京", "大阪")).toBe(1);
});

test("the distance is the same both ways, from 0 to 1, and a limit only cuts off what is beyond it", () => {
  const words = [
    "",
    "a",
    "Zorvath",
    "sore bath",
    "Kubernetes",
    "cooper nettie's",
    "the",
    "supercalifragilistic",
  ];
  for (const one of words) {
    for (const other of words) {
      const [first, second] = [readySounds(soundsOf(one)), readySounds(soundsOf(other))];
      const distance = soundDistance(first, second);
      expect(distance).toBeCloseTo(soundDistance(second, first), 9);
      expect(distance).toBeGreaterThanOrEqual(0);
      expect(distance).toBeLessThanOrEqual(1);
      const limited = soundDistance(first, second, 0.3);
      expect(limited).toBeCloseTo(distance <= 0.3 ? distance : Math.max(limited, distance), 9);
    }
  }
});
