import { isPrompt, type Message, type Usage } from "../../../shared/conversation/messages.ts";
import type { ApiMessage } from "../ports/ports.ts";
import { growingApiMessages, toolUsesOf } from "./history.ts";
import { tokensOf, tokensOfAll } from "./token-estimate.ts";
import { cutPoint, holdsResults } from "./trim.ts";

/**
 * A conversation's messages, and what of them a request carries: the first prompt and the last summary, which always
 * stay; the latest prompt, so that a long run does not forget what it is about; and what came after the summary, less
 * what was trimmed. The history itself only ever grows. Sizes are kept as running sums.
 */
export class Context {
  readonly #history: Message[] = [];
  readonly #toolUseIds = new Set<string>();
  readonly #apiMessages = growingApiMessages();
  #replies = 0;
  #first: Message | null = null;
  #summary: Message | null = null;
  /** What the summary does not stand for; of it, the first `#trimmed` are no longer sent. */
  #rest: Message[] = [];
  #trimmed = 0;
  #prompt: Message | null = null;
  /** Its place in `#rest`; -1 where the summary stands for it. */
  #promptAt = -1;
  #estimate = 0;
  /** The provider's own count of the last request and its reply, and our estimate of what came since. */
  #counted: number | null = null;
  #since = 0;
  /** What requests carry beside messages (instructions and tools), as the first counted one showed it. */
  #base: number | null = null;
  /** Tokens of the context when the latest prompt came; null: nothing was counted before it. */
  #beforeTurn: number | null = null;
  #lastUsage: Usage | null = null;

  /**
   * @param messages the whole history, or what a run needs of it (`SessionStore.loadContext`)
   * @param repliesBefore replies of the model that are not among them
   */
  constructor(messages: readonly Message[] = [], repliesBefore = 0) {
    for (const message of messages) this.append(message);
    this.#replies += repliesBefore;
  }

  /** All of it that is here, oldest first. */
  get history(): readonly Message[] {
    return this.#history;
  }

  /** Replies of the model so far. */
  get replies(): number {
    return this.#replies;
  }

  hasToolUse(id: string): boolean {
    return this.#toolUseIds.has(id);
  }

