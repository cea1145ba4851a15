import { expect, test } from "vitest";
import { plainLetters } from "../../../../electron/voice/tts/plain-letters.ts";

const said = (text: string) => plainLetters(text).replace(/\s+/g, " ").trim();

// Bug: signs fell out or became others: "a ≠ b" was said as "a = b", "−5" as "5", and "10²" as "102".
test.each([
  ["a ≠ b", "a is not equal to b"],
  ["a =\u0338 b", "a is not equal to b"],
  ["−5 °C, or 23°F", "-5 degrees Celsius, or 23 degrees Fahrenheit"],
  ["an angle of 90° is right", "an angle of 90 degrees is right"],
  ["10² and x³", "10 squared and x cubed"],
  ["10⁻⁶", "10 to the power of -6"],
  ["3 × 4 ÷ 2 ± 1", "3 times 4 divided by 2 plus or minus 1"],
  ["5 ≤ n ≥ 2", "5 at most n at least 2"],
  ["2½ cups, ¾ full", "2 and 1/2 cups, 3/4 full"],
  ["€1,299.50. Or £5", "1,299.50 euros. Or 5 pounds"],
  ["5 € a month", "5 euros a month"],
  ["Straße, Łódź, Ærø, Œuvre", "Strasse, Lodz, AEro, OEuvre"],
  ["Café “naïve” — so…", 'Cafe "naive", so...'],
  ["5 µg", "5 microg"],
  ["東京", ""],
])("%s is said as %s", (text, words) => {
  expect(said(text)).toBe(words);
});
