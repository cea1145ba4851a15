import { StoreError } from "../agent/ports.ts";
import type { SessionStore } from "../agent/session-store.ts";
import { sessionCopierOf } from "./copy-session.ts";
import { eventsOf } from "./events.ts";
import { inputsOf } from "./inputs.ts";
import { messagesOf } from "./messages.ts";
import { openDatabase } from "./open-database.ts";
import { pagesOf } from "./pages.ts";
import { partialsOf } from "./partials.ts";
import { sessionRecordsOf } from "./session-records.ts";
import { sessionsOf } from "./sessions.ts";
import { toolCallsOf } from "./tool-calls.ts";
import { treeOf } from "./tree.ts";

/**
 * Opens the database of conversations, which is made if it is not there. What a write returned from survives the death
 * of the process.
 * @param reportError gets what failed while nobody waited: log rows that could not be written
 * @throws StoreError when the file cannot be used; a MemoryStore can stand in for it then
 */
export function openSqliteStore(file: string, reportError: (error: unknown) => void): SessionStore {
  const database = openDatabase(file);
  const sessions = sessionsOf(database);
  const messages = messagesOf(database);
  const toolCalls = toolCallsOf(database);
  const events = eventsOf(database, reportError);
  const pages = pagesOf(database);
  const inputs = inputsOf(database);
  const partials = partialsOf(database);
  const notYet = async () => {
    throw new StoreError("failed", "The search is not there yet.", "");
  };

  return {
    ...sessionRecordsOf(database),
    ...treeOf(database),
    saveConversation: sessions.save,
    listConversations: sessions.list,
    loadConversation: sessions.load,
    usageOfChildren: sessions.usageOfChildren,
    copySession: sessionCopierOf(database, sessions.save),
    appendMessage: messages.append,
    loadMessages: messages.load,
    loadPage: pages.load,
    loadContext: pages.loadContext,
    saveToolCall: toolCalls.save,
    loadToolCall: toolCalls.load,
    saveInput: inputs.save,
    deleteInput: inputs.delete,
    loadInputs: inputs.load,
    savePartial: partials.save,
    loadPartial: partials.load,
    dropPartial: partials.drop,
    appendEvent: events.append,
    lastEventId: events.lastId,
    search: notYet,
    prune: notYet,
    backUp: notYet,
    close() {
      try {
        events.flush();
      } finally {
        database.close();
      }
    },
  };
}
