import { join } from "node:path";
import { openSqliteStore } from "../../../electron/store/sqlite-store.ts";
import { seededReply } from "./texts.ts";

export interface SeededConversation {
  id: string;
  messages: number;
  /** Of its last message. */
  lastId: string;
}

/** Conversations as an earlier run would have left them: prompts and replies in turn, with code in every reply. */
export function seedConversations(userData: string, sizes: readonly number[]): SeededConversation[] {
  const store = openSqliteStore(join(userData, "parley.db"), (error) => {
    throw error;
  });
  const seeded = sizes.map((messages, index) => {
    const id = `01BENCH${String(index).padStart(19, "0")}`;
    const at = Date.now() - 86_400_000 + index;
    const title = `Of ${messages} messages`;
    const given = { id, title, workingFolder: userData, model: "offline", createdAt: at, updatedAt: at };
    store.saveConversation(given);
    for (let place = 0; place < messages; place++) {
      const isPrompt = place % 2 === 0;
      const text = isPrompt ? `How is number ${place / 2} done?` : seededReply((place - 1) / 2);
      store.appendMessage(id, {
        id: `${id}-${String(place).padStart(5, "0")}`,
        role: isPrompt ? "user" : "assistant",
        origin: isPrompt ? "typed" : null,
        source: null,
        content: [{ type: "text", text }],
        createdAt: at + place,
      });
    }
    return { id, messages, lastId: `${id}-${String(messages - 1).padStart(5, "0")}` };
  });
  store.close();
  return seeded;
}
