import { z } from "zod";
import type { Tool } from "../agent/ports/ports.ts";

/** What the app does for its own tools. */
export interface AppActions {
  /** Opens a fresh conversation in place of this one. */
  newSession(conversationId: string): Promise<void>;
  /** Turns the microphone off. @returns false when it was off already */
  stopListening(conversationId: string): Promise<boolean>;
}

const nothing = z.object({});

/** Tools that act on Parley itself; effect `app`, so words from loopback get them only by the user's click. */
export function appTools(actions: AppActions): Tool[] {
  return [
    {
      name: "new_session",
      description: "Start a new conversation. Use it only when the user asks for one.",
      input: nothing,
      effect: "app",
      async run(_, { conversationId }) {
        await actions.newSession(conversationId);
        return { text: "A new conversation is open." };
      },
    },
    {
      name: "stop_listening",
      description: "Turn the microphone off. Use it only when the user asks for it.",
      input: nothing,
      effect: "app",
      async run(_, { conversationId }) {
        const stopped = await actions.stopListening(conversationId);
        return { text: stopped ? "Listening has stopped." : "Parley was not listening." };
      },
    },
  ];
}
