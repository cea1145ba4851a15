// @vitest-environment happy-dom
import { createRoot } from "react-dom/client";
import { renderToStaticMarkup } from "react-dom/server";
import { describe, expect, it } from "vitest";
import { LinkContext } from "../../../../../../renderer/components/transcript/markdown/link-context.ts";
import { Markdown } from "../../../../../../renderer/components/transcript/markdown/Markdown.tsx";
import { act } from "../../react-act.ts";

const html = (text: string, streaming = false) =>
  renderToStaticMarkup(<Markdown text={text} streaming={streaming} />);

describe("Markdown of a model", () => {
  // Bug: a picture whose address carries the conversation to a stranger's server.
  it("never loads an image: it becomes a link that names it", () => {
    const shown = html("![a chart](https://stranger.example/p.png?secret)");
    expect(shown).not.toContain("<img");
    expect(shown).toContain('href="https://stranger.example/p.png?secret"');
    expect(shown).toContain("image: a chart");
    expect(html("![x](data:image/png;base64,AAAA)")).not.toMatch(/<img|data:/);
  });

  it.each(["<script>alert(1)</script>", "<img src=x onerror=alert(1)>", "a <b onclick=alert(1)>b</b>"])(
    "shows raw HTML as text: %s",
    (text) => {
      const shown = html(text);
      expect(shown).not.toMatch(/<(script|img|b)\b/);
      expect(shown).toContain("&lt;");
    },
  );

  it.each([
    "[x](javascript:alert(1))",
    "[x](JaVaScRiPt:alert(1))",
    "[x](data:text/html,hi)",
    "[x](file:///etc/passwd)",
    "[x](app://parley/quick/index.html)",
    "[x](#top)",
    "[x](/relative)",
    "<javascript:alert(1)>",
  ])("leaves %s as text without a link", (text) => {
    expect(html(text)).not.toContain("href");
  });

  // Bug: of such a reply only that it cannot be shown was shown.
  it.each([true, false])(
    "shows what stands in very many lists in each other (streaming: %s)",
    (streaming) => {
      const shown = html(`Before\n\n${"- ".repeat(3000)}word\n\nafter`, streaming);
      expect(shown).toMatch(/Before[\s\S]*<li[\s\S]*word[\s\S]*after/);
    },
  );

  it("shows code of very many quote marks as it was written", () => {
    expect(html(`\`\`\`\n${"> ".repeat(60)}word\n\`\`\``)).toContain(`${"&gt; ".repeat(60)}word`);
  });

  it("says where a link really goes", () => {
    expect(html("[my bank](https://elsewhere.example/)")).toContain('title="https://elsewhere.example/"');
    expect(html("[my bank](https://elsewhere.example/)")).toContain("(elsewhere.example)");
  });

  it("has tables, task lists and code with its language", () => {
    expect(html("| a |\n|---|\n| b |")).toMatch(/<td dir="auto">b<\/td>/);
    expect(html("- [x] done")).toContain('type="checkbox"');
    const code = html("```ts\nconst a = 1 < 2;\n```");
    expect(code).toContain("<span>ts</span>");
    expect(code).toContain("const a = 1 &lt; 2;");
  });

  it("that is still arriving shows no marks that will turn into something else", () => {
    expect(html("This is **very imp", true)).toContain("<strong>very imp</strong>");
    expect(html("| Area | Com", true)).not.toContain("Area");
    expect(html("```sh\nls -l", true)).toContain("ls -l");
  });

  it("is shown whole once it has arrived, unfinished or not", () => {
    expect(html("| Area | Com")).toContain("| Area | Com");
  });
});

