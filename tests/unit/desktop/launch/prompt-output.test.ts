import { expect, it } from "vitest";
import { promptPrinter } from "../../../../electron/desktop/launch/prompt-output.ts";
import type { AgentEvent } from "../../../../shared/conversation/events.ts";

function printed(text: string, { json = false, isTerminal = true } = {}) {
  const out: string[] = [];
  const tell = promptPrinter({ print: (each) => out.push(each), say: () => {}, isTerminal }, json);
  const content = [{ type: "text", text }];
  tell({
    type: "event",
    event: { type: "message.added", message: { role: "assistant", content } } as AgentEvent,
  });
  return out.join("");
}

it.each([
  ["an order to the terminal", "a\u001b[2Jb\u009b2Jc\u0000d", "abcd"],
  ["a turn of the direction of reading", "gpj.\u202eexe", "gpj.⟨U+202E⟩exe"],
  ["an isolate", "\u2066a\u2069", "⟨U+2066⟩a⟨U+2069⟩"],
  ["a blank without width", "pay\u200bpal\ufeff!", "pay⟨U+200B⟩pal⟨U+FEFF⟩!"],
  ["tags, which spell text", "hi\u{e0068}\u{e0069}", "hi⟨U+E0068⟩⟨U+E0069⟩"],
  ["variants, which can spell text", "hi\u{e0101}", "hi⟨U+E0101⟩"],
  ["a line end that is none to a terminal", "a\u2028b", "a⟨U+2028⟩b"],
])("on a terminal %s is taken out or named", (_, text, shown) => {
  expect(printed(text)).toBe(`${shown}\n`);
});

it.each(["👩‍👩‍👧 ❤️", "می‌خواهم", "a\tb\nc", "日本語 🇯🇵"])("%j stays what it is on a terminal", (text) => {
  expect(printed(text)).toBe(`${text}\n`);
});

it("a pipe gets the words as they are", () => {
  expect(printed("a\u001b[2J\u202e", { isTerminal: false })).toBe("a\u001b[2J\u202e\n");
});

it("as JSON they are the same words, without anything that a terminal would take for an order, or hide", () => {
  const text = "\u007f\u0080\u009b2J\u009d0;title\u009c\u200b\u202e\u2028\ufeff\u{e0068}\u{e0101}é日🇯🇵";
  const line = printed(text, { json: true });
  expect(JSON.parse(line).message.content[0].text).toBe(text);
  expect(line).not.toMatch(/[\u007f-\u009f\p{Cf}\u2028]|[\u{e0100}-\u{e01ef}]/u);
  expect(line).toContain("é日🇯🇵");
});
