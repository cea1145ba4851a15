import type { ToolOutputWhole } from "../../../../shared/ipc/conversation-routes.ts";
import type { SessionStore } from "../../ports/session-store.ts";
import { isBelow } from "./kept-agents.ts";

/**
 * All that a call gave, with its images, whatever of it the model saw.
 * @param key of its line: the call's id, behind the agent's and a space where an agent made it
 * @throws Error where it is not kept @throws StoreError
 */
export function keptOutput(store: SessionStore, conversationId: string, key: string): ToolOutputWhole {
  const [agentId, ownId] = key.split(" ");
  const isAgents = ownId !== undefined && agentId !== undefined;
  if (isAgents && !isBelow(store, conversationId, agentId)) throw new Error("This output is not kept.");
  const [owner, toolUseId] = isAgents ? [agentId, ownId] : [conversationId, key];
  const call = store.loadToolCall(owner, toolUseId);
  if (!call) throw new Error("This output is not kept.");
  return { output: call.output, images: imagesOf(store, owner, toolUseId) };
}

/** Results stand in the message after the reply that asked for them: near the end, for what somebody has just looked at. */
function imagesOf(store: SessionStore, conversationId: string, toolUseId: string): ToolOutputWhole["images"] {
  let before: string | undefined;
  for (;;) {
    const { messages, hasEarlier } = store.loadPage(conversationId, { limit: pageMessages, before });
    for (const { content } of messages) {
      for (const block of content) {
        if (block.type !== "tool_result" || block.tool_use_id !== toolUseId) continue;
        return (block.images ?? []).map(({ source }) => ({
          mediaType: source.media_type,
          data: source.data,
        }));
      }
    }
    before = messages[0]?.id;
    if (!hasEarlier || before === undefined) return [];
  }
}

const pageMessages = 200;
