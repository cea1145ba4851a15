import { SpeechText } from "../../../shared/voice/speech-text.ts";
import { spokenSegments } from "../../../shared/voice/spoken-markdown.ts";
import { sentencesOf } from "./spoken-sentences.ts";

/** A reply of no more is said whole, unless it has a list, a table or code. UTF-16 units of what is said. */
export const shortReply = { sentences: 5, chars: 500 };
/** Of a longer one so much is said: sentences of its first paragraph. UTF-16 units. */
export const longestDigest = { sentences: 3, chars: 350 };
/** A first paragraph with less, such as "Sure!", goes on with the next one. UTF-16 units. */
const fewestLeadChars = 40;

/** What comes first of what is left out. */
export type LeftOut = "text" | "list" | "table" | "code";

/** What is said in place of the rest. */
export const leftOutLines: Record<LeftOut, string> = {
  text: "The rest is on screen. Say “read it all”.",
  list: "The list is on screen. Say “read it all”.",
  table: "The table is on screen. Say “read it all”.",
  code: "The code is on screen.",
};

/**
 * What is said of a reply as it streams: all of a short one, of a longer one its beginning. The first sentences come at once; the
 * others when it is known that the reply is short.
 */
export class SpokenDigest {
  readonly #speech = new SpeechText();
  /** What was read so far, until it is known how much of it is said. */
  #source = "";
  /** How many sentences stand before what the digest never has; null: all so far are before it. */
  #leadSentences: number | null = null;
  #held: string[] = [];
  readonly #said: string[] = [];
  #all = { sentences: 0, chars: 0 };
  /** What was said last is the beginning of a long sentence. */
  #isMidSentence = false;
  #isWhole: boolean;
  #leftOut: LeftOut | null = null;

  constructor(isWhole: boolean) {
    this.#isWhole = isWhole;
  }

  /** What the rest begins with, once it is known that it is not said; null: nothing is left out so far. */
  get leftOut(): LeftOut | null {
    return this.#leftOut;
  }

  /** What the user is to hear, unless all is said. */
  get said(): string {
    return this.#said.join(" ");
  }

  /** @returns the sentences to say now */
  feed(delta: string): string[] {
    const sentences = this.#speech.feed(delta);
    if (this.#isWhole) return sentences;
    if (this.#leftOut === null) {
      this.#source += delta;
      if (sentences.length > 0 || delta.includes("\n")) this.#look(sentences);
    }
    return this.#take(sentences);
  }

  /** The reply has ended. @returns the sentences to say now */
  flush(): string[] {
    const sentences = this.#speech.flush();
    if (this.#isWhole) return sentences;
    if (this.#leftOut === null) this.#look(sentences);
    const now = this.#take(sentences);
    return this.#leftOut === null ? [...now, ...this.readAll()] : now;
  }

  /** From now on all of it is said. @returns what was held back so far */
  readAll(): string[] {
    this.#isWhole = true;
    this.#leftOut = null;
    return this.#held.splice(0);
  }

  #look(sentences: readonly string[]): void {
    const blocks = spokenSegments(this.#source);
    let chars = 0;
    const after = blocks.find((block) => {
      if (bulkIn(block) !== null || chars >= fewestLeadChars) return true;
      chars += block.segments.map(({ text }) => text).join(" ").length;
      return false;
    });
    this.#leadSentences = after ? sentencesOf(this.#source.slice(0, after.start)).length : null;
    this.#all.sentences += sentences.length;
    for (const { length } of sentences) this.#all.chars += length;
    const isShort =
      this.#all.sentences <= shortReply.sentences &&
      this.#all.chars <= shortReply.chars &&
      blocks.every((block) => bulkIn(block) === null);
    if (!isShort) this.#leftOut = (after && bulkIn(after)) ?? "text";
  }

  #take(sentences: readonly string[]): string[] {
    this.#held.push(...sentences);
    const now: string[] = [];
    for (let next = this.#held[0]; next !== undefined && this.#fits(next); next = this.#held[0]) {
      now.push(next);
      this.#held.shift();
      this.#said.push(next);
      this.#isMidSentence = !/[.!?…:؟।۔。！？｡]["'”’)\]」』）】]*$/.test(next);
    }
    return now;
  }

  #fits({ length }: string): boolean {
    const sentences = this.#said.length;
    const chars = this.said.length;
    if (this.#leadSentences !== null && sentences >= this.#leadSentences) return false;
    if (sentences === 0 || (this.#isMidSentence && chars < longestDigest.chars)) return true;
    return sentences < longestDigest.sentences && chars + length <= longestDigest.chars;
  }
}

/** What of a block is looked at rather than listened to. An item without a word may become something else. */
function bulkIn({ type, segments }: ReturnType<typeof spokenSegments>[number]): LeftOut | null {
  if (type === "code" || type === "table") return type;
  return type === "list" && segments.some(({ text }) => text !== "") ? type : null;
}
