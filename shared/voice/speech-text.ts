import { webAddress } from "./said/addresses.ts";
import { saidAs } from "./said/said-as.ts";
import { spokenSegments } from "./spoken-markdown.ts";

/** Longer ones are cut at a clause: what is spoken is made ahead, piece by piece. UTF-16 units. */
export const maxSentenceChars = 240;

/** The Markdown of an open block is read again with each sentence up to here, and then when it is so much longer. UTF-16 units. */
const readAtOnceChars = 1000;
const readAgainShare = 1 / 4;

/**
 * A reply's Markdown as it streams, cut into the sentences that are said of it, in the words in which they are written: a voice
 * gets them as `saidAs` has them. Sentences come as soon as more text shows that they have ended; what has been given out never
 * changes.
 */
export class SpeechText {
  /** From the start of the block that is still being written. */
  #source = "";
  /** UTF-16 units of that block's spoken text that were given out. */
  #given = 0;
  /** How far the source was when it was last read. */
  #looked = 0;
  /** What closes the fenced code that is being written; null: none is. */
  #fence: RegExp | null = null;

  /** @returns the sentences that this delta finished, in order */
  feed(delta: string): string[] {
    this.#source += delta;
    if (!this.#isDue()) return [];
    // A sentence's end shows only by the space behind it and what follows; to parse at every delta would be waste.
    const news = this.#source.slice(Math.max(0, this.#looked - endChars));
    return /[.!?…؟।۔]["'”’)\]*_`]*\s+\S|\n\s*\S|[。！？｡]/.test(news) ? this.#read(false) : [];
  }

  /** A long block is not read again for every line of it: what it says takes its time to be heard. */
  #isDue(): boolean {
    const { length } = this.#source;
    if (this.#fence !== null) {
      // Nothing of it is said before it is closed.
      const line = this.#source.lastIndexOf("\n", this.#looked - 1) + 1;
      const isClosed = this.#fence.test(this.#source.slice(line));
      if (!isClosed) this.#looked = length;
      return isClosed;
    }
    return length <= readAtOnceChars || length >= this.#looked * (1 + readAgainShare);
  }

  /** The text has ended. @returns what is left */
  flush(): string[] {
    const rest = this.#read(true);
    this.reset();
    return rest;
  }

  /** What was fed is void. */
  reset(): void {
    this.#source = "";
    this.#looked = 0;
    this.#given = 0;
    this.#fence = null;
  }

  #read(isEnd: boolean): string[] {
    const blocks = spokenSegments(this.#source);
    const sentences: string[] = [];
    for (const [index, block] of blocks.entries()) {
      const isOpen = !isEnd && index === blocks.length - 1;
      const text = block.segments.map(({ text }) => text).join(segmentEnd);
      const cuts = isOpen ? settledCuts(text, block.isStable) : [...sentenceCuts(text), text.length];
      for (const cut of cuts) {
        if (cut <= this.#given) continue;
        sentences.push(...written(text.slice(this.#given, cut)));
        this.#given = cut;
      }
      if (!isOpen) this.#given = 0;
    }
    const open = blocks.at(-1);
    if (!isEnd && open && blocks.length > 1) this.#source = this.#source.slice(open.start);
    this.#looked = this.#source.length;
    this.#fence = open ? closingFence(this.#source.trimStart()) : null;
    return sentences;
  }
}

/** A sentence's end may have been cut in two by a delta: so much of what was read is looked at again. */
const endChars = 8;

/** What closes the fenced code that a block is, if it is one. */
function closingFence(block: string): RegExp | null {
  const [, fence] = /^(`{3,}|~{3,})[^\n]*\n/.exec(block) ?? [];
  return fence === undefined ? null : new RegExp(`^ {0,3}${fence}`, "m");
}

/** Between the lines of a block that end whether or not a full stop stands there, such as a list's. */
const segmentEnd = "\n";

/** Ends of sentences that more text cannot take back. */
function settledCuts(text: string, isStable: boolean): number[] {
  if (!isStable) return [];
  // Half of a link or of an emphasis: what it becomes is not known before it is closed.
  const unclear = text.search(/[*`[\]~|<>]|__|(?<!\p{L})_/u);
  const known = unclear < 0 ? text.length : unclear;
  return sentenceCuts(text).filter((cut) => cut <= known && /\S/.test(text.slice(cut)));
}

/** Chinese and Japanese sentences end without a space behind them. */
const ends =
  /\n|[.!?…؟।۔]+["'”’)\]]*\s+(?=\S)|[。！？｡]+["'”’)\]」』）】]*\s*(?=[^\s。！？｡"'”’)\]」』）】])/g;

/** Where sentences end in `text`, the one at its own end left out: offsets behind the white space. */
function sentenceCuts(text: string): number[] {
  const cuts: number[] = [];
  for (const match of text.matchAll(ends)) {
    const end = match.index + match[0].length;
    if (match[0].includes(segmentEnd) || endsSentence(text, match.index, end)) cuts.push(end);
  }
  return cuts;
}

function endsSentence(text: string, stop: number, next: number): boolean {
  if (text[stop] !== "." || text[stop + 1] === ".") return true;
  if (/^\p{Ll}/u.test(text.slice(next))) return false;
  const [word = ""] = /[\p{L}\p{N}.]*$/u.exec(text.slice(0, stop)) ?? [];
  if (abbreviations.has(word.toLowerCase())) return false;
  if (/^nos?$/i.test(word)) return !/^\d/.test(text.slice(next));
  const isInitial = /^\p{Lu}$/u.test(word) && text[stop - 2] !== "°";
  // "J. K. Rowling", and "1. First".
  return !isInitial && !(/^\d{1,2}$/.test(word) && isLineStart(text, stop - word.length));
}

const isLineStart = (text: string, at: number) => at === 0 || text[at - 1] === segmentEnd;

/** Words whose full stop ends no sentence, without it. */
const abbreviations = new Set(
  "mr mrs ms dr prof st jr sr vs e.g i.e cf vol fig approx dept est gen gov inc ltd mt p pp sen rev".split(
    " ",
  ),
);

/** Nothing for what cannot be said; several for what is too long for one breath. */
function written(raw: string): string[] {
  const text = raw.replace(/\s+/g, " ").trim();
  return /[\p{L}\p{N}]/u.test(saidAs(text, "")) ? inBreaths(text) : [];
}

const clauseEnds = [", ", "; ", ": ", " – ", " — ", "，", "、", "；", "："];

function inBreaths(text: string): string[] {
  if (text.length <= maxSentenceChars) return [text];
  const head = text.slice(0, maxSentenceChars);
  const clause = Math.max(...clauseEnds.map((mark) => head.lastIndexOf(mark) + 1));
  const space = head.lastIndexOf(" ");
  const whole = /[\ud800-\udbff]$/.test(head) ? head.length - 1 : head.length;
  const place = clause > maxSentenceChars / 3 ? clause : space > 0 ? space : whole;
  const cut = besideAddress(text, place);
  return [text.slice(0, cut).trim(), ...inBreaths(text.slice(cut).trim())];
}

/** Half of an address would be no address. */
function besideAddress(text: string, cut: number): number {
  for (const { 0: address, index } of text.matchAll(webAddress)) {
    if (index < cut && cut < index + address.length) return index === 0 ? address.length : index;
  }
  return cut;
}
