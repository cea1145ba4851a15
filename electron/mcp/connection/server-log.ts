import type { Clock } from "../../agent/ports/ports.ts";

/** What is kept of a server's words, in lines and in characters of one line. */
const maxLines = 200;
const maxLineChars = 2000;
/** Lines of each of the two that are told in a second: a server that never stops must not keep Parley busy with its log. */
const maxToldPerSecond = 100;

const lineEnds = /[\n\v\f\r\u0085\u2028\u2029]+/;
/** What a reader could take for a line of Parley's. */
const inOurName = /^[^\p{L}\p{N}]*Parley[^\p{L}\p{N}]*\)/iu;

/** The last lines that a server wrote to stderr, logged, or printed by mistake, and what Parley says of it. */
export class ServerLog {
  readonly #onLine: (line: string) => void;
  readonly #clock: Pick<Clock, "now">;
  #lines: string[] = [];
  #second = 0;
  #told = { server: 0, Parley: 0 };
  #rest = "";

  constructor(onLine: (line: string) => void, clock: Pick<Clock, "now">) {
    this.#onLine = onLine;
    this.#clock = clock;
  }

  /** What the server says. */
  add(text: string): void {
    for (const line of shortened(text).split(lineEnds)) {
      if (line.trim() !== "") this.#keep(inOurName.test(line) ? `(server) ${line}` : line, "server");
    }
  }

  /** What Parley says, with words of the server's or without. */
  say(words: string): void {
    this.#keep(`(Parley) ${shortened(words).split(lineEnds).join(" ")}`, "Parley");
  }

  #keep(line: string, from: "server" | "Parley"): void {
    this.#lines.push(line);
    if (this.#lines.length > 2 * maxLines) this.#lines = this.#lines.slice(-maxLines);
    const second = Math.floor(this.#clock.now() / 1000);
    if (second !== this.#second) {
      const left = Object.values(this.#told).reduce(
        (sum, told) => sum + Math.max(0, told - maxToldPerSecond),
        0,
      );
      if (left > 0) this.#onLine(`(${left} lines are left out here)`);
      this.#second = second;
      this.#told = { server: 0, Parley: 0 };
    }
    this.#told[from]++;
    if (this.#told[from] <= maxToldPerSecond) this.#onLine(line);
  }

  /** Text in pieces, as a stream gives it. */
  addText(text: string): void {
    const lines = (this.#rest + text).split(/\r?\n/);
    // A program that never ends its line must not fill the memory.
    this.#rest = (lines.pop() ?? "").slice(-maxLineChars);
    for (const line of lines) this.add(line);
  }

  /** What is left of the last line, when nothing more comes. */
  flush(): void {
    this.add(this.#rest);
    this.#rest = "";
  }

  tail(count = maxLines): string[] {
    return this.#lines.slice(-Math.min(count, maxLines));
  }
}

const shortened = (text: string) => (text.length > maxLineChars ? `${text.slice(0, maxLineChars)}…` : text);
