import { type ComponentProps, type MouseEvent, memo, use } from "react";
import ReactMarkdown, { type Components } from "react-markdown";
import remarkGfm from "remark-gfm";
import { markdownBlocks, settleBlock } from "../state/markdown-blocks.ts";
import { CodeBlock } from "./CodeBlock.tsx";
import { LinkContext } from "./link-context.ts";

/**
 * A model's Markdown. Nothing in it is trusted: raw HTML is shown as text, images are never fetched, and only web
 * and mail links can be opened. Blocks that are finished are not rendered again while the text grows.
 */
export const Markdown = memo(function Markdown({ text, streaming }: { text: string; streaming: boolean }) {
  const blocks = markdownBlocks(text);
  const last = blocks.length - 1;
  return (
    <div className="markdown">
      {blocks.map((block, index) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: blocks only grow at the end; their index is their identity
        <Block key={index} source={streaming && index === last ? settleBlock(block) : block} />
      ))}
    </div>
  );
});

const Block = memo(function Block({ source }: { source: string }) {
  return (
    <ReactMarkdown remarkPlugins={plugins} components={components} urlTransform={safeUrl}>
      {source}
    </ReactMarkdown>
  );
});

const plugins = [remarkGfm];

/** Only addresses that mean something outside of the app; all others lose their link and stay as text. */
function safeUrl(url: string): string {
  return /^(https?:\/\/|mailto:)/i.test(url) ? url : "";
}

const components: Components = {
  a: ({ href, children }) => <Link href={href}>{children}</Link>,
  img: ({ src, alt }) => {
    const label = alt === undefined || alt === "" ? "image" : `image: ${alt}`;
    return typeof src === "string" && src !== "" ? <Link href={src}>{label}</Link> : <span>{label}</span>;
  },
  pre: ({ node }) => {
    const code = node?.children[0];
    if (code?.type !== "element") return null;
    const text = code.children.map((child) => (child.type === "text" ? child.value : "")).join("");
    return <CodeBlock code={text.replace(/\n$/, "")} language={languageOf(code.properties.className)} />;
  },
  table: ({ children }) => (
    // biome-ignore lint/a11y/noNoninteractiveTabindex: a wide table scrolls, and the keyboard must reach it
    <section className="table" aria-label="Table" tabIndex={0}>
      <table>{children}</table>
    </section>
  ),
};

function Link({ href, children }: Pick<ComponentProps<"a">, "href" | "children">) {
  const open = use(LinkContext);
  if (href === undefined || href === "") return <span>{children}</span>;
  const onClick = (event: MouseEvent) => {
    event.preventDefault();
    open(href);
  };
  return (
    <a href={href} title={href} rel="noreferrer" onClick={onClick} onAuxClick={onClick}>
      {children}
    </a>
  );
}

function languageOf(className: unknown): string {
  const names = Array.isArray(className) ? className : [];
  const language = names.find((name) => typeof name === "string" && name.startsWith("language-"));
  return typeof language === "string" ? language.slice("language-".length) : "";
}
