import { join } from "node:path";
import { z } from "zod";
import type { SessionStore } from "../agent/ports/session-store.ts";
import { finishSealing } from "./checkpoints/seal/seal-old.ts";
import type { Database } from "./database/database.ts";
import { type Durability, makeFolder, openDatabase } from "./database/open-database.ts";
import { toStoreError } from "./database/store-errors.ts";
import { lockStore, type StoreLock } from "./database/store-lock.ts";
import { backUpJob } from "./jobs/back-up.ts";
import { pruneJob } from "./jobs/prune.ts";
import { searchJob } from "./jobs/search.ts";
import { messageAppenderOf } from "./messages/append-message.ts";
import { eventsOf } from "./messages/events.ts";
import { inputsOf } from "./messages/inputs.ts";
import { messagesOf } from "./messages/messages.ts";
import { overheardOf } from "./messages/overheard.ts";
import { partialsOf } from "./messages/partials.ts";
import { toolCallsOf } from "./messages/tool-calls.ts";
import { migrations } from "./migrations/migrations.ts";
import { Indexing } from "./search/indexing.ts";
import { sessionCopierOf } from "./sessions/copy-session.ts";
import { pagesOf } from "./sessions/pages.ts";
import { sessionRecordsOf } from "./sessions/session-records.ts";
import { sessionsOf } from "./sessions/sessions.ts";
import { treeOf } from "./sessions/tree.ts";
import { StoreThread } from "./thread/store-thread.ts";

const idRows = z.array(z.object({ id: z.string() }));

export interface StoreOptions {
  durability?: Durability;
  /** The program of the store's thread, where it is not its source. */
  threadEntry?: string;
  /** Texts are read into the search index as they come, not only when somebody searches. */
  indexesByItself?: boolean;
}

/**
 * Opens the database of conversations, which is made if it is not there; no other process can then. What a write
 * returned from survives the death of the process.
 * @param reportError gets what failed while nobody waited: log rows that could not be written
 * @throws StoreError when the file cannot be used; a MemoryStore can stand in for it then
 */
export function openSqliteStore(
  file: string,
  reportError: (error: unknown) => void,
  { durability = "normal", threadEntry = threadSource, indexesByItself = false }: StoreOptions = {},
): SessionStore {
  const lock = lockFile(file);
  const database = openOrRelease(lock, () => openDatabase(file, migrations, durability));
  tidy(() => finishSealing(database), reportError);
  const sessions = sessionsOf(database);
  const partials = partialsOf(database);
  const messages = messagesOf(database);
  const toolCalls = toolCallsOf(database);
  const append = messageAppenderOf(database, partials, toolCalls);
  const events = eventsOf(database, reportError);
  const pages = pagesOf(database);
  const inputs = inputsOf(database);
  const thread = new StoreThread(file, threadEntry);
  const indexing = indexesByItself ? new Indexing(thread, reportError) : null;
  // What is deleted from now on can be taken back until the next start.
  const deletedBefore = deletedSessions(database);
  indexing?.soon();

  return {
    ...sessionRecordsOf(database),
    ...treeOf(database),
    saveConversation: sessions.save,
    listConversations: sessions.list,
    loadConversation: sessions.load,
    usageOf: sessions.usageOf,
    copySession: sessionCopierOf(database, sessions.save),
    appendMessage(sessionId, message, extra) {
      append(sessionId, message, extra);
      indexing?.soon();
    },
    loadMessages: messages.load,
    loadPage: pages.load,
    loadContext: pages.loadContext,
    saveToolCall(sessionId, call) {
      toolCalls.save(sessionId, call);
      indexing?.soon();
    },
    loadToolCall: toolCalls.load,
    toolCallIds: toolCalls.ids,
    saveInput: inputs.save,
    deleteInput: inputs.delete,
    loadInputs: inputs.load,
    savePartial: partials.save,
    loadPartial: partials.load,
    dropPartial: partials.drop,
    appendEvent: events.append,
    lastEventId: events.lastId,
    ...overheardOf(database, events),
    search: (query) => thread.run(searchJob, query),
    prune: (rules, now, keep) =>
      thread.run(pruneJob, { rules, now, keep: [...keep], deleted: deletedBefore.splice(0) }),
    async backUp(to) {
      await thread.run(backUpJob, { to });
    },
    close() {
      indexing?.stop();
      thread.close();
      try {
        events.flush();
        // One file holds it all between two starts, as far as nobody else reads.
        database.exec("PRAGMA wal_checkpoint(PASSIVE)");
      } finally {
        database.close();
        lock.release();
      }
    },
  };
}

const threadSource = join(import.meta.dirname, "thread/store-worker-source.mjs");

function lockFile(file: string): StoreLock {
  makeFolder(file);
  try {
    return lockStore(file);
  } catch (error) {
    throw toStoreError(error, file);
  }
}

function openOrRelease(lock: StoreLock, open: () => Database): Database {
  try {
    return open();
  } catch (error) {
    lock.release();
    throw error;
  }
}

/** Work that can wait for the next start. */
function tidy(work: () => void, reportError: (error: unknown) => void): void {
  try {
    work();
  } catch (error) {
    reportError(error);
  }
}

function deletedSessions(database: Database): string[] {
  const rows = database.prepare("SELECT id FROM sessions WHERE deleted_at IS NOT NULL").all([]);
  return idRows.parse(rows).map(({ id }) => id);
}
