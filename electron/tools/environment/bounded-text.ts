import { grouped } from "../../../shared/grouped.ts";

/** UTF-16 units. */
const maxHead = 4_000_000;
const maxTail = 4_000_000;

/** Text that only grows so far: of a command that never stops talking, the beginning and the end are kept. */
export class BoundedText {
  #head = "";
  #tail: string[] = [];
  #tailLength = 0;
  #dropped = 0;

  add(text: string): void {
    // Whole pieces only: a cut could go through the middle of a character.
    if (this.#head.length < maxHead) this.#head += text;
    else this.#addToTail(text);
  }

  toString(): string {
    const gap = this.#dropped > 0 ? `\n(${grouped(this.#dropped)} characters were not kept)\n` : "";
    return this.#head + gap + this.#tail.join("");
  }

  #addToTail(text: string): void {
    this.#tail.push(text);
    this.#tailLength += text.length;
    for (let first = this.#tail[0]; first !== undefined; first = this.#tail[0]) {
      if (this.#tailLength - first.length < maxTail) break;
      this.#tail.shift();
      this.#tailLength -= first.length;
      this.#dropped += first.length;
    }
  }
}
