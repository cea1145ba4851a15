import { expect, it } from "vitest";
import { readablePage } from "../../../../electron/tools/web/readable-page.ts";

const textOf = async (html: string) =>
  (await readablePage({
    url: new URL("https://example.org/"),
    status: 200,
    contentType: "text/html",
    bytes: Buffer.from(html),
  })) ?? "";

// Each of these took from many seconds to for ever, or ended in an overflow.
it.each([
  ["many lines in deep quotes", `${"<blockquote>".repeat(390)}${"word<br>".repeat(10_000)}`],
  ["many lines of code in quotes", `${"<blockquote>".repeat(100)}<pre>${"word\n".repeat(50_000)}`],
  ["many lines in deep divisions", `${"<div>".repeat(390)}${"word<br>".repeat(10_000)}`],
  ["many lines in many lists", `${"<ul><li>".repeat(140)}${"word<br>".repeat(10_000)}`],
  ["elements whose end may be left out, in each other", `${"<rb>".repeat(5000)}word`],
  ["the same in turn", `${"<li><p>".repeat(5000)}word`],
  ["ends of what is not open", `${"<div></x>".repeat(3000)}word`],
])("%s: the text is there, and is no longer than the page", async (_, html) => {
  const text = await textOf(html);
  expect(text.length).toBeLessThan(html.length);
  expect([...new Set(text.split(/\s+/))]).toEqual(["word"]);
});

it.each([
  ["in each other", `${"<div>".repeat(60)}<h2>Title</h2>${"<ul><li>one".repeat(12)}`],
  [
    "whose end is left out",
    `<h2>Title</h2><ul>${"<li>one<li>two".repeat(1000)}</ul>${"<p>three".repeat(1000)}`,
  ],
  ["of a long table", `<h2>Title</h2><table>${"<tr><td>one<td>two".repeat(2000)}</table>`],
])("an ordinary page with elements %s is Markdown", async (_, html) => {
  expect(await textOf(html)).toMatch(/^## Title\n[\s\S]*one/);
});

it("quotes and lists in each other keep their marks", async () => {
  const text = await textOf(`<blockquote>${"<blockquote><ul><li>".repeat(5)}deep</blockquote>`);
  expect(text).toContain("> > *   > *   > *   > *   > *   deep");
});
