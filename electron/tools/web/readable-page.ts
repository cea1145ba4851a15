import type { ParsedPage } from "linkedom/worker";
import type TurndownService from "turndown";
import { cutBefore } from "../environment/text-content.ts";
import { isTooDeep, stripElements, textBetweenTags } from "./strip-elements.ts";
import type { Page } from "./web-request.ts";

/**
 * UTF-16 units of HTML, without scripts and drawings. To look for the article takes a second for as much as this, and
 * everything else waits meanwhile; of a larger page the whole is converted, up to the second limit.
 */
const maxArticleChars = 100_000;
const maxChars = 500_000;
/**
 * Elements in each other, and the depths of all elements and lines together: what builds and reads trees takes minutes for a
 * page that is made to be deep, and writes each line behind a mark for each list and quote around it. Of such a page the text
 * alone is taken.
 */
const maxDepth = 150;
const maxTotalDepth = 1_000_000;
/** The same of a page up to which its article is looked for. */
const maxArticleDepth = 300_000;

/** Of a page's text, an article has at least so much: what is left out beside a smaller one is no decoration. */
const leastOfPage = 0.25;

/**
 * A page as text: HTML as Markdown of what matters in it, other text as it is.
 * @param isWhole whether all of the page is wanted, with what seems not to matter
 * @returns undefined for what is not text
 */
export async function readablePage(
  { url, contentType, bytes }: Page,
  isWhole = false,
): Promise<string | undefined> {
  const type = contentType.split(";")[0]?.trim() ?? "";
  if (type !== "" && !isText.test(type)) return undefined;
  if (type === "" && bytes.includes(0)) return undefined;
  const text = decoded(bytes, contentType, type);
  const isHtml = type === "" ? /^\s*<(?:!doctype|html)/i.test(text) : /html/.test(type);
  return isHtml ? await markdownOf(text, url, isWhole) : text.trim();
}

const isText =
  /^text\/|[/+](?:json|xml|yaml|javascript|ecmascript|x-sh|toml)$|^application\/(?:xhtml\+xml|x-ndjson|jsonl)$/;

/** By its byte order mark, else as the server says, else as the page itself says. */
function decoded(bytes: Uint8Array, contentType: string, type: string): string {
  const start = Buffer.from(bytes.subarray(0, 2048)).toString("latin1");
  const said = charset.exec(contentType) ?? (mayDeclare.test(type) ? declared.exec(start) : null);
  const marked = marks.find(({ mark }) => start.startsWith(mark));
  try {
    return new TextDecoder(marked?.name ?? said?.[1] ?? "utf-8").decode(bytes);
  } catch {
    // A name that nobody knows.
    return new TextDecoder().decode(bytes);
  }
}

const charset = /charset\s*=\s*["']?([\w-]+)/i;
/** Elsewhere these words are the text's own. */
const mayDeclare = /^$|html|xml/;
const declared = /(?:charset|<\?xml[^>]{0,100}\sencoding)\s*=\s*["']?([\w-]+)/i;
const marks = [
  { mark: "\u00ef\u00bb\u00bf", name: "utf-8" },
  { mark: "\u00ff\u00fe", name: "utf-16le" },
  { mark: "\u00fe\u00ff", name: "utf-16be" },
];

async function markdownOf(html: string, url: URL, isWhole: boolean): Promise<string> {
  // At first use: the start of the app should not wait for them.
  const [{ DOMParser }, { Readability }, { default: Turndown }] = await Promise.all([
    import("linkedom/worker"),
    import("@mozilla/readability"),
    import("turndown"),
  ]);
  const bare = stripElements(html, ["script", "style", "noscript", "template", "svg", "iframe"]);
  const whole = bare.slice(0, cutBefore(bare, maxChars));
  const note = bare.length > maxChars ? "\n\n(the page goes on; this is its beginning)" : "";
  if (isTooDeep(whole, maxDepth, maxTotalDepth)) return textBetweenTags(whole) + note;
  const head = new DOMParser().parseFromString(page(whole.slice(0, maxArticleChars)), "text/html");
  const title = head.title.trim();
  const base = baseOf(head, url);
  const main =
    isWhole || whole.length > maxArticleChars || isTooDeep(whole, maxDepth, maxArticleDepth)
      ? undefined
      : mainPartOf(head, () => new Readability(head, { charThreshold: 200 }).parse());
  const turndown = new Turndown({ headingStyle: "atx", codeBlockStyle: "fenced" });
  const markdown = converter(turndown, base).turndown(main?.content ?? stripElements(whole, ["head"]));
  const heading = title === "" || markdown.startsWith(`# ${title}`) ? "" : `# ${title}\n\n`;
  const part = main && main.left > title.length ? `\n\n${partNote}` : "";
  return `${heading}${markdown}`.trim() + part + note;
}

/** What the page's links are relative to. */
function baseOf(page: ParsedPage, url: URL): URL {
  const href = page.querySelector("base[href]")?.getAttribute("href") ?? "";
  return URL.canParse(href, url.href) ? new URL(href, url) : url;
}

const partNote = "(this is the page's main part; the rest, such as comments, comes with whole)";

/** Runs of blanks as one. */
const lengthOf = (text: string | null | undefined) => (text ?? "").replace(/\s+/g, " ").trim().length;

/** The parser takes the first element for the whole document, so there must be one around it. */
const page = (html: string) => (/<html[\s>]/i.test(html) ? html : `<html><body>${html}</body></html>`);

/** @returns how much text there is beside it, too; undefined where the page has no article, or only a small one */
function mainPartOf(
  page: ParsedPage,
  parse: () => { content?: string | null | undefined; textContent?: string | null | undefined } | null,
): { content: string; left: number } | undefined {
  try {
    for (const element of page.querySelectorAll(noText.join())) element.remove();
    const all = lengthOf(page.body.textContent);
    const { content, textContent } = parse() ?? {};
    const length = lengthOf(textContent);
    return content && length >= all * leastOfPage ? { content, left: all - length } : undefined;
  } catch {
    return undefined;
  }
}

/** Of a form only its controls: some pages are one form. */
const noText = ["button", "select", "textarea", "nav"] as const;

/** Without what is no text; with links that lead somewhere from here, too. */
function converter(turndown: TurndownService, base: URL): TurndownService {
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
