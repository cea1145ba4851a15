import { BrowserWindow, dialog, type WebContents } from "electron";
import type { Conversation } from "../../agent/conversation/conversation.ts";
import type { Conversations } from "../../agent/conversation/conversations.ts";
import type { SessionStore } from "../../agent/ports/session-store.ts";
import type { SessionFiles } from "../../store/exchange/session-files.ts";
import type { WordTeacher } from "../../voice/words/word-teacher.ts";
import type { IpcHandlers } from "./ipc.ts";

export interface SessionRoutesOptions {
  conversations: Conversations;
  store: SessionStore;
  /** The open one, or the one in the store. @throws Error when there is none of that id */
  find(conversationId: string): Conversation;
  files: Pick<SessionFiles, "suggestedName" | "write">;
  /** Learns from what the user corrects. */
  words: Pick<WordTeacher, "corrected">;
}

/** The calls about stored conversations, their tree, and what waits in them. */
export function sessionRoutes(options: SessionRoutesOptions) {
  const { conversations, store, find, files, words } = options;
  return {
    "conversation.list": (query) => conversations.list(query),
    "conversation.search": (query) => store.search(query),
    "conversation.change": ({ conversationId, ...edit }) => conversations.change(conversationId, edit),
    "conversation.delete": ({ conversationId }) => conversations.delete(conversationId),
    "conversation.restore": ({ conversationId }) => conversations.restore(conversationId),
    "conversation.fork": ({ conversationId, messageId }) => ({
      conversationId: conversations.fork(conversationId, messageId).id,
    }),
    "conversation.export": async ({ conversationId, format, meeting }, sender) => {
      const { filePath } = await askForFile(sender, files.suggestedName(conversationId, format), format);
      if (!filePath) return { path: null };
      await files.write(conversationId, format, filePath, { meeting });
      return { path: filePath };
    },
    "conversation.earlier": ({ conversationId, before }) => find(conversationId).earlier(before),
    "conversation.find": ({ conversationId, ...query }) => find(conversationId).find(query),
    "conversation.agent": ({ conversationId, agentId }) => find(conversationId).agentSteps(agentId),
    "conversation.context": ({ conversationId }) => find(conversationId).contextFacts(),
    "conversation.stopPart": ({ conversationId, part }) => find(conversationId).stopPart(part),
    "conversation.output": ({ conversationId, key }) => find(conversationId).toolOutput(key),
    "conversation.takeBackRepair": ({ conversationId, id }) => find(conversationId).takeBackRepair(id),
    "conversation.edit": ({ conversationId, messageId, text }) => {
      const conversation = find(conversationId);
      conversation.editPrompt(messageId, text);
      const heard = conversation.heardOf(messageId);
      if (heard) words.corrected(messageId, heard, text);
    },
    "conversation.regenerate": ({ conversationId, messageId, model }) =>
      void find(conversationId).regenerate(messageId, model),
    "conversation.branch": ({ conversationId, messageId }) => find(conversationId).showBranch(messageId),
    "conversation.pickFolder": async ({ conversationId }, sender) => {
      const conversation = find(conversationId);
      const [folder] = await askForFolder(sender, conversation.workingFolder);
      if (folder !== undefined) await conversation.changeFolder(folder);
      return { workingFolder: conversation.workingFolder };
    },
  } satisfies Partial<IpcHandlers>;
}

const formatNames = { md: "Markdown", json: "JSON", srt: "SubRip" };

function askForFile(sender: WebContents, defaultPath: string, format: keyof typeof formatNames) {
  const options = {
    title: "Export this conversation",
    defaultPath,
    filters: [{ name: formatNames[format], extensions: [format] }],
  };
  const window = BrowserWindow.fromWebContents(sender);
  return window ? dialog.showSaveDialog(window, options) : dialog.showSaveDialog(options);
}

async function askForFolder(sender: WebContents, defaultPath: string): Promise<string[]> {
  const options: Electron.OpenDialogOptions = {
    title: "Where this conversation works",
    defaultPath,
    properties: ["openDirectory", "createDirectory"],
  };
  const window = BrowserWindow.fromWebContents(sender);
  const { filePaths } = window
    ? await dialog.showOpenDialog(window, options)
    : await dialog.showOpenDialog(options);
  return filePaths;
}
