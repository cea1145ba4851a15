import { type ComponentProps, createContext, memo, use, useState } from "react";
import ReactMarkdown, { type Components } from "react-markdown";
import remarkGfm from "remark-gfm";
import { restoreMarks, shallowMarkdown } from "../../../../shared/conversation/markdown-depth.ts";
import { imageWords } from "../../../../shared/conversation/markdown-texts.ts";
import { markMath } from "../../../../shared/conversation/math-marks.ts";
import { linkText } from "../../../../shared/safety/visible-text.ts";
import { markdownBlocks, settleBlock } from "../../../state/conversation/markdown-blocks.ts";
import { writtenLanguage } from "../../../state/conversation/written-language.ts";
import { texts } from "../../../texts/texts.ts";
import { CodeBlock } from "./CodeBlock.tsx";
import { Link } from "./Link.tsx";
import styles from "./Markdown.module.css";
import { useMath } from "./use-math.ts";

/**
 * A model's Markdown. Nothing in it is trusted: raw HTML is shown as text, images are never fetched, and only web
 * and mail links can be opened. Blocks that are finished are not rendered again while the text grows; a text that was
 * whole when it came is one block, which takes two thirds of the time.
 */
export const Markdown = memo(function Markdown({ text, streaming }: { text: string; streaming: boolean }) {
  const [hasGrown, setGrown] = useState(streaming);
  if (streaming && !hasGrown) setGrown(true);
  const marked = markMath(shallowMarkdown(text));
  const blocks = hasGrown || streaming ? markdownBlocks(marked) : [marked];
  const last = blocks.length - 1;
  return (
    <div className={styles.markdown} lang={writtenLanguage(text)}>
      {blocks.map((block, index) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: blocks only grow at the end; their index is their identity
        <Block key={index} source={streaming && index === last ? settleBlock(block) : block} />
      ))}
    </div>
  );
});

const Block = memo(function Block({ source }: { source: string }) {
  const math = useMath(source.includes("$$"));
  return (
    <ReactMarkdown
      remarkPlugins={math ? [...math.remark, ...plugins] : plugins}
      rehypePlugins={[restored, ...(math?.rehype ?? []), ofLinks]}
      components={components}
      urlTransform={safeUrl}
    >
      {source}
    </ReactMarkdown>
  );
});

const plugins = [remarkGfm];
const restored = () => restoreMarks;

interface HastNode {
  type: string;
  tagName?: string;
  value?: string;
  properties?: Record<string, unknown>;
  children?: HastNode[];
}

/**
 * What would be invisible in the text of a link, or turn it round, stands there by name. The link keeps what it was: that
 * such signs were there is a reason for doubt.
 */
const ofLinks = () => (tree: HastNode) => showAll(tree, false);

const readBlocks: ReadonlySet<string> = new Set([
  ...["p", "li", "blockquote", "td", "th"],
  ...["h1", "h2", "h3", "h4", "h5", "h6"],
]);

function showAll(node: HastNode, isInLink: boolean): void {
  if (node.type === "text" && isInLink) node.value = linkText(node.value ?? "");
  // Each block by its own first letter: what follows may be in another script.
  if (readBlocks.has(node.tagName ?? "")) node.properties = { ...node.properties, dir: "auto" };
  const isLink = node.tagName === "a";
  if (isLink) node.properties = { ...node.properties, dataRead: textOf(node) };
  for (const child of node.children ?? []) showAll(child, isInLink || isLink);
}

function textOf({ type, tagName, value, properties, children = [] }: HastNode): string {
  if (type === "text") return value ?? "";
  return tagName === "img" ? String(properties?.alt ?? "") : children.map(textOf).join("");
}

/** Only addresses that mean something outside of the app; all others lose their link and stay as text. */
function safeUrl(url: string): string {
  return /^(https?:\/\/|mailto:)/i.test(url) && URL.canParse(url) ? url : "";
}

const components: Components = {
  a: ({ node, href, children }) => {
    const isWayBack = node?.properties.dataFootnoteBackref !== undefined;
    if (href === undefined || href === "")
      return <span data-beside={isWayBack ? "" : undefined}>{children}</span>;
    return (
      <InLink value={true}>
        <Link href={href} text={String(node?.properties.dataRead ?? "")}>
          {children}
        </Link>
      </InLink>
    );
  },
  img: Image,
  pre: ({ node }) => {
    const code = node?.children[0];
    if (code?.type !== "element") return null;
    const text = code.children.map((child) => (child.type === "text" ? child.value : "")).join("");
    return <CodeBlock code={text.replace(/\n$/, "")} language={languageOf(code.properties.className)} />;
  },
  table: ({ children }) => (
    // biome-ignore lint/a11y/noNoninteractiveTabindex: a wide table scrolls, and the keyboard must reach it
    <section className={styles.table} aria-label={texts.transcript.table} tabIndex={0}>
      <table>{children}</table>
    </section>
  ),
};

const InLink = createContext(false);

/** Never fetched: its address would carry away what is said. */
function Image({ src, alt }: ComponentProps<"img">) {
  const isInLink = use(InLink);
  const label = imageWords(alt);
  if (isInLink || typeof src !== "string" || src === "") return <span>{linkText(label)}</span>;
  return (
    <Link href={src} text={label}>
      {linkText(label)}
    </Link>
  );
}

function languageOf(className: unknown): string {
  const names = Array.isArray(className) ? className : [];
  const language = names.find((name) => typeof name === "string" && name.startsWith("language-"));
  return typeof language === "string" ? language.slice("language-".length) : "";
}
