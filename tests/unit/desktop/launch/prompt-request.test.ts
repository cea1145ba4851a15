import { expect, test } from "vitest";
import { plainText, promptPrinter } from "../../../../electron/desktop/launch/prompt-output.ts";
import { parsePrompt } from "../../../../electron/desktop/launch/prompt-request.ts";
import type { Message } from "../../../../shared/conversation/messages.ts";

const parse = (...words: string[]) => parsePrompt(words, (path) => `/here/${path}`);

test("a prompt, with all that can be said of it, in any order", () => {
  const bare = { level: null, folder: null, reference: null };
  expect(parse("--quick")).toBeNull();
  expect(parse("-p", "--help me")).toEqual({ request: { ...bare, text: "--help me" }, json: false });
  expect(parse("--json", "--cwd=a", "--prompt", "Hi", "--level", "work", "--continue", " x ")).toEqual({
    request: { text: "Hi", level: "work", folder: "/here/a", reference: "x" },
    json: true,
  });
});

test.each([
  [["-p"], "-p needs the words of a prompt."],
  [["-p", " "], "-p needs the words of a prompt."],
  [["-p", "a", "-p", "b"], "-p stands twice."],
  [["-p", "a", "--level", "all"], '--level is look, ask or work, not "all".'],
  [["-p", "a", "--cwd"], "--cwd needs a folder."],
  [["-p", "a", "--continue", "--json"], "--continue needs a conversation."],
  [["-p", "a", "b"], 'What is "b"?'],
  [["-p", "a", "--quick"], 'What is "--quick"?'],
  [["-p", "a".repeat(200_000)], "That is too long."],
])("%j is refused: %s", (words, said) => {
  expect(parse(...words)).toBe(said);
});

// Bug: it broke the start, before there was anybody to say why.
test("a folder as seen from one that is gone is refused in words", () => {
  const absolute = () => {
    throw new Error("ENOENT: no such file or directory, uv_cwd");
  };
  const said = "The current folder is gone: --cwd needs a path from the root.";
  expect(parsePrompt(["-p", "Hi", "--cwd", "here"], absolute)).toBe(said);
});

test("nothing that a terminal takes for an order is left of a text", () => {
  const esc = "\u001b";
  expect(plainText(`a${esc}[31mb${esc}[0m\tc\nd${esc}]0;title\u0007e\rf\u009b2Jg\u0000h\u007f`)).not.toMatch(
    // biome-ignore lint/suspicious/noControlCharactersInRegex: they are what is looked for
    /[\u0000-\u0008\u000b-\u001f\u007f-\u009f]/,
  );
  expect(plainText("a\tb\nc ü 🙂")).toBe("a\tb\nc ü 🙂");
});

test("words of a reply are cleaned for a terminal only; events stay events", () => {
  const message: Message = {
    id: "m",
    role: "assistant",
    origin: null,
    source: null,
    content: [{ type: "text", text: "\u001b[1mYes\u001b[0m" }],
    createdAt: 1,
  };
  const event = { id: 1, conversationId: "c", at: 1, type: "message.added" as const, message };
  const shown = (isTerminal: boolean, json: boolean) => {
    const out: string[] = [];
    const print = promptPrinter(
      { print: (text) => out.push(text), say: (text) => out.push(`!${text}`), isTerminal },
      json,
    );
    print({ type: "event", event });
    print({ type: "ended", code: 1, said: "No\u001b[2J." });
    return out;
  };
  expect(shown(true, false)).toEqual(["Yes\n", "!parley: No.\n"]);
  expect(shown(false, false)).toEqual(["\u001b[1mYes\u001b[0m\n", "!parley: No.\n"]);
  expect(JSON.parse(shown(true, true)[0] ?? "")).toEqual(event);
});
