import type { SearchHit } from "../../../shared/conversation/sessions.ts";
import type { ConversationView, TranscriptItem } from "../../../shared/conversation/transcript.ts";

/** Where a hit is: at an item, before those that are shown, on another branch, or nowhere to be pointed at. */
export type PlaceOfHit = { key: string } | "earlier" | "elsewhere" | "nowhere";

export function placeOf(view: ConversationView, hit: SearchHit): PlaceOfHit {
  if (hit.kind === "title") return "nowhere";
  const exact = view.items.find((item) => item.key === hit.messageId || isPart(item, hit.messageId));
  if (exact) return { key: exact.key };
  const [oldest] = view.items;
  if (view.hasEarlier && oldest && timeOf(oldest) >= hit.at) return "earlier";
  if (hit.kind === "meeting") return "nowhere";
  if (hit.kind !== "tool output") return "elsewhere";
  // A reply of nothing but calls has no item of its own: its cards begin when it was said.
  const card = view.items.find((item) => item.kind === "tool" && item.startedAt >= hit.at);
  return card ? { key: card.key } : "nowhere";
}

const timeOf = (item: TranscriptItem): number => (item.kind === "tool" ? item.startedAt : item.at);

const isPart = (item: TranscriptItem, messageId: string): boolean =>
  item.kind === "user" && (item.parts ?? []).includes(messageId);
