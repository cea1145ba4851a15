import { useEffect } from "react";
import type { SpokenSentence } from "../../../shared/voice/voice-snapshot.ts";
import { spokenRange } from "./spoken-range.ts";

/** Marks in the page: their styles are in base.css. */
const [mark, rest] = ["spoken", "unsaid"];

/**
 * Marks the sentence that is being said, as it is written, and what of the reply is not said yet; a table is said in other words,
 * and then the whole reply is marked at its side.
 */
export function useSpokenMark(sentence: SpokenSentence | null): void {
  const messageId = sentence?.messageId;
  const text = sentence?.text;
  useEffect(() => {
    if (messageId === undefined || text === undefined) return;
    const selector = `[data-testid="message-assistant"][data-key="${CSS.escape(messageId)}"]`;
    const reply = document.querySelector<HTMLElement>(selector);
    if (!reply) return;
    const range = "highlights" in CSS ? spokenRange(reply, text) : undefined;
    if (!range) {
      reply.dataset.spoken = "";
      return () => {
        delete reply.dataset.spoken;
      };
    }
    const unsaid = document.createRange();
    unsaid.setStart(range.endContainer, range.endOffset);
    // With what is yet to be written of it.
    unsaid.setEndAfter(reply);
    CSS.highlights.set(mark, new Highlight(range));
    CSS.highlights.set(rest, new Highlight(unsaid));
    return () => {
      CSS.highlights.delete(mark);
      CSS.highlights.delete(rest);
    };
  }, [messageId, text]);
}
