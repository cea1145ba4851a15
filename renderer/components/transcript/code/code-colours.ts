/** To the thread that colours. `id` comes back with the answer. */
export interface CodeQuestion {
  id: number;
  code: string;
  language: string;
}

/** `marks`: one string a line (see `lineMarks`); null: a language that nobody knows. */
export interface CodeAnswer {
  id: number;
  marks: readonly string[] | null;
}

/** Longer code stays plain, in UTF-16 units: its colours would take seconds. */
export const maxColouredChars = 200_000;

/** How many coloured blocks are kept. */
const maxKept = 400;

/** The colours of code, made by a thread that starts with the first block in a known language. */
export class CodeColours {
  readonly #start: () => Worker;
  #worker: Worker | null = null;
  #lastId = 0;
  readonly #waiting = new Map<number, (marks: readonly string[] | null) => void>();
  readonly #kept = new Map<string, readonly string[] | null>();

  constructor(start: () => Worker) {
    this.#start = start;
  }

  /** What is known without waiting; null: it stays plain; undefined: ask. */
  known(code: string, language: string): readonly string[] | null | undefined {
    if (language === "" || code.length > maxColouredChars) return null;
    return this.#kept.get(keyOf(code, language));
  }

  async marks(code: string, language: string): Promise<readonly string[] | null> {
    const id = ++this.#lastId;
    return await new Promise<readonly string[] | null>((resolve) => {
      this.#waiting.set(id, resolve);
      this.#running().postMessage({ id, code, language } satisfies CodeQuestion);
    });
  }

  /** For when the same code comes into sight again. */
  keep(code: string, language: string, marks: readonly string[] | null): void {
    this.#kept.set(keyOf(code, language), marks);
    const oldest = this.#kept.keys().next();
    if (this.#kept.size > maxKept && !oldest.done) this.#kept.delete(oldest.value);
  }

  #running(): Worker {
    if (this.#worker) return this.#worker;
    const worker = this.#start();
    worker.addEventListener("message", ({ data: { id, marks } }: MessageEvent<CodeAnswer>) => {
      this.#waiting.get(id)?.(marks);
      this.#waiting.delete(id);
    });
    // Whatever it stumbled over stays plain; the next block gets a new thread.
    worker.addEventListener("error", () => {
      worker.terminate();
      this.#worker = null;
      for (const resolve of this.#waiting.values()) resolve(null);
      this.#waiting.clear();
    });
    this.#worker = worker;
    return worker;
  }
}

const keyOf = (code: string, language: string) => `${language}\n${code}`;
