import { type SearchHit, snippetMarks } from "../../../shared/conversation/sessions.ts";
import { Store } from "../store.ts";

const mostHits = 60;

/** Full-text search as one types: one request at a time, and the next one asks for what stands there by then. */
export class Search {
  readonly words = new Store("");
  /** What was found last, which may be for words typed a moment ago. */
  readonly hits = new Store<readonly SearchHit[]>([]);
  /** Whether the hits are those of the words. */
  readonly isSettled = new Store(true);
  readonly #fetch: (words: string, limit: number) => Promise<SearchHit[] | null>;
  #isAsking = false;

  /** @param fetch answers null where it failed, and has said so */
  constructor(fetch: (words: string, limit: number) => Promise<SearchHit[] | null>) {
    this.#fetch = fetch;
  }

  change = (words: string): void => {
    this.words.set(words);
    if (words.trim() === "") {
      this.hits.set([]);
      this.isSettled.set(true);
    } else if (!this.#isAsking) void this.#ask();
    else this.isSettled.set(false);
  };

  async #ask(): Promise<void> {
    this.#isAsking = true;
    this.isSettled.set(false);
    let asked = "";
    for (
      let words = this.words.get().trim();
      words !== "" && words !== asked;
      words = this.words.get().trim()
    ) {
      asked = words;
      const hits = await this.#fetch(words, mostHits);
      if (this.words.get().trim() !== "") this.hits.set(hits ?? []);
    }
    this.#isAsking = false;
    this.isSettled.set(true);
  }
}

/** Characters that surely fit beside one another in a row of the list. */
const lineChars = 32;

/** How many lines a snippet takes; more than two are not shown. */
export const snippetLines = (snippet: string): 1 | 2 =>
  snippetPieces(snippet).reduce((sum, { text }) => sum + text.length, 0) > lineChars ? 2 : 1;

/** The words around what was found; of a reply without the signs of its Markdown. */
export const shownSnippet = ({ kind, snippet }: Pick<SearchHit, "kind" | "snippet">): string =>
  kind === "reply" ? withoutMarkdown(snippet) : snippet;

const tableRow = /(?:^|\s)\|.*\|/;

function withoutMarkdown(text: string): string {
  const plain = text
    .replaceAll(/!?\[([^\]]*)\]\([^)\s]*\)/g, "$1")
    .replaceAll(/\*\*|__|~~|`+/g, "")
    .replaceAll(/(?:^|(?<=\n|…))\s*(?:#{1,6}|>|[-*+]|\d+\.)\s+/g, " ");
  const cells = tableRow.test(plain)
    ? plain.replaceAll(/\|[\s:|-]*-[\s:|-]*\|/g, "|").replaceAll(/\s*\|[\s|]*/g, " · ")
    : plain;
  return cells
    .replaceAll(/\s+/g, " ")
    .replace(/^(?: ?· ?)+|(?: ?· ?)+$/g, "")
    .trim();
}

/** Where one line is all there is, what was found ends within so many characters: even a narrow line shows them. */
const startChars = 24;
const wordSegmenter = new Intl.Segmenter(undefined, { granularity: "word" });
/** Characters as wide as two. */
const wide = /[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Hangul}]/gu;
const widthOf = (text: string) => text.length + (text.match(wide)?.length ?? 0);

/** A snippet for one line: of the words before what was found, only the last ones that leave it in sight. */
export function snippetForLine(snippet: string): string {
  const [start, end] = [snippet.indexOf(snippetMarks.open), snippet.indexOf(snippetMarks.close)];
  if (start < 0) return snippet;
  const lead = snippet.slice(0, start);
  const room = startChars - widthOf(snippet.slice(start + 1, end));
  if (widthOf(lead) <= room) return snippet;
  let kept = "";
  for (const { segment } of [...wordSegmenter.segment(lead)].reverse()) {
    // The ellipsis is as wide as one.
    if (widthOf(segment + kept) >= room) break;
    kept = segment + kept;
  }
  return `…${kept.replace(/^[\s,.;:!?·)\]}]+/, "")}${snippet.slice(start)}`;
}

/** A snippet in pieces, every second one marked. */
export function snippetPieces(snippet: string): { text: string; isMarked: boolean }[] {
  return snippet
    .split(/[\uE000\uE001]/)
    .map((text, index) => ({ text, isMarked: index % 2 === 1 }))
    .filter(({ text }) => text !== "");
}
