import { createDocument } from "@mixmark-io/domino";
import { Readability } from "@mozilla/readability";
import { DOMParser } from "linkedom/worker";
import Turndown from "turndown";

/** Of a page's text, an article has at least so much: what is left out beside a smaller one is no decoration. */
const leastOfPage = 0.25;

/**
 * HTML as Markdown of what matters in it. A page that is made to be slow takes for ever, and a deep one overflows the stack.
 * @param html without scripts and drawings @param isWhole whether all of the page is wanted, with what seems not to matter
 */
export function pageMarkdown(html: string, url: URL, isWhole: boolean): string {
  // By the rules of HTML: ends may be left out. Those who read on need them.
  const document = createDocument(html);
  const title = document.title.trim();
  const base = baseOf(document, url);
  const main = isWhole ? undefined : mainPartOf(document.documentElement.outerHTML);
  const turndown = new Turndown({ headingStyle: "atx", codeBlockStyle: "fenced" });
  const markdown = converter(turndown, base).turndown(main?.content ?? document.body?.innerHTML ?? "");
  const heading = title === "" || markdown.startsWith(`# ${title}`) ? "" : `# ${title}\n\n`;
  const part = main && main.left > title.length ? `\n\n${partNote}` : "";
  return `${heading}${markdown}`.trim() + part;
}

/** What the page's links are relative to. */
function baseOf(page: ParsedPage, url: URL): URL {
  const href = page.querySelector("base[href]")?.getAttribute("href") ?? "";
  return URL.canParse(href, url.href) ? new URL(href, url) : url;
}

const partNote = "(this is the page's main part; the rest, such as comments, comes with whole)";

/** Runs of blanks as one. */
const lengthOf = (text: string | null | undefined) => (text ?? "").replace(/\s+/g, " ").trim().length;

/** @returns how much text there is beside it, too; undefined where the page has no article, or only a small one */
function mainPartOf(html: string): { content: string; left: number } | undefined {
  try {
    const page = new DOMParser().parseFromString(html, "text/html");
    for (const element of page.querySelectorAll(noText.join())) element.remove();
    const all = lengthOf(page.body?.textContent);
    const { content, textContent } = new Readability(page, { charThreshold: 200 }).parse() ?? {};
    const length = lengthOf(textContent);
    return content && length >= all * leastOfPage ? { content, left: all - length } : undefined;
  } catch {
    return undefined;
  }
}

/** Of a form only its controls: some pages are one form. */
const noText = ["button", "select", "textarea", "nav"] as const;

/** Without what is no text; with links that lead somewhere from here, too. */
function converter(turndown: Turndown, base: URL): Turndown {
  turndown.remove([...noText]);
  // Names stay as they are: whoever reads them would write them with the backslashes.
  turndown.escape = (text) => text;
  // A line for each row; what has lines of its own stands in a table for its place only.
  turndown.addRule("cells", {
    filter: ["td", "th"],
    replacement(content) {
      const text = content.trim().replaceAll("  \n", " ");
      return text.includes("\n") ? `\n\n${text}\n\n` : `${text} | `;
    },
  });
  turndown.addRule("rows", {
    filter: "tr",
    replacement(content) {
      const text = content.trim();
      if (text === "") return "";
      return text.includes("\n") ? `\n\n${text}\n\n` : `\n| ${text}\n`;
    },
  });
  turndown.addRule("links", {
    filter: "a",
    replacement(content, node) {
      const href = "getAttribute" in node ? node.getAttribute("href") : null;
      const text = content.trim();
      if (!href || text === "" || href.startsWith("#") || !URL.canParse(href, base.href)) return content;
      const target = new URL(href, base);
      return /^(?:https?|mailto):$/.test(target.protocol) ? `[${text}](${target.href})` : content;
    },
  });
  turndown.addRule("images", {
    filter: "img",
    replacement(_, node) {
      const alt = "getAttribute" in node ? (node.getAttribute("alt") ?? "").trim() : "";
      return alt === "" ? "" : `[image: ${alt}]`;
    },
  });
  return turndown;
}
