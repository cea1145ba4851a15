import { join } from "node:path";
import { openSqliteStore } from "../../../electron/store/sqlite-store.ts";

interface Seed {
  sessions: number;
  /** Of each: prompts and replies in turn. */
  messages?: number;
  /** What follows the text of each reply. */
  more?: (place: number) => string;
}

/** Conversations as an earlier run would have left them, the last one used last: “Conversation 0”, 1, … */
export function seedSessions(userData: string, { sessions, messages = 2, more = () => "" }: Seed): void {
  const store = openSqliteStore(join(userData, "parley.db"), (error) => {
    throw error;
  });
  const minute = 60_000;
  const start = Date.now() - sessions * minute;
  for (let index = 0; index < sessions; index++) {
    const id = `01SEED${String(index).padStart(20, "0")}`;
    const at = start + index * minute;
    const title = `Conversation ${index}`;
    store.saveConversation({
      id,
      title,
      workingFolder: userData,
      model: "offline",
      createdAt: at,
      updatedAt: at,
    });
    for (let place = 0; place < messages; place++) {
      const isPrompt = place % 2 === 0;
      const number = Math.floor(place / 2);
      const text = `${isPrompt ? "prompt" : "reply"} ${number} of conversation ${index}${isPrompt ? "" : more(number)}`;
      store.appendMessage(id, {
        id: `${id}-${String(place).padStart(5, "0")}`,
        role: isPrompt ? "user" : "assistant",
        origin: isPrompt ? "typed" : null,
        source: null,
        content: [{ type: "text", text }],
        createdAt: at + place,
      });
    }
  }
  store.close();
}
