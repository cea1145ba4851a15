import { textOf } from "../../../shared/conversation/messages.ts";
import type { SearchHit } from "../../../shared/conversation/sessions.ts";
import type { SearchQuery } from "../../agent/ports/session-store.ts";
import { searchTerms } from "../search/search-words.ts";
import { snippetOf, termPattern } from "../search/snippet.ts";
import type { MemorySession } from "./memory-session.ts";

/** Reads every text: what memory holds is little. Newest first. */
export function searchMemory(
  sessions: readonly MemorySession[],
  { words, limit, conversationId }: SearchQuery,
): SearchHit[] {
  const terms = searchTerms(words);
  if (terms.length === 0) return [];
  const each = terms.map((term) => termPattern([term]));
  const any = termPattern(terms);
  const matches = ({ text }: { text: string }) =>
    each.every((pattern) => text.normalize("NFD").search(pattern) >= 0);
  return sessions
    .filter(({ record }) => conversationId === undefined || record.id === conversationId)
    .flatMap((session) =>
      textsOf(session)
        .filter(matches)
        .map(({ text, ...hit }) => ({ ...hit, snippet: snippetOf(text, any) })),
    )
    .sort((a, b) => b.at - a.at || (a.messageId < b.messageId ? 1 : -1))
    .slice(0, limit);
}

const promptOrigins = new Set<string | null>(["typed", "voice", "quick", "steering"]);

function textsOf({ record, nodes, calls, head }: MemorySession) {
  const { id: conversationId, title } = record;
  const found: (Omit<SearchHit, "snippet"> & { text: string })[] = [];
  if (head) {
    const { id: messageId } = head.message;
    found.push({ conversationId, title, messageId, kind: "title", at: record.updatedAt, text: title });
  }
  for (const { message } of nodes.values()) {
    const { id: messageId, role, origin, createdAt: at } = message;
    if (role === "user" && !promptOrigins.has(origin)) continue;
    const kind = role === "user" ? "prompt" : "reply";
    found.push({ conversationId, title, messageId, kind, at, text: textOf(message.content) });
  }
  for (const { messageId, output: text } of calls.values()) {
    const at = nodes.get(messageId)?.message.createdAt ?? 0;
    found.push({ conversationId, title, messageId, kind: "tool output", at, text });
  }
  return found;
}
