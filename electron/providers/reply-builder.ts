import { type ContentBlock, callsIn, type Usage } from "../../shared/conversation/messages.ts";
import type { ApiMessage, ModelStopReason, ModelStreamEvent } from "../agent/ports/ports.ts";

type TextBlock = Extract<ContentBlock, { type: "text" }>;

/**
 * A reply that grows from deltas, for APIs that do not stream in blocks. Text goes on in the same block until it is
 * ended or a call comes between; a later block begins as a new paragraph.
 */
export class ReplyBuilder {
  readonly #content: ContentBlock[] = [];
  readonly #ids: Set<string>;
  readonly #newId: () => string;
  /** Grows no more. */
  #ended: TextBlock | undefined;

  /** @param messages of the request: their calls' ids are taken */
  constructor(messages: readonly ApiMessage[], newId: () => string) {
    this.#ids = new Set(messages.flatMap(callsIn));
    this.#newId = newId;
  }

  /** @returns what is to be shown */
  text(delta: string): ModelStreamEvent[] {
    if (delta === "") return [];
    const open = this.#open("text");
    if (open && open !== this.#ended) {
      open.text += delta;
      return [{ type: "text", text: delta }];
    }
    const gap = this.#content.some(({ type }) => type === "text") ? "\n\n" : "";
    this.#content.push({ type: "text", text: delta });
    return [{ type: "text", text: gap + delta }];
  }

  /** What comes next is a text of its own. */
  endText(phase?: TextBlock["phase"]): void {
    const open = this.#open("text");
    if (!open || open === this.#ended) return;
    this.#ended = open;
    if (phase) open.phase = phase;
  }

  thinking(delta: string): ModelStreamEvent[] {
    if (delta === "") return [];
    const open = this.#open("thinking");
    if (open?.signature === "") open.thinking += delta;
    else this.#content.push({ type: "thinking", thinking: delta, signature: "" });
    return [{ type: "thinking", text: delta }];
  }

  /** Signs the thinking so far; where there was none to be seen, the signature stands alone. */
  sign(signature: string): void {
    const open = this.#open("thinking");
    if (open?.signature === "") open.signature = signature;
    else this.#content.push({ type: "thinking", thinking: "", signature });
  }

  /**
   * What was said so far was thought.
   * @returns what is to be shown in place of all that was
   */
  textWasThought(): ModelStreamEvent[] {
    for (const [place, block] of this.#content.entries()) {
      if (block.type === "text")
        this.#content[place] = { type: "thinking", thinking: block.text, signature: "" };
    }
    return this.#again();
  }

  /**
   * What was thought so far was not.
   * @returns all of it, to be said as what it is, and what is to be shown in place of all that was
   */
  takeBackThought(): { taken: string; shown: ModelStreamEvent[] } {
    let taken = "";
    for (const block of this.#content.splice(0)) {
      if (block.type === "thinking" && block.signature === "") taken += block.thinking;
      else this.#content.push(block);
    }
    return { taken, shown: this.#again() };
  }

  #again(): ModelStreamEvent[] {
    const shown = this.#content.flatMap((block): ModelStreamEvent[] => {
      if (block.type === "text") return [{ type: "text", text: block.text }];
      return block.type === "thinking" ? [{ type: "thinking", text: block.thinking }] : [];
    });
    return [{ type: "reset" }, ...shown];
  }

  /** A whole call. Where the server gave no id, or one that the conversation has already, it gets one of ours. */
  call(id: string | undefined, name: string, input: unknown): void {
    const own = id && !this.#ids.has(id) ? id : `call_${this.#newId()}`;
    this.#ids.add(own);
    this.#content.push({ type: "tool_use", id: own, name, input });
  }

  finish(reason: ModelStopReason, usage: Usage, model: string): ModelStreamEvent {
    const content = [...this.#content];
    return { type: "message", message: { content, stopReason: this.#stopReason(reason), usage, model } };
  }

  /** Servers disagree on what ends a reply with calls; the calls themselves do not lie. */
  #stopReason(reason: ModelStopReason): ModelStopReason {
    const calls = this.#content.some(({ type }) => type === "tool_use");
    if (reason === "end_turn" && calls) return "tool_use";
    return reason === "tool_use" && !calls ? "end_turn" : reason;
  }

  /** The block of this type that still grows: a call ends all before it. */
  #open<T extends "text" | "thinking">(type: T): Extract<ContentBlock, { type: T }> | undefined {
    const lastCall = this.#content.findLastIndex((block) => block.type === "tool_use");
    return this.#content
      .slice(lastCall + 1)
      .findLast((block): block is Extract<ContentBlock, { type: T }> => block.type === type);
  }
}
