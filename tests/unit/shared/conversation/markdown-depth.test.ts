import type { Nodes } from "mdast";
import { fromMarkdown } from "mdast-util-from-markdown";
import { gfmFromMarkdown } from "mdast-util-gfm";
import { gfm } from "micromark-extension-gfm";
import { expect, it } from "vitest";
import { maxMarkdownDepth, shallowMarkdown } from "../../../../shared/conversation/markdown-depth.ts";
import { markdownTexts } from "../../../../shared/conversation/markdown-texts.ts";
import { endsInTime } from "../../../fixtures/ends-in-time.ts";

const row = (length: number, line: (index: number) => string) =>
  Array.from({ length }, (_, index) => line(index)).join("\n");

const deep = [
  ["lists on a line", `${"- ".repeat(5000)}word`],
  ["numbered lists", `${"1. ".repeat(3000)}word`],
  ["quotes", `${">".repeat(5000)}word`],
  ["quotes and lists in turn", `${"> - 1) + ".repeat(1000)}word`],
  ["lists further in from line to line", row(200, (index) => `${"  ".repeat(index)}- word`)],
  ["the same by tabs", row(200, (index) => `${"\t".repeat(index)}* word`)],
  ["quotes further in from line to line", row(200, (index) => `${"> ".repeat(index)}word`)],
  ["footnotes", `${"[^a]: ".repeat(1000)}word [^a]`],
] as const;

it.each(deep)("%s lie in each other only so deep, and each letter stays at its place", (_, markdown) => {
  const shallow = shallowMarkdown(markdown);
  expect(shallow.length).toBe(markdown.length);
  expect([...shallow.matchAll(/word/g)].map(({ index }) => index)).toEqual(
    [...markdown.matchAll(/word/g)].map(({ index }) => index),
  );
  const containers = (node: Nodes): number =>
    Number(["listItem", "blockquote", "footnoteDefinition"].includes(node.type)) +
    ("children" in node ? Math.max(0, ...node.children.map(containers)) : 0);
  const tree = endsInTime(() =>
    fromMarkdown(shallow, { extensions: [gfm()], mdastExtensions: [gfmFromMarkdown()] }),
  );
  expect(containers(tree)).toBeLessThanOrEqual(maxMarkdownDepth + 2);
});

it.each(deep.slice(0, -1))("what stands in deep %s is found", (_, markdown) => {
  expect(endsInTime(() => markdownTexts(markdown)).at(-1)).toContain("word");
});

it.each([
  ["lists as people write them", row(12, (index) => `${"  ".repeat(index)}- ${index + 1}. > word`)],
  [
    "lines across",
    `- - - - ${"- ".repeat(100)}\n> ${"* ".repeat(200)}\n${"-".repeat(300)}\n${"- ".repeat(99)}-`,
  ],
  ["code far to the right", `\`\`\`\n${" ".repeat(300)}a - b > c\n\`\`\``],
  ["a long row of numbers", "1. ".repeat(20) + "2.5 ".repeat(500)],
])("%s stay as they are", (_, markdown) => {
  expect(shallowMarkdown(markdown)).toBe(markdown);
});

it.each([
  ["quote marks", ">".repeat(60)],
  ["quote marks apart", "> ".repeat(60)],
  ["dashes", `${"- ".repeat(60)}x`],
  ["dashes with tabs", `${"-\t".repeat(60)}x`],
  ["numbers", `${"1. ".repeat(60)}x`],
  ["footnotes", `${"[^a]: ".repeat(60)}x`],
])("code of many %s is read as it was written", (_, line) => {
  expect(markdownTexts(`Before\n\n\`\`\`\n${line}\n\`\`\`\n\n> - \`\`\`\n>   ${line}\n>   \`\`\``)).toEqual([
    "Before",
    line,
    line,
  ]);
});

it("what is too deep to be a list or a quote is read as it was written", () => {
  expect(markdownTexts(`${"- ".repeat(60)}word`).join("")).toMatch(/^(?:- )+word$/);
  expect(markdownTexts(`${"> ".repeat(60)}word`).join("")).toMatch(/^(?:> )+word$/);
});

it("any text takes time in proportion to it", () => {
  for (const part of [" ", ">", "- ", "\n- ", "1", "[^", "[^a]:", "[^a", "\t", "-", "* -"]) {
    const text = part.repeat(400_000);
    expect(endsInTime(() => shallowMarkdown(text)).length).toBe(text.length);
  }
});
