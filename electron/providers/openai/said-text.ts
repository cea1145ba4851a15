import type { ModelStreamEvent } from "../../agent/ports/ports.ts";
import type { ReplyBuilder } from "../reply-builder.ts";
import { callsInText, callTag, mayBecomeCalls } from "./text-calls.ts";

export interface SaidTextOptions {
  /** Names of the tools that were offered. */
  tools: ReadonlySet<string>;
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
  /** All text that was shown, for what comes of a tag that closes. */
  #said = "";
  /** The text so far, while it may be calls; null: it is not. */
  #calls: string | null;

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
    const calls = hasCalls || isCut ? null : callsInText(text, this.#options.tools);
    if (calls) for (const { name, input } of calls) this.#reply.call(undefined, name, input);
    else shown.push(...this.#say(text));
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
    const text = inSmall(this.#held.trimStart());
    const tag = opening.find((one) => text.startsWith(one));
    if (tag === undefined && opening.some((one) => one.startsWith(text))) return null;
    if (tag !== undefined) this.#held = this.#held.trimStart().slice(tag.length);
    const thinksFirst = this.#options.thinksFirst && !this.#isApart && !this.#isTagged;
    this.#isTagged ||= tag !== undefined;
    this.#state = tag !== undefined || thinksFirst ? "thinking" : "text";
    return [];
  }

  #think(): ModelStreamEvent[] | null {
    const { at, tag } = firstOf(closing, this.#held);
    const thought = this.#held.slice(0, at);
    this.#held = this.#held.slice(at + (tag?.length ?? 0));
    if (tag !== null) {
      this.#isTagged = true;
      this.#state = "answer";
    } else if (thought === "") return null;
    return this.#reply.thinking(thought);
  }

  #speak(): ModelStreamEvent[] | null {
    const marks = [...(this.#isTagged ? [] : closing), ...(this.#options.tools.size > 0 ? [callTag] : [])];
    const { at, tag } = firstOf(marks, this.#held);
    const text = this.#held.slice(0, at);
    if (tag === callTag) {
      const goesOn = this.#calls !== null && mayBecomeCalls(this.#calls + text);
      const isText = goesOn || endsInCode(this.#said + text);
      this.#held = this.#held.slice(isText ? at + tag.length : at);
      const shown = this.#say(isText ? text + tag : text);
      // From here on it may be calls.
      if (!isText) this.#calls = "";
      return shown;
    }
    if (tag === null) {
      this.#held = this.#held.slice(at);
      return text === "" ? null : this.#say(text);
    }
    const before = this.#said + text;
    this.#held = this.#held.slice(at + tag.length);
    if (!closesThinking(before, tag)) return this.#say(text + tag);
    // Its template opened the tag for it: all that was said so far was thought.
    this.#isTagged = true;
    this.#state = "answer";
    if (!this.#isApart) this.#options.onThinksFirst(true);
    this.#reply.text((this.#calls ?? "") + text);
    this.#calls &&= "";
    return this.#reply.textWasThought();
  }

  #say(text: string): ModelStreamEvent[] {
    this.#said += text;
    if (this.#calls === null) return this.#reply.text(text);
    this.#calls += text;
    if (this.#calls.length > longestStart || mayBecomeCalls(this.#calls)) return [];
    const held = this.#calls;
    this.#calls = null;
    return this.#reply.text(held);
  }
}

/** A text that may be calls up to here, in characters, may be so to its end. */
const longestStart = 1000;

/** As long as it was: some letters become two when all are made small. */
const inSmall = (text: string) => text.replace(/[A-Z]/g, (letter) => letter.toLowerCase());

const endsInCode = (text: string) => text.split("`").length % 2 === 0;

/** Where the first of the marks stands; without one (`tag` null) where one may begin that is not whole yet. */
function firstOf(marks: readonly string[], text: string): { at: number; tag: string | null } {
  const small = inSmall(text);
  const found = marks
    .map((tag) => ({ at: small.indexOf(tag), tag }))
    .filter(({ at }) => at >= 0)
    .sort((one, other) => one.at - other.at)[0];
  if (found) return found;
  const longest = Math.max(...marks.map(({ length }) => length)) - 1;
  for (let at = Math.max(0, small.length - longest); at < small.length; at++) {
    if (marks.some((tag) => tag.startsWith(small.slice(at)))) return { at, tag: null };
  }
  return { at: small.length, tag: null };
}

/** A closing tag ends a thought, unless the text speaks of tags: in code, in quotation marks, or beside one that opens. */
function closesThinking(before: string, tag: string): boolean {
  const isQuoted = /["'“‘„«(]$/.test(before);
  return !endsInCode(before) && !isQuoted && !before.toLowerCase().includes(tag.replace("/", ""));
}
