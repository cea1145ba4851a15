import type { SearchHit, SessionSummary } from "../../../../shared/conversation/sessions.ts";

/** A row of the list as main tells it. */
export const summaryOf = (conversationId: string, changes: Partial<SessionSummary> = {}): SessionSummary => ({
  conversationId,
  title: conversationId,
  state: "closed",
  createdAt: 1,
  updatedAt: 1,
  isPinned: false,
  isArchived: false,
  group: null,
  heldInputs: 0,
  ...changes,
});

export const hitOf = (conversationId: string, changes: Partial<SearchHit> = {}): SearchHit => ({
  conversationId,
  title: conversationId,
  messageId: "m",
  kind: "reply",
  snippet: "the \uE000word\uE001 here",
  at: 1,
  ...changes,
});
