import type { FileHandle } from "node:fs/promises";
import { open } from "node:fs/promises";

/**
 * How likely a sentence ends after given words, as the language model inside a Vosk model of any language has it: its file
 * `graph/Gr.fst`, in OpenFst's `ngram` format. Words are a tree, of which each node stands for the latest words of a
 * sentence, the last one first; what a node lacks its parent knows. The tree's shape is written as bits: of each node in turn
 * a 1 for each child, and a 0.
 */
export class SentenceEnds {
  readonly #tree: Tree;

  private constructor(tree: Tree) {
    this.#tree = tree;
  }

  /** @returns null where the file is not there or of another format */
  static async read(path: string): Promise<SentenceEnds | null> {
    let handle: FileHandle;
    try {
      handle = await open(path, "r");
    } catch {
      return null;
    }
    try {
      const tree = await readTree(new Cursor(handle));
      return tree && new SentenceEnds(tree);
    } catch {
      // Cut off, or a file of something else: sentences are judged without it.
      return null;
    } finally {
      await handle.close();
    }
  }

  /**
   * @param latest the numbers of the words, the last one first; below 0: not in the model's vocabulary
   * @returns −ln of the likelihood, 0 and up
   */
  cost(latest: readonly number[]): number {
    const { ends, endCosts, backOff, endRank } = this.#tree;
    const path = [0];
    for (const word of latest) {
      const child = word < 0 ? -1 : this.#child(path.at(-1) ?? 0, word);
      if (child < 0) break;
      path.push(child);
    }
    let cost = 0;
    for (const node of path.reverse()) {
      if (bitAt(ends, node)) return cost + (endCosts[endRank(node)] ?? 0);
      cost += backOff[node] ?? 0;
    }
    return cost;
  }

  #child(node: number, word: number): number {
    const { zeros, words } = this.#tree;
    const [before = 0, after = 0] = zeros.subarray(node, node + 2);
    // Up to `before` there are `node + 1` zeros: the rest are the ones of the nodes so far.
    let low = before - node;
    let high = low + (after - before - 1) - 1;
    while (low <= high) {
      const middle = (low + high) >> 1;
      const found = words[middle] ?? 0;
      if (found === word) return middle;
      if (found < word) low = middle + 1;
      else high = middle - 1;
    }
    return -1;
  }
}

interface Tree {
  /** Where the 0s of the tree's shape are: node `n` has its children between number `n` and `n + 1`. */
  zeros: Int32Array;
  /** Of each node. */
  words: Int32Array;
  backOff: Float32Array;
  /** A bit for each node: a sentence may end there. */
  ends: Uint8Array;
  endCosts: Float32Array;
  /** How many ends there are before a node. */
  endRank(node: number): number;
}

const fstMagic = 0x7eb2fdd6;
const tableMagic = 0x7eb2fb74;
/** More nodes than any model has: it is another file. */
const mostNodes = 50_000_000;
const mostWords = 5_000_000;

async function readTree(file: Cursor): Promise<Tree | null> {
  if ((await file.int32()) !== fstMagic || (await file.text()) !== "ngram") return null;
  await file.text();
  await file.int32();
  const flags = await file.int32();
  // Properties, the first state, states, arcs.
  await file.skip(4 * 8);
  for (const table of [1, 2]) {
    if (flags & table) await skipTable(file);
  }
  const [nodes, arcs, ends] = [await file.int64(), await file.int64(), await file.int64()];
  if (nodes < 1 || nodes > mostNodes || ends > nodes) return null;
  const shape = await file.bytes(wordsOf(2 * nodes + 1));
  await file.skip(wordsOf(arcs + nodes + 1));
  const endBits = Uint8Array.from(await file.bytes(wordsOf(nodes)));
  const words = new Int32Array(await file.copy(4 * (nodes + 1)));
  await file.skip(4 * arcs);
  const backOff = new Float32Array(await file.copy(4 * (nodes + 1)));
  const endCosts = new Float32Array(await file.copy(4 * ends));
  return {
    zeros: zerosOf(shape, nodes),
    words,
    backOff,
    ends: endBits,
    endCosts,
    endRank: rankOf(endBits, nodes),
  };
}

async function skipTable(file: Cursor): Promise<void> {
  if ((await file.int32()) !== tableMagic) throw new Error("no table of words");
  await file.text();
  await file.skip(8);
  const count = await file.int64();
  if (count > mostWords) throw new Error("too many words");
  for (let index = 0; index < count; index++) await file.skip((await file.int32()) + 8);
}

/** Bytes of a row of bits, in whole words of 64. */
const wordsOf = (bits: number) => Math.ceil(bits / 64) * 8;

const bitAt = (bits: Uint8Array, at: number) => (((bits[at >> 3] ?? 0) >> (at & 7)) & 1) === 1;

function zerosOf(shape: Uint8Array, nodes: number): Int32Array {
  const zeros = new Int32Array(nodes + 1);
  let found = 0;
  for (let at = 0; at < 2 * nodes + 1 && found <= nodes; at++) {
    if (!bitAt(shape, at)) zeros[found++] = at;
  }
  return zeros;
}

/** So many nodes share one count: a byte of bits is quick to go through. */
const rankStep = 64;

function rankOf(bits: Uint8Array, nodes: number): (node: number) => number {
  const counts = new Int32Array(Math.ceil(nodes / rankStep) + 1);
  for (let node = 0, count = 0; node < nodes; node++) {
    if (node % rankStep === 0) counts[node / rankStep] = count;
    if (bitAt(bits, node)) count += 1;
  }
  return (node) => {
    const from = Math.floor(node / rankStep) * rankStep;
    let count = counts[from / rankStep] ?? 0;
    for (let at = from; at < node; at++) if (bitAt(bits, at)) count += 1;
    return count;
  };
}

/** Reads a file from its beginning on, little by little; numbers are little-endian. @throws Error at its end */
class Cursor {
  readonly #file: FileHandle;
  #buffer = Buffer.alloc(0);
  /** Where the buffer begins in the file, and what of it was read. */
  #from = 0;
  #read = 0;

  constructor(file: FileHandle) {
    this.#file = file;
  }

  async int32(): Promise<number> {
    return (await this.bytes(4)).readInt32LE(0);
  }

  async int64(): Promise<number> {
    return Number((await this.bytes(8)).readBigInt64LE(0));
  }

  async text(): Promise<string> {
    return (await this.bytes(await this.int32())).toString("utf8");
  }

  async skip(bytes: number): Promise<void> {
    if (bytes < 0) throw new Error("not of this format");
    if (this.#read + bytes <= this.#buffer.length) {
      this.#read += bytes;
      return;
    }
    this.#from += this.#read + bytes;
    this.#read = 0;
    this.#buffer = Buffer.alloc(0);
  }

  async bytes(count: number): Promise<Buffer> {
    if (count < 0) throw new Error("not of this format");
    if (this.#read + count > this.#buffer.length) await this.#fill(count);
    this.#read += count;
    return this.#buffer.subarray(this.#read - count, this.#read);
  }

  async copy(count: number): Promise<ArrayBuffer> {
    const bytes = await this.bytes(count);
    return Uint8Array.from(bytes).buffer;
  }

  async #fill(count: number): Promise<void> {
    this.#from += this.#read;
    this.#read = 0;
    const wanted = Math.max(count, 1 << 20);
    const buffer = Buffer.alloc(wanted);
    const { bytesRead } = await this.#file.read(buffer, 0, wanted, this.#from);
    if (bytesRead < count) throw new Error("cut off");
    this.#buffer = buffer.subarray(0, bytesRead);
  }
}
