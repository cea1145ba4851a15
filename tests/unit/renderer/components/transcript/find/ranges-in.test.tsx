// @vitest-environment happy-dom
import { createRoot } from "react-dom/client";
import { expect, it } from "vitest";
import { NearContext } from "../../../../../../renderer/components/transcript/code/near-context.ts";
import { rangesIn, textsIn } from "../../../../../../renderer/components/transcript/find/ranges-in.ts";
import { Markdown } from "../../../../../../renderer/components/transcript/markdown/Markdown.tsx";
import { mathPlugins } from "../../../../../../renderer/components/transcript/markdown/math-plugins.ts";
import { markdownTexts } from "../../../../../../shared/conversation/markdown-texts.ts";
import { act } from "../../react-act.ts";

async function shown(text: string): Promise<Element> {
  const place = document.createElement("div");
  document.body.append(place);
  // Far from sight code has no colours, which nothing makes here.
  await act(async () =>
    createRoot(place).render(
      <NearContext value={false}>
        <Markdown text={text} streaming={false} />
      </NearContext>,
    ),
  );
  return place;
}

const asRead = (texts: readonly string[]) => texts.map((text) => text.trim().replaceAll(/\s+/g, " "));

// What is counted, also where nothing is drawn, is what can be marked.
it.each([
  "# Title **bold**\n\nOne *two* `three  four`\nfive  \nsix\\\nseven",
  "- a\n- b **c**\n  - d\n\n1. one\n\n   two\n\n   > three\n2. [x] four\n- [ ] five",
  "| a | b \\| c |\n|---|:-:|\n| **d** | [e](https://e.example) |\n\n---\nend",
  "```ts\nconst a = `1`;\n\n  b();\n```\n\n    indented\n\n~~~\n~~~",
  "[bank](https://a.example/x) [bad](javascript:x) <https://b.example> www.c.example me@d.example ~~gone~~",
  "[ref][1] [1] ![pic][1]\n\n[1]: https://a.example 'title'",
  "[in\u200Bvisible `co\u00ADde` ![al\u200Bt](x)](https://a.example) plain\u200B and ![](https://a.example/p.png)",
  "<div>\nhtml **not bold**\n</div>\n\n<!-- note -->\n\na <b>b</b> &lt; &copy; \\* c",
  "Said[^b] and[^a] again[^b].\n\n[^a]: First *note*\n\n    more\n\n[^b]: Second\n\n[^c]: Unused\n\nEnd.",
])("is read block by block as in a page: %j", async (text) => {
  expect(asRead(textsIn(await shown(text)))).toEqual(asRead(markdownTexts(text)));
});

it("has formulas as their TeX", async () => {
  expect(mathPlugins.remark).toHaveLength(1);
  for (const text of [
    "so $x^2$ and \\(y_1\\), but `$z$` for $5",
    "then\n\\[\n\\frac{a}{b}\n\\]\nend\n\n$$c$$\n\n- item\n\n  $$\n  d\n  $$\n\n> $$\n> e\n> $$",
  ]) {
    const row = await shown(text);
    await expect.poll(() => row.querySelector(".katex")).not.toBeNull();
    expect(asRead(textsIn(row))).toEqual(asRead(markdownTexts(text)));
  }
});

it("marks over elements and lines, and nothing that stands beside the text", async () => {
  const row = await shown("the **quick**\nfox, see [a fox](https://fox.example)\n\n```copy\nfox\n```");
  expect(rangesIn(row, "QUICK fox").map(String)).toEqual(["quick\nfox"]);
  expect(rangesIn(row, "fox").map(String)).toEqual(["fox", "fox", "fox"]);
  expect(rangesIn(row, "copy")).toEqual([]);
  expect(rangesIn(row, "fox.example")).toEqual([]);
});
