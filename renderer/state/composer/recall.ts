import type { TranscriptItem } from "../../../shared/conversation/transcript.ts";
import { isKeyLine } from "../../../shared/safety/secrets.ts";

/** What the user asked and told Parley in a conversation, oldest first; no line that may hold a key. */
export const askedIn = (items: readonly TranscriptItem[]): string[] =>
  items.flatMap((item) => {
    if (item.kind === "user") return item.source === "loopback" || item.text === "" ? [] : [item.text];
    return item.kind === "command" && !isKeyLine(item.line) ? [item.line] : [];
  });

/**
 * The way back through what was asked before, as in a shell: from an empty text box up to older prompts, down to newer
 * ones and to the empty box. A prompt that was changed is a draft like any other.
 */
export class Recall {
  #place: { prompts: readonly string[]; index: number } | null = null;

  /**
   * @param prompts oldest first
   * @returns the older prompt; null: the key is not for this
   */
  older(text: string, prompts: readonly string[]): string | null {
    const place = this.#at(text);
    if (!place && text !== "") return null;
    const { prompts: all, index } = place ?? { prompts: distinct(prompts), index: distinct(prompts).length };
    const next = all[index - 1];
    if (next === undefined) return place ? text : null;
    this.#place = { prompts: all, index: index - 1 };
    return next;
  }

  /** @returns the newer prompt, blank behind the newest; null: the key is not for this */
  newer(text: string): string | null {
    const place = this.#at(text);
    if (!place) return null;
    const index = place.index + 1;
    const next = place.prompts[index];
    this.#place = next === undefined ? null : { ...place, index };
    return next ?? "";
  }

  /** Where the text is one that was recalled, and not changed since. */
  #at(text: string) {
    const place = this.#place;
    if (place && place.prompts[place.index] === text) return place;
    this.#place = null;
    return null;
  }
}

/** What was asked several times in a row is one. */
const distinct = (prompts: readonly string[]): readonly string[] =>
  prompts.filter((prompt, index) => prompt.trim() !== "" && prompt !== prompts[index + 1]);
