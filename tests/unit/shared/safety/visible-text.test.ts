import fc from "fast-check";
import { expect, test } from "vitest";
import { visibleText } from "../../../../shared/safety/visible-text.ts";

test.each([
  ["plain, größe, 日本語, 🙂, a\tb\nc", "plain, größe, 日本語, 🙂, a\tb\nc"],
  ["\x1b[31mred\x1b[0m", "␛[31mred␛[0m"],
  ["a\rb\x07\x00", "a␍b␇␀"],
  ["\x7f\x9b", "␡⟨U+009B⟩"],
  ["\u202egnp.exe\u2066\u200f", "⟨U+202E⟩gnp.exe⟨U+2066⟩⟨U+200F⟩"],
  ["a\u200bb\u00adc\ufeff", "a⟨U+200B⟩b⟨U+00AD⟩c⟨U+FEFF⟩"],
  ["a\u00a0b\u3000c\u2028d", "a⟨U+00A0⟩b⟨U+3000⟩c⟨U+2028⟩d"],
  ["\u{e0041}\u3164\u034f\ufe0f", "⟨U+E0041⟩⟨U+3164⟩⟨U+034F⟩⟨U+FE0F⟩"],
])("%j is shown as %j", (text, shown) => {
  expect(visibleText(text)).toBe(shown);
});

test("nothing that acts or hides is left, whatever the text", () => {
  fc.assert(
    fc.property(fc.string({ unit: "binary" }), (text) => {
      expect(visibleText(text)).not.toMatch(/[^\P{C}\n\t\p{Cn}]|[\p{Zl}\p{Zp}]/u);
    }),
  );
});
