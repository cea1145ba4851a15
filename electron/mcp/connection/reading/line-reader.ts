/** Longest line of a server, in bytes: results may carry whole images. */
export const maxLineBytes = 64 * 1024 * 1024;

/** Cuts a stream of bytes into lines, at the cost of its length whatever its pieces. */
export class LineReader {
  #parts: Buffer[] = [];
  #size = 0;

  /**
   * @returns the lines that are whole now; bytes that are no UTF-8 become U+FFFD
   * @throws Error when a line is longer than `maxLineBytes`
   */
  push(chunk: Buffer): string[] {
    const lines: string[] = [];
    let from = 0;
    for (let end = chunk.indexOf(10); end >= 0; end = chunk.indexOf(10, from)) {
      this.#keep(chunk.subarray(from, end));
      lines.push(this.#take());
      from = end + 1;
    }
    this.#keep(chunk.subarray(from));
    return lines;
  }

  #keep(part: Buffer): void {
    if (part.length === 0) return;
    this.#size += part.length;
    if (this.#size > maxLineBytes) {
      this.#take();
      throw new Error(`The server sent a line of more than ${maxLineBytes / 1024 / 1024} MB.`);
    }
    this.#parts.push(part);
  }

  #take(): string {
    const bytes = this.#parts.length === 1 ? this.#parts[0] : Buffer.concat(this.#parts);
    this.#parts = [];
    this.#size = 0;
    return bytes?.toString("utf8").replace(/\r$/, "") ?? "";
  }
}
