/** What is kept of a server's words, in lines and in characters of one line. */
const maxLines = 200;
const maxLineChars = 2000;

/** The last lines that a server wrote to stderr, logged, or printed by mistake. */
export class ServerLog {
  readonly #onLine: (line: string) => void;
  #lines: string[] = [];
  #rest = "";

  constructor(onLine: (line: string) => void) {
    this.#onLine = onLine;
  }

  add(line: string): void {
    const shown = line.length > maxLineChars ? `${line.slice(0, maxLineChars)}…` : line;
    this.#lines.push(shown);
    if (this.#lines.length > maxLines) this.#lines = this.#lines.slice(-maxLines);
    this.#onLine(shown);
  }

  /** Text in pieces, as a stream gives it. */
  addText(text: string): void {
    const lines = (this.#rest + text).split(/\r?\n/);
    // A program that never ends its line must not fill the memory.
    this.#rest = (lines.pop() ?? "").slice(-maxLineChars);
    for (const line of lines) if (line.trim() !== "") this.add(line);
  }

  /** What is left of the last line, when nothing more comes. */
  flush(): void {
    if (this.#rest.trim() !== "") this.add(this.#rest);
    this.#rest = "";
  }

  tail(count = maxLines): string[] {
    return this.#lines.slice(-count);
  }
}
