import type TurndownService from "turndown";
import { cutBefore } from "../environment/text-content.ts";
import { nestingDepth, stripElements, textBetweenTags } from "./strip-elements.ts";
import type { Page } from "./web-request.ts";

/**
 * UTF-16 units of HTML, without scripts and drawings. To look for the article takes a second for as much as this, and
 * everything else waits meanwhile; of a larger page the whole is converted, up to the second limit.
 */
const maxArticleChars = 100_000;
const maxChars = 500_000;
/** Elements in each other: what builds trees takes minutes for a page that is made to be deep. */
const maxDepth = 400;

/**
 * A page as text: HTML as Markdown of what matters in it, other text as it is.
 * @returns undefined for what is not text
 */
export async function readablePage({ url, contentType, bytes }: Page): Promise<string | undefined> {
  const type = contentType.split(";")[0]?.trim() ?? "";
  if (type !== "" && !isText.test(type)) return undefined;
  if (type === "" && bytes.includes(0)) return undefined;
  const text = decoded(bytes, contentType);
  const isHtml = type === "" ? /^\s*<(?:!doctype|html)/i.test(text) : /html/.test(type);
  return isHtml ? await markdownOf(text, url) : text.trim();
}

const isText =
  /^text\/|[/+](?:json|xml|yaml|javascript|ecmascript|x-sh|toml)$|^application\/(?:xhtml\+xml|x-ndjson|jsonl)$/;

function decoded(bytes: Uint8Array, contentType: string): string {
  const start = Buffer.from(bytes.subarray(0, 2048)).toString("latin1");
  const named = charset.exec(contentType)?.[1] ?? charset.exec(start)?.[1] ?? "utf-8";
  try {
    return new TextDecoder(named).decode(bytes);
  } catch {
    // A name that nobody knows.
    return new TextDecoder().decode(bytes);
  }
}

const charset = /charset\s*=\s*["']?([\w-]+)/i;

async function markdownOf(html: string, url: URL): Promise<string> {
  // At first use: the start of the app should not wait for them.
  const [{ DOMParser }, { Readability }, { default: Turndown }] = await Promise.all([
    import("linkedom/worker"),
    import("@mozilla/readability"),
    import("turndown"),
  ]);
  const bare = stripElements(html, ["script", "style", "noscript", "template", "svg", "iframe"]);
  const whole = bare.slice(0, cutBefore(bare, maxChars));
  if (nestingDepth(whole) > maxDepth) return textBetweenTags(whole);
  const head = new DOMParser().parseFromString(page(whole.slice(0, maxArticleChars)), "text/html");
  const title = head.title.trim();
  const article =
    whole.length > maxArticleChars
      ? undefined
      : articleOf(() => new Readability(head, { charThreshold: 200 }).parse());
  const turndown = new Turndown({ headingStyle: "atx", codeBlockStyle: "fenced" });
  const markdown = converter(turndown, url).turndown(article ?? stripElements(whole, ["head"]));
  const heading = title === "" || markdown.startsWith(`# ${title}`) ? "" : `# ${title}\n\n`;
  const note = bare.length > maxChars ? "\n\n(the page goes on; this is its beginning)" : "";
  return `${heading}${markdown}`.trim() + note;
}

/** The parser takes the first element for the whole document, so there must be one around it. */
const page = (html: string) => (/<html[\s>]/i.test(html) ? html : `<html><body>${html}</body></html>`);

/** @returns undefined where the page has no article, or is too large to look for one */
function articleOf(parse: () => { content?: string | null | undefined } | null): string | undefined {
  try {
    return parse()?.content ?? undefined;
  } catch {
    return undefined;
  }
}

/** Without what is no text; with links that lead somewhere from here, too. */
function converter(turndown: TurndownService, url: URL): TurndownService {
  turndown.remove(["form", "button", "nav"]);
  turndown.addRule("links", {
    filter: "a",
    replacement(content, node) {
      const href = "getAttribute" in node ? node.getAttribute("href") : null;
      const text = content.trim();
      if (!href || text === "" || href.startsWith("#") || !URL.canParse(href, url.href)) return content;
      const target = new URL(href, url);
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
