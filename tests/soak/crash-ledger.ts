import { spokenTag } from "../../shared/conversation/data-marks.ts";
import type { AgentEvent } from "../../shared/conversation/events.ts";
import type { RequestBody } from "../fakes/model-server/invariants.ts";

/** What somebody outside was told is kept, and must therefore be there after any crash. */
export class CrashLedger {
  /** Ids of messages that the window showed as finished, of each conversation, in their order. */
  readonly messages = new Map<string, Set<string>>();
  /** Calls whose end the window showed. */
  readonly calls = new Map<string, { conversationId: string; toolUseId: string }>();
  /** What the model was sent: texts of the user's and results of tools, which must have been durable before. */
  readonly sent = new Set<string>();

  see(event: AgentEvent): void {
    if (event.type === "message.added") {
      const { conversationId, message } = event;
      const seen = this.messages.get(conversationId) ?? new Set();
      this.messages.set(conversationId, seen.add(message.id));
    }
    if (event.type === "tool.ended") {
      const { conversationId, toolUseId } = event;
      this.calls.set(`${conversationId} ${toolUseId}`, { conversationId, toolUseId });
    }
  }

  seeRequest({ messages }: RequestBody): void {
    for (const { role, content } of messages) {
      if (role !== "user") continue;
      for (const block of content) {
        if (block.type === "text" && !isNote(block.text ?? "")) this.sent.add(block.text ?? "");
        if (block.type === "tool_result" && typeof block.content === "string" && !isStandIn(block.content))
          this.sent.add(block.content);
      }
    }
  }
}

// What stands in for a result that was lost, and a note that a prompt was spoken, are made for the request, and never kept.
const isNote = (text: string) => text.startsWith(`<${spokenTag}>`);
const isStandIn = (result: string) => result.startsWith("There is no result: the call was interrupted");
