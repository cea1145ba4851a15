import { describe, expect, it } from "vitest";
import { maxUtteranceChars, plainText, plainTexts } from "../../../../electron/voice/stt/plain-text.ts";

const plain = (text: string) => plainText(text, 1000);

// Bug: what a server wrote that is invisible, or turns the direction of reading, came into prompts and to the model.
describe("a server's text", () => {
  it.each([
    ["a right-to-left override", "open \u202Eelif\u202C", "open elif"],
    ["isolates", "\u2066open\u2069 it\u2068", "open it"],
    ["marks of direction", "\u200Eopen\u200F it", "open it"],
    ["line ends and controls", "a\r\nb\u2028c\u0085d\u0000e", "a b c d e"],
    ["zero width", "o\u200Bp\u2060e\uFEFFn\u00AD", "open"],
    ["joiners in Latin", "o\u200Dp\u200Cen", "open"],
    ["half pairs", "a\uD83Db\uDE00", "ab"],
    ["tags", "hi\u{E0041}\u{E0042}", "hi"],
    ["selectors that hide data", "a\uFE00\uFE01\uFE02\u{E0100}\u{E0101}", "a\uFE00"],
    ["fillers", "a\u3164\u115F", "a"],
  ])("has no %s", (_, text, wanted) => {
    expect(plain(text)).toBe(wanted);
  });

  it.each([
    ["Persian", "می\u200Cخواهم"],
    ["Hindi", "क्\u200Dष क्\u200Cष"],
    ["Malayalam", "ന്\u200D"],
    ["a family", "👩\u200D👩\u200D👧"],
    ["a heart", "❤\uFE0F\u200D🔥 👍🏽"],
    ["marks and Thai", "café ดี停 한글"],
    ["two spaces of Japanese", "一\u3000二"],
  ])("stays as it is in %s", (_, text) => {
    expect(plain(text)).toBe(text);
  });

  it("ends at its limit, and cuts no sign in two", () => {
    expect(plainText("abcdef", 4)).toBe("abc…");
    expect(plainText("ab😀def", 4)).toBe("ab…");
    expect(plainText("abcd", 4)).toBe("abcd");
  });

  it("is read so at any depth; ids go back as they came, and words may be long", () => {
    const text = "a".repeat(maxUtteranceChars);
    expect(
      plainTexts({ session_id: "s\u202E", devices: [{ id: " x\u200B", name: "M\u202Eic\n" }], text, n: 1 }),
    ).toEqual({ session_id: "s\u202E", devices: [{ id: " x\u200B", name: "Mic" }], text, n: 1 });
    expect(plainTexts({ message: text })).toEqual({ message: `${"a".repeat(1999)}…` });
  });
});
