import type { Message } from "../../../../shared/conversation/messages.ts";
import type { ConversationStore, StoredConversation, StoredToolCall } from "../../ports/ports.ts";

/** Where a sub-agent's messages and calls are kept. */
export interface SubagentRecord {
  /** Resolves when the message is kept, with the calls whose results it brings. @throws StoreError */
  append(message: Message, calls?: readonly StoredToolCall[]): Promise<void>;
  /** Keeps a call before the message that brings its result. @throws StoreError */
  keepCall(call: StoredToolCall): void;
  /** undefined: none of its calls. */
  fullOutput(toolUseId: string): string | undefined;
  /** Keeps an agent that this one starts. @throws StoreError */
  keepSubagent: KeepSubagent;
}

export type KeepSubagent = (agent: Omit<StoredConversation, "parentId">) => SubagentRecord;

/**
 * Keeps sub-agents as conversations of their own, below the one that starts them: what they used counts there after a
 * restart as well, and what they did can be read.
 * @param parentId kept already
 */
export function keepBelow(store: ConversationStore, parentId: string): KeepSubagent {
  return (agent) => {
    const { id } = agent;
    store.saveConversation({ ...agent, parentId });
    return {
      append: async (message, calls) => store.appendMessage(id, message, { calls }),
      keepCall: (call) => store.saveToolCall(id, call),
      fullOutput: (toolUseId) => store.loadToolCall(id, toolUseId)?.output,
      keepSubagent: keepBelow(store, id),
    };
  };
}
