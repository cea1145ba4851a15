import { expect, test, vi } from "vitest";
import { SpeechText } from "../../../../shared/voice/speech-text.ts";

const read = vi.hoisted(() => ({ chars: 0 }));

vi.mock("../../../../shared/voice/spoken-markdown.ts", async (original) => {
  const real = await original<typeof import("../../../../shared/voice/spoken-markdown.ts")>();
  return {
    spokenSegments: (markdown: string) => {
      read.chars += markdown.length;
      return real.spokenSegments(markdown);
    },
  };
});

/** In deltas of so many characters as models send. */
const deltas = (markdown: string) => markdown.match(/[\s\S]{1,12}/g) ?? [];

// Bug: each line of a long list or of code was parsed again with all lines before it: the main process stood still for minutes.
test.each([
  ["a list", `${"- The item is good. And more of it.\n".repeat(150)}\nDone. Yes.`, "And more of it."],
  ["code", `\`\`\`js\n${"a = b.c; // Hello. Yes\n".repeat(150)}\`\`\`\n\nDone. Yes.`, "A code block."],
])("%s is not read again for each of its lines", (_name, markdown, before) => {
  read.chars = 0;
  const speech = new SpeechText();
  const said = [...deltas(markdown).flatMap((delta) => speech.feed(delta)), ...speech.flush()];
  expect(said.slice(-3)).toEqual([before, "Done.", "Yes."]);
  expect(read.chars).toBeLessThan(markdown.length * 15);
});

test("what stands behind code is said as soon as it is known", () => {
  const speech = new SpeechText();
  const code = `\`\`\`\`js\n${"a = b; // Hello. Yes\n\n".repeat(100)}\`\`\`\nc\n\`\`\`\``;
  expect(deltas(code).flatMap((delta) => speech.feed(delta))).toEqual([]);
  expect(speech.feed("\n\nIt is done. Y")).toEqual(["A code block.", "It is done."]);
  expect([...speech.feed("es."), ...speech.flush()]).toEqual(["Yes."]);
});