  /** What a request carries. */
  sent(): Message[] {
    return [...this.#head(), ...this.#pinned(), ...this.#rest.slice(this.#trimmed)];
  }

  /** The same as the API takes it. What is in it belongs to the history. */
  apiMessages(): ApiMessage[] {
    return this.#apiMessages.of(this.sent());
  }

  /** Nothing that a request carries comes after the last reply, which asked for nothing. */
  get endsWithReply(): boolean {
    return this.apiMessages().at(-1)?.role === "assistant";
  }

  /** Tokens of what a request carries, by our estimate. */
  get estimate(): number {
    return this.#estimate;
  }

  /** Tokens by the provider's last count, and our estimate of what came since; null where it gave none. */
  get counted(): number | null {
    return this.#counted === null ? null : this.#counted + this.#since;
  }

  /** How full it is, and of what. Without a count of the provider's, by our estimate. */
  get figures(): ContextFigures {
    const usedTokens = this.counted ?? this.#estimate + (this.#base ?? 0);
    const baseTokens = Math.min(this.#base ?? 0, usedTokens);
    const earlierTokens = clamp((this.#beforeTurn ?? 0) - baseTokens, 0, usedTokens - baseTokens);
    return {
      usedTokens,
      isCounted: this.#counted !== null,
      baseTokens,
      earlierTokens,
      turnTokens: usedTokens - baseTokens - earlierTokens,
      lastUsage: this.#lastUsage,
    };
  }

  /** Messages that a request carries. */
  get sentCount(): number {
    return this.#head().length + this.#pinned().length + this.#rest.length - this.#trimmed;
  }

  append(message: Message): void {
    this.#history.push(message);
    for (const { id } of toolUsesOf(message.content)) this.#toolUseIds.add(id);
    if (message.role === "assistant") this.#replies++;
    if (message.origin === "summary") {
      this.#startFrom(message);
      return;
    }
    const pinnedBefore = this.#pinned();
    const sentBefore = this.#estimate;
    if (isPrompt(message)) this.#beforeTurn = this.counted;
    if (!this.#first && message.role === "user") this.#first = message;
    else this.#rest.push(message);
    if (isPrompt(message)) {
      this.#prompt = message;
      this.#promptAt = this.#rest.length - 1;
    }
    this.#estimate += tokensOf(message) + tokensOfAll(this.#pinned()) - tokensOfAll(pinnedBefore);
    if (message.role === "assistant" && message.usage) this.#count(message.usage, sentBefore);
    else this.#since += tokensOf(message);
  }

  /**
   * Leaves out the oldest groups where more than `max` messages would be sent, and a fifth more than that needs: a cut
   * that moved in every round would make the provider's cache useless.
   * @param max 0 = no limit
   * @returns how many are left out that were not before
   */
  trim(max: number): number {
    const before = this.#trimmed;
    while (max > 0 && this.sentCount > max) {
      const goal = this.#trimmed === before ? max - Math.floor(max / 5) : max;
      if (!this.#cut(this.#trimmed + this.sentCount - goal)) break;
    }
    return this.#trimmed - before;
  }

  /** Leaves out the oldest groups until our estimate is `tokens` at most. @returns how many are left out now */
  trimToTokens(tokens: number): number {
    const before = this.#trimmed;
    while (this.#estimate > tokens && this.#cut(this.#trimmed + 1));
    return this.#trimmed - before;
  }

  /**
   * What a summary can stand for: the last summary and all after it, but for the last `protectedTail` messages and the
   * calls of results among those. null where there is nothing new.
   */
  summarisable(protectedTail: number): Summarisable | null {
    let end = this.#rest.length - protectedTail;
    while (end > 0 && holdsResults(this.#rest[end])) end--;
    const last = this.#rest[end - 1];
    if (!last) return null;
    const fresh = this.#rest.slice(0, end);
    return {
      messages: this.#summary ? [this.#summary, ...fresh] : fresh,
      first: this.#first,
      covers: last.id,
      /** Only what is still sent can be saved. */
      savedTokens: tokensOfAll(this.#rest.slice(this.#trimmed, end)),
    };
  }

  #startFrom(summary: Message): void {
    this.#summary = summary;
    // What it covers need not be here: only what a run needs is loaded. One that does not say stands for all before it.
    const end =
      summary.covers === undefined
        ? this.#history.length
        : this.#history.findIndex(({ id }) => id === summary.covers);
    const from = end + 1;
    this.#rest = this.#history
      .slice(from)
      .filter((message) => message.origin !== "summary" && message !== this.#first);
    this.#promptAt = this.#prompt ? this.#rest.indexOf(this.#prompt) : -1;
    this.#trimmed = 0;
    this.#estimate = tokensOfAll(this.sent());
    // The last count was of what is no longer sent.
    this.#counted = null;
    this.#since = 0;
    this.#beforeTurn = null;
  }

  /** @param sentTokens of the messages of the request, by our estimate */
  #count(usage: Usage, sentTokens: number): void {
    const input = usage.inputTokens + usage.cacheReadTokens + usage.cacheWriteTokens;
    // Servers that do not count answer with zeros.
    this.#counted = input > 0 ? input + usage.outputTokens : null;
    this.#since = 0;
    if (input === 0) return;
    this.#lastUsage = usage;
    this.#base ??= Math.max(0, input - sentTokens);
  }

  /** @returns false when nothing more can go */
  #cut(wanted: number): boolean {
    const at = cutPoint(this.#rest, this.#trimmed, wanted);
    if (at <= this.#trimmed) return false;
    const pinnedBefore = this.#pinned();
    const dropped = this.#rest.slice(this.#trimmed, at);
    this.#trimmed = at;
    const less = tokensOfAll(dropped) + tokensOfAll(pinnedBefore) - tokensOfAll(this.#pinned());
    this.#estimate -= less;
    if (this.#counted !== null) this.#counted = Math.max(0, this.#counted - less);
    return true;
  }

  #head(): Message[] {
    return [this.#first, this.#summary].filter((message) => message !== null);
  }

  #pinned(): Message[] {
    const isSentAnyway = this.#prompt === this.#first || this.#promptAt >= this.#trimmed;
    return this.#prompt && !isSentAnyway ? [this.#prompt] : [];
  }
}

const clamp = (value: number, least: number, most: number) => Math.min(most, Math.max(least, value));

/** Tokens of what a request carries; the three parts make up `usedTokens`. */
export interface ContextFigures {
  usedTokens: number;
  /** By the provider's count. */
  isCounted: boolean;
  /** Instructions and tools, about: nobody counts them apart. */
  baseTokens: number;
  /** Messages before the latest prompt. */
  earlierTokens: number;
  /** The latest prompt, and what came of it. */
  turnTokens: number;
  /** Of the last counted request. */
  lastUsage: Usage | null;
}

export interface Summarisable {
  messages: Message[];
  /** The first prompt, which stays as it is. */
  first: Message | null;
  /** The id of the last message among them. */
  covers: string;
  /** How much shorter a request gets, less the summary. */
  savedTokens: number;
}
