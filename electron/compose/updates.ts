import type { Conversation } from "../agent/conversation/conversation.ts";
import type { SessionRecord } from "../agent/ports/session-store.ts";
import { Updates, type UpdatesOptions } from "../desktop/update/updates.ts";
import type { Base } from "./base.ts";
import type { Disposal } from "./disposal.ts";

export interface ComposeUpdatesOptions
  extends Pick<UpdatesOptions, "load" | "restart" | "version" | "onReady"> {
  base: { settings: Pick<Base["settings"], "current">; log: Pick<Base["log"], "info"> };
  disposal: Pick<Disposal, "defer">;
  agent: {
    conversations: { get(id: string): Pick<Conversation, "isBusy" | "title"> | undefined };
  };
  storage: { store: { loadSession(id: string): Pick<SessionRecord, "draft"> | undefined } };
  voice: {
    voice: { status(): { conversationId: string | null } };
    offers: { isDownloading: boolean };
  };
  /** Ids of the conversations that are open. */
  openIds(): string[];
}

/** Looks for newer packages, where this one was made with an address to look at. */
export function composeUpdates(options: ComposeUpdatesOptions): Updates {
  const { base, disposal, agent, storage, voice, openIds, load, restart, version, onReady } = options;
  /** What of a conversation a restart would end. */
  const goesOnIn = (id: string): string | null => {
    const conversation = agent.conversations.get(id);
    if (conversation?.isBusy) return `“${conversation.title}” is at work.`;
    const draft = storage.store.loadSession(id)?.draft ?? "";
    // What was typed to ask for the restart may still stand there.
    if (draft.trim() === "" || draft.startsWith("/")) return null;
    return `There are unsent words in “${conversation?.title ?? "Parley"}”.`;
  };
  const updates = new Updates({
    load,
    restart,
    version,
    isWanted: () => base.settings.current().lookForUpdates,
    goesOn: () => {
      if (voice.voice.status().conversationId !== null) return "Voice is on.";
      if (voice.offers.isDownloading) return "A speech model is being downloaded.";
      return (
        openIds()
          .map(goesOnIn)
          .find((reason) => reason !== null) ?? null
      );
    },
    onReady,
    log: base.log.info,
  });
  disposal.defer(updates.start());
  return updates;
}
