import type { AgentEventBody } from "../../shared/events.ts";
import type { Message } from "../../shared/messages.ts";
import { applyEvent, type ConversationView, emptyView } from "../../shared/transcript.ts";
import { toolUsesOf } from "./history.ts";
import type { ConversationStore, StoredConversation } from "./ports.ts";

/** A conversation as it was left. */
export interface Resumed {
  stored: StoredConversation;
  messages: Message[];
  view: ConversationView;
}

/**
 * Loads a conversation with what a window shows of it: its messages, and the calls as cards. A call without a result
 * was under way when Parley ended.
 * @returns null when there is none of that id @throws StoreError
 */
export function resume(store: ConversationStore, conversationId: string): Resumed | null {
  const stored = store.loadConversation(conversationId);
  if (!stored) return null;
  const messages = store.loadMessages(conversationId);
  const results = new Map(
    messages.flatMap(({ content }) =>
      content.flatMap((block) => (block.type === "tool_result" ? [[block.tool_use_id, block] as const] : [])),
    ),
  );

  let view = emptyView(conversationId, stored.title);
  const apply = (body: AgentEventBody, at: number) => {
    view = applyEvent(view, { ...body, id: view.lastEventId + 1, conversationId, at });
  };
  for (const message of messages) {
    const at = message.createdAt;
    apply({ type: "message.added", message }, at);
    for (const { id: toolUseId, name, input } of toolUsesOf(message.content)) {
      const call = store.loadToolCall(conversationId, toolUseId);
      const result = results.get(toolUseId);
      apply({ type: "tool.started", toolUseId, name, input }, at);
      apply(
        {
          type: "tool.ended",
          toolUseId,
          name,
          durationMs: call?.durationMs ?? 0,
          isError: result ? (result.is_error ?? false) : true,
          output: result?.content ?? "Interrupted.",
        },
        at,
      );
    }
  }
  return {
    stored,
    messages,
    view: { ...view, activity: null, lastEventId: store.lastEventId(conversationId) },
  };
}
