import { expect, test } from "vitest";
import { plainLetters } from "../../../../electron/voice/tts/plain-letters.ts";

const said = (text: string) => plainLetters(text).replace(/\s+/g, " ").trim();

test.each([
  ["Straße, Łódź, Ærø, Œuvre", "Strasse, Lodz, AEro, OEuvre"],
  ["Café “naïve” — so…", 'Cafe "naive", so...'],
  ["東京", ""],
])("%s is said as %s", (text, words) => {
  expect(said(text)).toBe(words);
});
