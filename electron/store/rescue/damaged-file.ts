import { closeSync, openSync, readSync } from "node:fs";
import type { SqlValue } from "../database/database.ts";

/** A row, or an entry of an index, as it stands on a page. */
export interface Cell {
  /** null: the page is of an index, or of a table without row ids. */
  rowid: number | null;
  values: SqlValue[];
}

export interface BtreePage {
  isOfIndex: boolean;
  /** Numbers of the pages below it. */
  children: number[];
  cells: Cell[];
  /** Nothing on it is unreadable. */
  isWhole: boolean;
}

const defaultPageBytes = 4096;
const magic = "SQLite format 3\0";
/** Of page 1, before what every page has. */
const headerBytes = 100;
const frameBytes = 24;

/**
 * The pages of a database that SQLite cannot read, or not all of, with what its log has of them: each for itself, whatever
 * became of the others. Source: https://www.sqlite.org/fileformat2.html
 */
export class DamagedFile {
  readonly #file: number;
  readonly #log: number | null;
  readonly #logged: ReadonlyMap<number, number>;
  readonly #pageBytes: number;
  /** Of a page, what is there for rows. */
  readonly #usable: number;
  /** So many pages it has, or had before its end was lost. */
  readonly pages: number;
  /** Pages that hold nothing any more; null: that cannot be told. */
  readonly free: ReadonlySet<number> | null;

