import type { Clock } from "../../agent/ports/ports.ts";

/** What is kept of a server's words, in lines and in characters of one line. */
const maxLines = 200;
const maxLineChars = 2000;
/** Lines that are told in a second: a server that never stops talking must not keep Parley busy with its log. */
const maxToldPerSecond = 100;

/** The last lines that a server wrote to stderr, logged, or printed by mistake. */
export class ServerLog {
  readonly #onLine: (line: string) => void;
  readonly #clock: Pick<Clock, "now">;
  #lines: string[] = [];
  #second = 0;
  #told = 0;
  #rest = "";

  constructor(onLine: (line: string) => void, clock: Pick<Clock, "now">) {
    this.#onLine = onLine;
    this.#clock = clock;
  }

  add(line: string): void {
    const shown = line.length > maxLineChars ? `${line.slice(0, maxLineChars)}…` : line;
    this.#lines.push(shown);
    if (this.#lines.length > 2 * maxLines) this.#lines = this.#lines.slice(-maxLines);
    this.#tell(shown);
  }

  #tell(line: string): void {
    const second = Math.floor(this.#clock.now() / 1000);
    if (second !== this.#second) {
      const left = this.#told - maxToldPerSecond;
      if (left > 0) this.#onLine(`(${left} lines are left out here)`);
      this.#second = second;
      this.#told = 0;
    }
    const isOurs = line.startsWith("(Parley)");
    if (!isOurs) this.#told++;
    if (isOurs || this.#told <= maxToldPerSecond) this.#onLine(line);
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
    return this.#lines.slice(-Math.min(count, maxLines));
  }
}
