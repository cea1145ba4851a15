import { expect, it } from "vitest";
import { pageMarkdown } from "../../../../electron/tools/web/page-markdown.ts";
import { type ReadOptions, readablePage } from "../../../../electron/tools/web/readable-page.ts";
import { pageThread } from "../../../fixtures/page-thread.ts";

const url = new URL("https://example.org/");
const textOf = async (html: string, options: Partial<ReadOptions> = {}) => {
  const page = { url, status: 200, contentType: "text/html", bytes: Buffer.from(html) };
  const signal = new AbortController().signal;
  return (await readablePage(page, { isWhole: false, thread: pageThread, signal, ...options })) ?? "";
};

const slow = `${"<blockquote>".repeat(390)}${"word<br>".repeat(10_000)}`;

it.each([
  ["at once", 1],
  ["while it is read", 1_500],
])(
  "a page that takes longer than its limit, which comes %s, is plain text, line by line",
  async (_, limitMs) => {
    const text = await textOf(`${slow}<p>a &lt; b <b>and</b> c</p><p>d &amp;amp; e</p>`, { limitMs });
    expect(text.startsWith("word\nword\n")).toBe(true);
    expect(text.endsWith("word\na < b and c\nd &amp; e")).toBe(true);
  },
);

it("a page that is too deep to read is plain text", async () => {
  expect(await textOf(`${"<b><i>".repeat(50_000)}word`, { limitMs: 1_000_000 })).toBe("word");
});

it("a page that becomes longer and longer is cut", async () => {
  const text = await textOf(`${"<blockquote>".repeat(120)}${"word<br>".repeat(4_000)}`, {
    limitMs: 1_000_000,
  });
  expect(text.length).toBeLessThan(500_100);
  expect(text.endsWith("\n\n(the page goes on; this is its beginning)")).toBe(true);
});

it("whoever stops does not wait for a page", async () => {
  const stop = new AbortController();
  const text = textOf(slow, { limitMs: 1_000_000, signal: stop.signal });
  stop.abort();
  expect(await text).toContain("word");
});

it.each([
  ["in each other", `${"<div>".repeat(60)}<h2>Title</h2>${"<ul><li>one".repeat(12)}`],
  [
    "whose end is left out",
    `<h2>Title</h2><ul>${"<li>one<li>two".repeat(1000)}</ul>${"<p>three".repeat(1000)}`,
  ],
  ["of a long table", `<h2>Title</h2><table>${"<tr><td>one<td>two".repeat(2000)}</table>`],
  ["with paragraphs in a list", `<h2>Title</h2><ul>${"<li><p>one".repeat(2000)}</ul>`],
  ["with paragraphs in a table", `<h2>Title</h2><table>${"<tbody><tr><td><p>one".repeat(2000)}</table>`],
])("an ordinary page with elements %s is Markdown", (_, html) => {
  expect(pageMarkdown(html, url, false)).toMatch(/^## Title\n[\s\S]*one/);
});

it("the article of a long page whose ends are left out is found", () => {
  const words = "<p>Words enough, with commas, to be <b>an article</b>, which goes on for some more.";
  const html = `<html><body><nav><ul>${"<li>Elsewhere".repeat(50)}</ul></nav><article><h2>Part</h2>${words.repeat(3000)}</article>`;
  const text = pageMarkdown(html, url, false);
  expect(text).toMatch(/^## Part\n\nWords enough, with commas, to be \*\*an article\*\*/);
  expect(text).not.toContain("Elsewhere");
});

it("quotes and lists in each other keep their marks", async () => {
  const text = await textOf(`<blockquote>${"<blockquote><ul><li>".repeat(5)}deep</blockquote>`);
  expect(text).toContain("> > *   > *   > *   > *   > *   deep");
});

it("a page of frames has no text", () => {
  expect(pageMarkdown("<frameset><frame src=a></frameset>", url, false)).toBe("");
});
