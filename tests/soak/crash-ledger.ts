import type { AgentEvent } from "../../shared/conversation/events.ts";
import type { RequestBody } from "../fakes/model-server/invariants.ts";

/** What somebody outside was told is kept, and must therefore be there after any crash. */
export class CrashLedger {
  /** Texts of prompts that were taken: `submit` had answered. */
  readonly taken = new Set<string>();
  /** Ids of messages that the window showed as finished. */
  readonly messages = new Set<string>();
  /** Calls whose end the window showed. */
  readonly calls = new Map<string, { conversationId: string; toolUseId: string }>();
  /** What the model was sent: texts of the user's and results of tools, which must have been durable before. */
  readonly sent = new Set<string>();

  see(event: AgentEvent): void {
    if (event.type === "message.added") this.messages.add(event.message.id);
    if (event.type === "tool.ended") {
      const { conversationId, toolUseId } = event;
      this.calls.set(`${conversationId} ${toolUseId}`, { conversationId, toolUseId });
    }
  }

  seeRequest({ messages }: RequestBody): void {
    for (const { role, content } of messages) {
      if (role !== "user") continue;
      for (const block of content) {
        if (block.type === "text") this.sent.add(block.text ?? "");
        // What stands in for a result that was lost is made for the request, and never kept.
        if (block.type === "tool_result" && typeof block.content === "string" && !isStandIn(block.content))
          this.sent.add(block.content);
      }
    }
  }
}

const isStandIn = (result: string) => result.startsWith("There is no result: the call was interrupted");
