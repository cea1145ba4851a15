import type { ModelStreamEvent } from "../../agent/ports/ports.ts";
import type { ReplyBuilder } from "../reply-builder.ts";
import { openCode } from "./open-code.ts";
import { anyOf, callMarks, callsInText, mayBecomeCalls, type Offered } from "./text-calls.ts";

export interface SaidTextOptions {
  tools: Offered;
  /** The model's replies begin with thinking that only its end is marked of. */
  thinksFirst: boolean;
  /** That was seen of the model just now, or that it does so no more. */
  onThinksFirst(isSo: boolean): void;
}

/** What models put around their thinking where their server does not take it out of the text. */
const tags = ["think", "thinking", "thought", "reasoning", "seed:think"];
const opening = [...tags.map((tag) => `<${tag}>`), "[think]"];
const closing = [...tags.map((tag) => `</${tag}>`), "[/think]"];

/**
 * The text of a reply without what does not belong into it: thinking between tags, at the reply's beginning, becomes thinking,
 * and calls of tools, written as text, become calls. What only speaks of tags stays, and so does JSON that calls nothing.
 */
export class SaidText {
  readonly #reply: ReplyBuilder;
  readonly #options: SaidTextOptions;
  #state: "beginning" | "thinking" | "answer" | "text" = "beginning";
  /** Its thinking has a tag, at one end at least. */
  #isTagged = false;
  /** It comes in a field of its own. */
  #isApart = false;
  /** Not shown yet: what comes next tells what it is. */
  #held = "";
  /** Of the text so far, what tells whether a tag is meant: tags that opened, what code goes on, its last line. */
  readonly #opened = new Set<string>();
  #code = "";
  /** Not looked through for code yet: it begins the text or with a tag. */
  #unread = "";
  #isLineEmpty = true;
  /** How it begins. */
  #line = "";
  #last = "";
  /** The text so far, while it may be calls; null: it is not. */
  #calls: string | null;
  /** It began in a line of its own. */
  #callsOwnLine = true;

  constructor(reply: ReplyBuilder, options: SaidTextOptions) {
    this.#reply = reply;
    this.#options = options;
    this.#calls = options.tools.size > 0 ? "" : null;
  }

  /** Its thinking comes beside the text: nothing of the text is thinking that has no tag. */
  thoughtApart(): void {
    this.#isApart = true;
  }

