import { answerParts } from "./answer-parts.ts";
import { withoutTagLines } from "./data-marks.ts";
import { type FoundItem, finderOf } from "./find-text.ts";
import { markdownFilter, markdownTexts } from "./markdown-texts.ts";
import type { TranscriptItem } from "./transcript.ts";

/** What tells how often the text stands in what can be read of an item. @returns null from it: nowhere */
export function itemFinder(text: string): (item: TranscriptItem) => FoundItem | null {
  const find = finderOf(text);
  if (!find) return () => null;
  const may = markdownFilter(text);
  return (item) => {
    if (!sourcesOf(item).some(({ source, isMarkdown }) => !isMarkdown || may(source))) return null;
    const count = blocksOf(item).reduce((sum, block) => sum + find(block).length, 0);
    return count > 0 ? { key: item.key, count } : null;
  };
}

interface Source {
  source: string;
  isMarkdown: boolean;
}

const plain = (source: string): Source => ({ source, isMarkdown: false });
const markdown = (source: string): Source => ({ source, isMarkdown: true });

/** Items never change: what was parsed once is known for every letter that is typed after that. */
const known = new WeakMap<TranscriptItem, string[]>();

/** What can be read of an item. A match is within one block. */
function blocksOf(item: TranscriptItem): string[] {
  const before = known.get(item);
  if (before) return before;
  const blocks = sourcesOf(item).flatMap(({ source, isMarkdown }) =>
    isMarkdown ? markdownTexts(source) : [source],
  );
  known.set(item, blocks);
  return blocks;
}

function sourcesOf(item: TranscriptItem): Source[] {
  switch (item.kind) {
    case "assistant":
      return [markdown(item.text)];
    // Prompts are shown as they were written.
    case "user":
    case "note":
    case "said":
      return [plain(item.text)];
    case "tool":
      return [...stringsIn(item.input), withoutTagLines(item.output)].map(plain);
    case "approval":
      // Its call has the same words.
      return [];
    case "question":
      return [plain(item.question), plain(item.answer ?? "")];
    case "error":
      return [plain(item.error.message)];
    case "command":
      return [plain(item.line), ...answerParts(item.output).flatMap(answerSources)];
  }
}

const answerSources = (part: ReturnType<typeof answerParts>[number]): Source[] =>
  part.kind === "text"
    ? [markdown(part.text)]
    : part.rows.flatMap(({ name, value }) => [markdown(name), markdown(value)]);

function stringsIn(value: unknown): string[] {
  if (typeof value === "string") return [value];
  return typeof value === "object" && value !== null ? Object.values(value).flatMap(stringsIn) : [];
}
