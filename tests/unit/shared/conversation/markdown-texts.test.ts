import { expect, it } from "vitest";
import { finderOf } from "../../../../shared/conversation/find-text.ts";
import { markdownFilter, markdownTexts } from "../../../../shared/conversation/markdown-texts.ts";

it.each([
  "the **qu**i_ck_ `f`ox~~es~~ \\*and\\_more <https://a.example/x>, 5 &lt; 6&eacute;",
  "[ma](https://a.example)nual re[ad](<b c> 'd')ing [**x**](y)z [re][1]ad sh[ort]\n\n[1]: u\n[ort]: v",
  "> [q]uote\n> [q]: https://a.example\n\n![pic](p)ture a[^n]b\n\n[^n]: note",
  "\\(x\\)y $z$w \\[a\\]b and $$c$$d, [in\u200Bvisible](https://a.example) n\u00A0b",
  "a `` b ``c d` e `f ` g `",
  "| a**b**c | d\\|e |\n|---|---|\n| `f`g | <b>h</b>i |",
])("the filter lets through whatever is read of %j", (markdown) => {
  for (const block of markdownTexts(markdown)) {
    for (let from = 0; from < block.length; from++) {
      for (let to = from + 1; to <= Math.min(block.length, from + 8); to++) {
        const sought = block.slice(from, to);
        if (finderOf(sought)?.(block).length)
          expect([sought, markdownFilter(sought)(markdown)]).toEqual([sought, true]);
      }
    }
  }
});

it("the filter spares what has not the words, or not the signs", () => {
  const may = markdownFilter("quick fox*");
  expect(may("the **quick** fox\\*")).toBe(true);
  expect(may("the quick fox")).toBe(false);
  expect(may("the *slow* [fox](https://fox.example), arr[0] and `a` too")).toBe(false);
});
