import { systemClock } from "../agent/conversation/system-clock.ts";
import type { Tool } from "../agent/ports/ports.ts";
import { systemProxy } from "../desktop/net/system-fetch.ts";
import { imageScaler } from "../desktop/pictures/image-scaler.ts";
import { builtInTools } from "../tools/registry.ts";
import type { composeConversations } from "./conversations.ts";
import type { composeVoice } from "./voice.ts";

/** The built-in tools: two of them act on the app itself. */
export function composeTools(
  agent: ReturnType<typeof composeConversations>,
  { voice, quick }: ReturnType<typeof composeVoice>,
  /** A built file, by its path in `out/`. */
  built: (path: string) => string,
): readonly Tool[] {
  return builtInTools({
    clock: systemClock,
    pageThread: built("main/page-thread.js"),
    proxy: systemProxy,
    scaleImage: imageScaler,
    actions: {
      newSession: async (conversationId) => {
        if (quick.shows(conversationId)) return quick.beginByWord();
        const isAsked = voice.status().conversationId === conversationId;
        const next = agent.create();
        // Whoever speaks hands-free goes on in the new conversation.
        if (isAsked) voice.moveTo(agent.find(next));
      },
      stopListening: async () => {
        const wasOn = voice.status().conversationId !== null;
        await voice.stop();
        return wasOn;
      },
    },
  });
}
