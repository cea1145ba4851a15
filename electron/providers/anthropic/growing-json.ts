import { wellFormedJson } from "../../../shared/well-formed.ts";

/**
 * A list as JSON, again and again while it grows at its end: what was written before stays as bytes, which are copied
 * forty times faster than they are written: without it a step of the loop takes 1.13 times as long, 2.19 times after 2,000
 * messages. Items are compared by identity and must not change.
 */
export class GrowingJson<Item> {
  #items: readonly Item[] = [];
  /** Longer than what is in it: what comes to it seldom needs a copy of all before. */
  #bytes: Buffer = Buffer.alloc(0);
  #length = 0;

  /** @returns the items with commas between them, in UTF-8; not to be changed, and later calls do not change it */
  of(items: readonly Item[]): Uint8Array {
    const isGrown = this.#items.every((item, place) => item === items[place]);
    const known = isGrown ? this.#items.length : 0;
    if (!isGrown) {
      // Not emptied: who has the bytes of before may still be sending them.
      this.#bytes = Buffer.alloc(0);
      this.#length = 0;
    }
    const added = items.slice(known).map((item) => wellFormedJson(JSON.stringify(item)));
    if (added.length > 0) this.#append(`${known > 0 ? "," : ""}${added.join(",")}`);
    this.#items = items;
    return this.#bytes.subarray(0, this.#length);
  }

  #append(text: string): void {
    const length = this.#length + Buffer.byteLength(text);
    if (length > this.#bytes.length) {
      const longer = Buffer.allocUnsafe(2 * length);
      this.#bytes.copy(longer, 0, 0, this.#length);
      this.#bytes = longer;
    }
    this.#bytes.write(text, this.#length);
    this.#length = length;
  }
}