describe("a link that wants to deceive", () => {
  async function shown(text: string) {
    const opened: string[] = [];
    const place = document.createElement("div");
    document.body.append(place);
    const root = createRoot(place);
    await act(async () =>
      root.render(
        <LinkContext value={(url) => opened.push(url)}>
          <Markdown text={text} streaming={false} />
        </LinkContext>,
      ),
    );
    const button = (name: string) =>
      [...place.querySelectorAll("button")].find(({ textContent }) => textContent === name);
    const click = async (target: Element | null | undefined) =>
      await act(async () => {
        target?.dispatchEvent(new MouseEvent("click", { bubbles: true, cancelable: true }));
      });
    return { place, opened, button, click };
  }

  it.each([
    ["[https://bank.example](https://evil.example/)", "https://evil.example/"],
    ["[bank](https://bank.example@evil.example/)", "https://bank.example@evil.example/"],
    ["[apple](https://\u0430pple.com/)", "https://xn--pple-43d.com/"],
    ["[do\u202Ecs](https://a.example/)", "https://a.example/"],
    ["[`https://bank.example`](https://evil.example/)", "https://evil.example/"],
    ["[![https://bank.example](https://x.example/i.png)](https://evil.example/)", "https://evil.example/"],
    ["![https://bank.example](https://evil.example/)", "https://evil.example/"],
    ["[a][b]\n\n[b]: https://x@evil.example/", "https://x@evil.example/"],
  ])("%s says where it leads, and asks before it is opened", async (text, target) => {
    const { place, opened, button, click } = await shown(text);
    expect(place.querySelectorAll("a")).toHaveLength(1);
    await click(place.querySelector("a"));
    expect(opened).toEqual([]);
    const ask = place.querySelector('[data-testid="ask-link"]');
    expect(ask?.textContent).toContain(`It opens ${target}`);
    expect(document.activeElement).toBe(button("Don't open"));
    await click(button("Don't open"));
    expect(place.querySelector('[data-testid="ask-link"]')).toBeNull();
    expect(opened).toEqual([]);
    await click(place.querySelector("a"));
    await click(button("Open link"));
    expect(opened).toHaveLength(1);
  });

  it("shows the host beside words, and what is invisible in them", async () => {
    const { place } = await shown("[the \u200Bdocs](https://docs.example/a) and <https://a.example/>");
    expect(place.textContent).toBe("the ⟨U+200B⟩docs (docs.example) and https://a.example/");
  });

  it("cannot be turned round from outside: text and host have a direction of their own", async () => {
    const { place } = await shown("\u202E[docs](https://docs.example/)");
    expect(place.querySelector("a")?.getAttribute("dir")).toBe("auto");
    expect(place.querySelector("bdi")?.getAttribute("dir")).toBe("ltr");
  });

  it.each(["[x](https://)", "[x](http://[)"])("%s is no link at all", (text) => {
    expect(html(text)).not.toContain("href");
  });
});

describe("a link", () => {
  it("is opened by main and never navigates the page", async () => {
    const opened: string[] = [];
    const place = document.createElement("div");
    document.body.append(place);
    const root = createRoot(place);
    await act(async () =>
      root.render(
        <LinkContext value={(url) => opened.push(url)}>
          <Markdown text="[there](https://example.com/a)" streaming={false} />
        </LinkContext>,
      ),
    );
    const click = new MouseEvent("click", { bubbles: true, cancelable: true });
    await act(async () => place.querySelector("a")?.dispatchEvent(click));
    expect(opened).toEqual(["https://example.com/a"]);
    expect(click.defaultPrevented).toBe(true);
    await act(async () => root.unmount());
  });

  const whole = [
    "# A title\n\nA paragraph with **two**\nlines.\n",
    "- one\n- two\n\n  of two blocks\n- [x] done\n",
    "| a | b |\n|---|---:|\n| c | 1 |\n",
    "```\nconst a = 1 < 2;\n\n\nconst b = 2;\n```\n",
    "> said\n>\n> - and listed\n\n---\n\n1. first\n2. second\n",
  ].join("\n");

  it("looks the same whether it came whole or grew, and what grew stays the very elements", async () => {
    const grown = document.createElement("div");
    const come = document.createElement("div");
    const roots = [createRoot(grown), createRoot(come)] as const;
    const grow = (text: string, streaming: boolean) =>
      act(async () => roots[0].render(<Markdown text={text} streaming={streaming} />));
    await grow(whole.slice(0, whole.length / 2), true);
    await grow(whole, true);
    const table = grown.querySelector("table");
    await grow(whole, false);
    expect(grown.querySelector("table")).toBe(table);
    await act(async () => roots[1].render(<Markdown text={whole} streaming={false} />));
    const withoutBreaks = ({ innerHTML }: HTMLElement) => innerHTML.replaceAll(/>\s+</g, "><");
    expect(withoutBreaks(grown)).toBe(withoutBreaks(come));
    await act(async () => {
      for (const root of roots) root.unmount();
    });
  });
});
