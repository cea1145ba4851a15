import { Worker } from "node:worker_threads";
import { cutBefore } from "../environment/text-content.ts";
import type { PageWork } from "./page-thread.ts";
import { stripElements, textBetweenTags } from "./strip-elements.ts";
import type { Page } from "./web-request.ts";

/** UTF-16 units of HTML, without scripts and drawings, and of what it becomes: what comes after them is left out. */
const maxChars = 500_000;
/**
 * What a page may take to become Markdown; of one that takes more there is the text alone. The worst pages that were tried take
 * 300 MB until then; Electron's threads keep no limit of memory.
 */
const maxMs = 10_000;

export interface ReadOptions {
  /** Whether all of the page is wanted, with what seems not to matter. */
  isWhole: boolean;
  /** The program of the thread in which pages are read, as an absolute path. */
  thread: string;
  /** In milliseconds. */
  limitMs?: number;
  signal: AbortSignal;
}

/**
 * A page as text: HTML as Markdown of what matters in it, other text as it is.
 * @returns undefined for what is not text
 */
export async function readablePage(
  { url, contentType, bytes }: Page,
  options: ReadOptions,
): Promise<string | undefined> {
  const type = contentType.split(";")[0]?.trim() ?? "";
  if (type !== "" && !isText.test(type)) return undefined;
  if (type === "" && bytes.includes(0)) return undefined;
  const text = decoded(bytes, contentType, type);
  const isHtml = type === "" ? /^\s*<(?:!doctype|html)/i.test(text) : /html/.test(type);
  return isHtml ? await textOf(text, url, options) : text.trim();
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

async function textOf(html: string, url: URL, { isWhole, thread, limitMs = maxMs, signal }: ReadOptions) {
  const bare = stripElements(html, ["script", "style", "noscript", "template", "svg", "iframe"]);
  const read = bare.slice(0, cutBefore(bare, maxChars));
  const work = { html: read, url: url.href, isWhole };
  const markdown = await inThread(thread, work, AbortSignal.any([signal, AbortSignal.timeout(limitMs)]));
  const text = markdown ?? textBetweenTags(read);
  const isCut = bare.length > maxChars || text.length > maxChars;
  const note = isCut ? "\n\n(the page goes on; this is its beginning)" : "";
  return text.slice(0, cutBefore(text, maxChars)) + note;
}

/** @returns null where it took too long, or was too deep */
function inThread(thread: string, workerData: PageWork, signal: AbortSignal): Promise<string | null> {
  return new Promise((resolve) => {
    const worker = new Worker(thread, { workerData, execArgv: [] });
    const end = () => {
      resolve(null);
      void worker.terminate();
    };
    signal.addEventListener("abort", end);
    worker.once("message", (markdown: string) => resolve(markdown));
    worker.once("error", () => resolve(null));
    worker.once("exit", () => {
      signal.removeEventListener("abort", end);
      resolve(null);
    });
  });
}