  /** @throws what the file system says */
  constructor(path: string) {
    this.#file = openSync(path, "r");
    this.#log = openIfThere(`${path}-wal`);
    const log = this.#log === null ? null : framesOf(this.#log);
    this.#logged = log?.frames ?? new Map();
    this.#pageBytes = log?.pageBytes ?? pageBytesIn(readAt(this.#file, 0, headerBytes)) ?? defaultPageBytes;
    const head = this.page(1);
    const isHeadSound = pageBytesIn(head) === this.#pageBytes;
    this.#usable = this.#pageBytes - (isHeadSound ? (head?.[20] ?? 0) : 0);
    let last = this.#pagesInFile();
    for (const number of this.#logged.keys()) last = Math.max(last, number);
    const said = isHeadSound ? (head?.readUInt32BE(28) ?? 0) : 0;
    // Behind the end that its log has, a file keeps what is to be cut off.
    const pages = log?.pages ? log.pages : Math.max(last, said);
    // What no file can have is itself damage.
    this.pages = pages > 4 * last + 1024 ? last : pages;
    this.free = isHeadSound && head ? this.#freePages(head) : null;
  }

  close(): void {
    closeSync(this.#file);
    if (this.#log !== null) closeSync(this.#log);
  }

  /** @returns null where it is not there */
  page(number: number): Buffer | null {
    const at = this.#logged.get(number);
    if (at !== undefined && this.#log !== null) return readAt(this.#log, at, this.#pageBytes);
    return number < 1 ? null : readAt(this.#file, (number - 1) * this.#pageBytes, this.#pageBytes);
  }

  /** @returns null where it is none, or is not there */
  btreePage(number: number): BtreePage | null {
    const page = this.page(number);
    if (!page) return null;
    const head = number === 1 ? headerBytes : 0;
    const type = page[head] ?? 0;
    const isLeaf = type === 10 || type === 13;
    if (!isLeaf && type !== 2 && type !== 5) return null;
    const isOfIndex = type === 2 || type === 10;
    const pointers = head + (isLeaf ? 8 : 12);
    const count = page.readUInt16BE(head + 3);
    const end = pointers + 2 * count;
    if (end > this.#usable) return null;
    const found: BtreePage = { isOfIndex, children: [], cells: [], isWhole: true };
    for (let at = pointers; at < end; at += 2) {
      const cell = page.readUInt16BE(at);
      if (cell < end || cell > this.#usable - 4) {
        found.isWhole = false;
        continue;
      }
      if (!isLeaf) found.children.push(page.readUInt32BE(cell));
      if (!isLeaf && !isOfIndex) continue;
      try {
        found.cells.push(this.#cell(page, isLeaf ? cell : cell + 4, isOfIndex));
      } catch {
        found.isWhole = false;
      }
    }
    if (!isLeaf) found.children.push(page.readUInt32BE(head + 8));
    return found;
  }

  #pagesInFile(): number {
    let [there, missing] = [0, 1];
    while (this.#isInFile(missing)) [there, missing] = [missing, missing * 2];
    while (missing - there > 1) {
      const middle = Math.floor((there + missing) / 2);
      if (this.#isInFile(middle)) there = middle;
      else missing = middle;
    }
    return there;
  }

  #isInFile(number: number): boolean {
    return readAt(this.#file, number * this.#pageBytes - 1, 1) !== null;
  }

  #freePages(head: Buffer): ReadonlySet<number> | null {
    const free = new Set<number>();
    for (let trunk = head.readUInt32BE(32); trunk !== 0; ) {
      const page = free.has(trunk) ? null : this.page(trunk);
      const count = page?.readUInt32BE(4) ?? Number.POSITIVE_INFINITY;
      if (!page || count > this.#usable / 4 - 2) return null;
      free.add(trunk);
      for (let place = 0; place < count; place++) free.add(page.readUInt32BE(8 + 4 * place));
      trunk = page.readUInt32BE(0);
    }
    return free;
  }

  /** @throws RangeError where it is not as SQLite writes one */
  #cell(page: Buffer, start: number, isOfIndex: boolean): Cell {
    const [bytes, afterBytes] = varint(page, start);
    const [rowid, afterRowid] = isOfIndex ? [null, afterBytes] : varint(page, afterBytes);
    return { rowid, values: valuesIn(this.#payload(page, afterRowid, bytes, isOfIndex)) };
  }

  /** What does not fit on the page goes on on others. */
  #payload(page: Buffer, start: number, bytes: number, isOfIndex: boolean): Buffer {
    if (bytes > this.pages * this.#pageBytes) throw new RangeError("longer than its file");
    const usable = this.#usable;
    const least = Math.floor(((usable - 12) * 32) / 255) - 23;
    const most = isOfIndex ? Math.floor(((usable - 12) * 64) / 255) - 23 : usable - 35;
    if (bytes <= most) return part(page, start, bytes);
    const rest = least + ((bytes - least) % (usable - 4));
    const here = rest <= most ? rest : least;
    const parts = [part(page, start, here)];
    let next = page.readUInt32BE(start + here);
    for (let left = bytes - here; left > 0; left -= usable - 4) {
      const further = this.page(next);
      if (!further) throw new RangeError("its page is not there");
      parts.push(part(further, 4, Math.min(left, usable - 4)));
      next = further.readUInt32BE(0);
    }
    return Buffer.concat(parts);
  }
}

/** @returns null: it is no page size, so what was read is no header */
function pageBytesIn(head: Buffer | null): number | null {
  if (!head || head.toString("latin1", 0, magic.length) !== magic) return null;
  const said = head.readUInt16BE(16);
  const bytes = said === 1 ? 65_536 : said;
  return isPageSize(bytes) ? bytes : null;
}

const isPageSize = (bytes: number) => bytes >= 512 && bytes <= 65_536 && Number.isInteger(Math.log2(bytes));

/**
 * Where in the log the newest of each page stands, as far as its writes were finished. As SQLite does, it ends at the first frame
 * whose checksum is not the sum of all that is before it: what follows is torn, or left from an earlier round of the log.
 * Source: https://www.sqlite.org/fileformat2.html#walformat
 */
function framesOf(log: number): { pageBytes: number; pages: number; frames: Map<number, number> } | null {
  const head = readAt(log, 0, 32);
  if (!head || head.readUInt32BE(0) >>> 1 !== 0x377f0682 >>> 1) return null;
  const pageBytes = head.readUInt32BE(8);
  const isBigEndian = (head.readUInt32BE(0) & 1) === 1;
  let sum = checksum(head.subarray(0, 24), [0, 0], isBigEndian);
  if (!isPageSize(pageBytes) || !isSumAt(head, 24, sum)) return null;
  const frames = new Map<number, number>();
  let unfinished = new Map<number, number>();
  let pages = 0;
  for (let at = 32; ; at += frameBytes + pageBytes) {
    const frame = readAt(log, at, frameBytes + pageBytes);
    if (!frame?.subarray(8, 16).equals(head.subarray(16, 24))) break;
    sum = checksum(frame.subarray(0, 8), sum, isBigEndian);
    sum = checksum(frame.subarray(frameBytes), sum, isBigEndian);
    if (!isSumAt(frame, 16, sum)) break;
    unfinished.set(frame.readUInt32BE(0), at + frameBytes);
    const size = frame.readUInt32BE(4);
    if (size === 0) continue;
    for (const [number, place] of unfinished) frames.set(number, place);
    unfinished = new Map();
    pages = size;
  }
  return { pageBytes, pages, frames };
}

type Checksum = [first: number, second: number];

/** Goes on from that of what is before `bytes`, whose length is a multiple of 8. */
function checksum(bytes: Buffer, [first, second]: Checksum, isBigEndian: boolean): Checksum {
  const words = new DataView(bytes.buffer, bytes.byteOffset, bytes.length);
  for (let at = 0; at < bytes.length; at += 8) {
    first = (first + words.getUint32(at, !isBigEndian) + second) >>> 0;
    second = (second + words.getUint32(at + 4, !isBigEndian) + first) >>> 0;
  }
  return [first, second];
}

const isSumAt = (bytes: Buffer, at: number, [first, second]: Checksum) =>
  bytes.readUInt32BE(at) === first && bytes.readUInt32BE(at + 4) === second;

/** @throws RangeError */
function valuesIn(record: Buffer): SqlValue[] {
  const [headEnd, start] = varint(record, 0);
  const values: SqlValue[] = [];
  let body = headEnd;
  for (let at = start; at < headEnd; ) {
    const [type, next] = varint(record, at);
    const bytes = bytesOfType(type);
    values.push(columnValue(type, part(record, body, bytes)));
    body += bytes;
    at = next;
  }
  if (body !== record.length) throw new RangeError("another length");
  return values;
}

const numberBytes = [0, 1, 2, 3, 4, 6, 8, 8, 0, 0];

function bytesOfType(type: number): number {
  if (type >= 12) return Math.floor((type - 12) / 2);
  const bytes = numberBytes[type];
  if (bytes === undefined) throw new RangeError("no type of SQLite's");
  return bytes;
}

function columnValue(type: number, bytes: Buffer): SqlValue {
  if (type >= 12) return type % 2 === 0 ? bytes : bytes.toString("utf8");
  if (type === 0) return null;
  if (type === 7) return bytes.readDoubleBE(0);
  if (type >= 8) return type - 8;
  return type === 6 ? Number(bytes.readBigInt64BE(0)) : bytes.readIntBE(0, bytes.length);
}

function varint(bytes: Buffer, start: number): [value: number, next: number] {
  let value = 0;
  for (let at = start; at < start + 8; at++) {
    const byte = bytes.readUInt8(at);
    value = value * 128 + (byte & 0x7f);
    if (byte < 0x80) return [value, at + 1];
  }
  return [value * 256 + bytes.readUInt8(start + 8), start + 9];
}

/** @throws RangeError where it is not all there */
function part(bytes: Buffer, start: number, length: number): Buffer {
  if (start + length > bytes.length) throw new RangeError("beyond the end");
  return bytes.subarray(start, start + length);
}

/** @returns null where it is not all there, or the disk cannot read it */
function readAt(file: number, position: number, length: number): Buffer | null {
  const bytes = Buffer.alloc(length);
  try {
    return readSync(file, bytes, 0, length, position) === length ? bytes : null;
  } catch {
    return null;
  }
}

function openIfThere(path: string): number | null {
  try {
    return openSync(path, "r");
  } catch {
    return null;
  }
}
