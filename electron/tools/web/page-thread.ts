import { parentPort, workerData } from "node:worker_threads";
import { z } from "zod";
import { pageMarkdown } from "./page-markdown.ts";

/** What the thread gets at its start. */
const pageWork = z.object({ html: z.string(), url: z.string(), isWhole: z.boolean() });
export type PageWork = z.infer<typeof pageWork>;

// A worker thread's program: it makes Markdown of one page, and ends.

const { html, url, isWhole } = pageWork.parse(workerData);
parentPort?.postMessage(pageMarkdown(html, new URL(url), isWhole));