  /** @returns what is to be shown */
  add(delta: string): ModelStreamEvent[] {
    if (delta === "") return [];
    this.#held += delta;
    const shown: ModelStreamEvent[] = [];
    for (let more = this.#next(); more !== null; more = this.#next()) shown.push(...more);
    return shown;
  }

  /**
   * What was held back, and the calls in the text.
   * @param isCut the reply reached its limit
   * @param hasCalls it calls tools as it should
   */
  end({ isCut, hasCalls }: { isCut: boolean; hasCalls: boolean }): ModelStreamEvent[] {
    const held = this.#held;
    this.#held = "";
    // Of a model that thinks first nothing marked an end: it did not think.
    if (this.#state === "thinking" && !this.#isTagged && !isCut) {
      this.#options.onThinksFirst(false);
      this.#state = "text";
      const { taken, shown } = this.#reply.takeBackThought();
      return [...shown, ...this.add(taken + held), ...this.end({ isCut, hasCalls })];
    }
    const shown = this.#state === "thinking" ? this.#reply.thinking(held) : this.#say(held);
    const text = this.#calls ?? "";
    this.#calls = null;
    const found = hasCalls || isCut ? null : callsInText(text, this.#options.tools, this.#callsOwnLine);
    shown.push(...this.#say(found?.words ?? text));
    for (const { name, input } of found?.calls ?? []) this.#reply.call(undefined, name, input);
    return shown;
  }

  /** @returns what one step of what is held shows; null where it waits for more */
  #next(): ModelStreamEvent[] | null {
    switch (this.#state) {
      case "beginning":
        return this.#begin();
      case "thinking":
        return this.#think();
      case "answer": {
        // The line break behind the thinking.
        this.#held = this.#held.trimStart();
        // Some think in two parts, the first of them often empty.
        return this.#held === "" ? null : this.#begin();
      }
      case "text":
        return this.#speak();
    }
  }

  #begin(): ModelStreamEvent[] | null {
    const text = inSmall(this.#held.slice(0, longestStart).trimStart());
    const tag = opening.find((one) => text.startsWith(one));
    const isOpen = tag === undefined && this.#held.length < longestStart;
    if (isOpen && opening.some((one) => one.startsWith(text))) return null;
    if (tag !== undefined) this.#held = this.#held.trimStart().slice(tag.length);
    const thinksFirst = this.#options.thinksFirst && !this.#isApart && !this.#isTagged;
    this.#isTagged ||= tag !== undefined;
    this.#state = tag !== undefined || thinksFirst ? "thinking" : "text";
    return [];
  }

  #think(): ModelStreamEvent[] | null {
    const { at, mark } = inThinking(this.#held);
    const thought = this.#held.slice(0, at);
    this.#held = this.#held.slice(at + mark.length);
    if (mark !== "") {
      this.#isTagged = true;
      this.#state = "answer";
    } else if (thought === "") return null;
    return this.#reply.thinking(thought);
  }

  #speak(): ModelStreamEvent[] | null {
    const hasTools = this.#options.tools.size > 0;
    const find = this.#isTagged ? (hasTools ? inAnswer : nowhere) : hasTools ? inText : inPlainText;
    const { at, mark } = find(this.#held);
    const text = this.#held.slice(0, at);
    this.#held = this.#held.slice(at + mark.length);
    if (mark === "") return text === "" ? null : this.#say(text);
    const shown = this.#say(text);
    const tag = inSmall(mark);
    if (closing.includes(tag)) {
      if (this.#isMeant() && !this.#opened.has(tag.replace("/", ""))) return this.#thoughtAll();
    } else if (opening.includes(tag)) this.#opened.add(tag);
    else if (this.#calls === null && this.#isMeant() && !this.#isLineQuoted()) {
      // From here on it may be calls.
      this.#calls = "";
      this.#callsOwnLine = this.#isLineEmpty;
    }
    return [...shown, ...this.#say(mark)];
  }

  /** Its template opened the tag for it: all that was said so far was thought. */
  #thoughtAll(): ModelStreamEvent[] {
    this.#isTagged = true;
    this.#state = "answer";
    if (!this.#isApart) this.#options.onThinksFirst(true);
    this.#reply.text(this.#calls ?? "");
    this.#calls = this.#options.tools.size > 0 ? "" : null;
    this.#callsOwnLine = true;
    return this.#reply.textWasThought();
  }

  /** A tag that comes now is one, unless the text speaks of tags: in code or in quotation marks. */
  #isMeant(): boolean {
    this.#code = openCode(this.#unread, this.#code);
    this.#unread = "";
    return this.#code === "" && !/["'“‘„«(]/.test(this.#last);
  }

  /** The last line stands in a quotation, or is one of code. */
  #isLineQuoted(): boolean {
    return (this.#isLineEmpty ? /^(?: {4}| {0,3}\t)/ : /^ {0,3}>/).test(this.#line);
  }

  #say(text: string): ModelStreamEvent[] {
    if (text === "") return [];
    this.#unread += text;
    const line = text.lastIndexOf("\n");
    this.#isLineEmpty = (line >= 0 || this.#isLineEmpty) && text.slice(line + 1).trim() === "";
    this.#line = ((line < 0 ? this.#line : "") + text.slice(line + 1)).slice(0, 4);
    this.#last = text.at(-1) ?? "";
    if (this.#calls === null) return this.#reply.text(text);
    const isKnown = this.#calls.length >= longestStart;
    this.#calls += text;
    if (isKnown || mayBecomeCalls(this.#calls.slice(0, longestStart), this.#options.tools)) return [];
    const held = this.#calls;
    this.#calls = null;
    return this.#reply.text(held);
  }
}

/** A text that may be calls up to here, in characters, may be so to its end. */
const longestStart = 1000;

/** As long as it was: some letters become two when all are made small. */
const inSmall = (text: string) => text.replace(/[A-Z]/g, (letter) => letter.toLowerCase());

const inThinking = finder(closing);
const inPlainText = finder([...closing, ...opening]);
const inText = finder([...closing, ...opening, ...callMarks]);
const inAnswer = finder(callMarks);
const nowhere = (text: string) => ({ at: text.length, mark: "" });

/**
 * Finds the first of these marks, in letters of either size; without one (`mark` empty) where one may begin that is not whole
 * yet.
 */
function finder(marks: readonly string[]): (text: string) => { at: number; mark: string } {
  const pattern = new RegExp(anyOf(marks), "i");
  const small = marks.map(inSmall);
  const longest = Math.max(...marks.map(({ length }) => length)) - 1;
  return (text) => {
    const found = pattern.exec(text);
    if (found) return { at: found.index, mark: found[0] };
    for (let at = Math.max(0, text.length - longest); at < text.length; at++) {
      if (text[at] !== "<" && text[at] !== "[") continue;
      const begun = inSmall(text.slice(at));
      if (small.some((mark) => mark.startsWith(begun))) return { at, mark: "" };
    }
    return { at: text.length, mark: "" };
  };
}
