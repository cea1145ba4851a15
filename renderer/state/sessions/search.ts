import type { SearchHit } from "../../../shared/conversation/sessions.ts";
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

/** A snippet in pieces, every second one marked. */
export function snippetPieces(snippet: string): { text: string; isMarked: boolean }[] {
  return snippet
    .split(/[\uE000\uE001]/)
    .map((text, index) => ({ text, isMarked: index % 2 === 1 }))
    .filter(({ text }) => text !== "");
}
