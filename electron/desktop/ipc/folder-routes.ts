import { stat } from "node:fs/promises";
import type { Conversation } from "../../agent/conversation/conversation.ts";
import type { ExecutionEnvironment } from "../../agent/ports/ports.ts";
import type { SessionStore } from "../../agent/ports/session-store.ts";
import type { IpcHandlers } from "./ipc.ts";

export interface FolderRoutesOptions {
  find(conversationId: string): Pick<Conversation, "workingFolder" | "changeFolder">;
  store: Pick<SessionStore, "recentFolders">;
  /** @throws EnvironmentError where it is not there */
  openFolder(folder: string): Promise<Pick<ExecutionEnvironment, "fileExists">>;
}

/** Folders that the menu shows at most, and so many more are looked at, since some may be gone. */
const shown = 8;

/** What windows ask about working folders. */
export function folderRoutes({ find, store, openFolder }: FolderRoutesOptions) {
  return {
    // Only to one that was used before: any other goes through the system's picker, or is typed after `/cd`.
    "conversation.setFolder": async ({ conversationId, folder }) => {
      if (!store.recentFolders(4 * shown).includes(folder)) {
        throw new Error("No conversation has worked in that folder. Choose it in the system's dialog.");
      }
      await find(conversationId).changeFolder(folder);
    },
    "folder.recent": async () => {
      const used = store.recentFolders(2 * shown);
      const there = await Promise.all(used.map(isThere));
      return { folders: used.filter((_, index) => there[index]).slice(0, shown) };
    },
    "folder.facts": async ({ conversationId }) => {
      const folder = await openFolder(find(conversationId).workingFolder);
      return { hasHistory: await folder.fileExists(".git/HEAD") };
    },
  } satisfies Partial<IpcHandlers>;
}

const isThere = (folder: string): Promise<boolean> =>
  stat(folder).then(
    (found) => found.isDirectory(),
    () => false,
  );
