import { z } from "zod";
import type { SessionStore } from "../agent/ports/session-store.ts";
import type { Database } from "./database/database.ts";
import { asList, readableIn, wholeText } from "./database/text-column.ts";
import { copyContentsJob } from "./jobs/copy-contents.ts";
import type { JobRunner } from "./jobs/job.ts";
import { pruneJob } from "./jobs/prune.ts";
import { searchJob } from "./jobs/search.ts";
import { messageAppenderOf } from "./messages/append-message.ts";
import { eventsOf } from "./messages/events.ts";
import { inputsOf } from "./messages/inputs.ts";
import { meetingLinesOf } from "./messages/meeting-lines.ts";
import { overheardOf } from "./messages/overheard.ts";
import { partialsOf } from "./messages/partials.ts";
import { messagesOf } from "./messages/read-messages.ts";
import { tasksOf } from "./messages/tasks.ts";
import { toolCallsOf } from "./messages/tool-calls.ts";
import { Indexing } from "./search/indexing.ts";
import { sessionCopierOf } from "./sessions/copy-session.ts";
import { draftFilesOf } from "./sessions/draft-files.ts";
import { pagesOf } from "./sessions/pages.ts";
import { sessionRecordsOf } from "./sessions/session-records.ts";
import { sessionsOf } from "./sessions/sessions.ts";
import { subagentsOf } from "./sessions/subagents.ts";
import { treeOf } from "./sessions/tree.ts";

const idsIn = readableIn(z.tuple([wholeText]));

export interface DatabaseStoreOptions {
  /** With all its tables. */
  database: Database;
  /** Searches, indexes, prunes and backs up. */
  jobs: JobRunner;
  /** Texts are read into the search index as they come, not only when somebody searches. */
  indexesByItself: boolean;
  /** Resolves when all that is kept is there again, after damage; with false when that failed until the next start. */
  whenWhole?: () => Promise<boolean>;
  /** Gets what failed while nobody waited: log rows that could not be written. */
  reportError(error: unknown): void;
  /** The database was closed. */
  onClosed(): void;
}

/** The conversations in a database, wherever that is. */
export function databaseStore({
  database,
  jobs,
  indexesByItself,
  whenWhole = async () => true,
  reportError,
  onClosed,
}: DatabaseStoreOptions): SessionStore {
  const sessions = sessionsOf(database);
  const partials = partialsOf(database);
  const messages = messagesOf(database);
  const toolCalls = toolCallsOf(database);
  const append = messageAppenderOf(database, partials, toolCalls);
  const events = eventsOf(database, reportError);
  const pages = pagesOf(database);
  const inputs = inputsOf(database);
  const meetings = meetingLinesOf(database);
  const indexing = indexesByItself ? new Indexing(jobs, reportError) : null;
  // What is deleted from now on can be taken back until the next start.
  const deletedBefore = deletedSessions(database);
  const records = sessionRecordsOf(database);
  // A list that cannot be read is told of now, not in the middle of a start.
  records.listSessions({ limit: 1 });
  indexing?.soon();

  return {
    ...records,
    ...treeOf(database),
    ...draftFilesOf(database),
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
    async loadContext(sessionId) {
      await whenWhole();
      return await pages.loadContext(sessionId);
    },
    loadTasks: tasksOf(database),
    loadSubagents: subagentsOf(database),
    saveToolCall(sessionId, call) {
      toolCalls.save(sessionId, call);
      indexing?.soon();
    },
    loadToolCall: toolCalls.load,
    toolCallIds: toolCalls.ids,
    saveInput: inputs.save,
    deleteInput: inputs.delete,
    loadInputs: inputs.load,
    ...meetings,
    noteLine(sessionId, line) {
      meetings.noteLine(sessionId, line);
      indexing?.soon();
    },
    savePartial: partials.save,
    loadPartial: partials.load,
    dropPartial: partials.drop,
    appendEvent: events.append,
    lastEventId: events.lastId,
    ...overheardOf(database, events),
    search: (query) => jobs.run(searchJob, query),
    async prune(rules, now, keep) {
      // What belongs to no conversation yet must not go.
      if (!(await whenWhole())) return { sessions: 0, events: 0, checkpoints: 0 };
      return await jobs.run(pruneJob, { rules, now, keep: [...keep], deleted: deletedBefore.splice(0) });
    },
    setDurability: (durability) => database.execAlways(`PRAGMA synchronous = ${durability}`),
    async copyContents(to, withCheckpoints) {
      await whenWhole();
      return await jobs.run(copyContentsJob, { to, withCheckpoints });
    },
    close() {
      indexing?.stop();
      jobs.close();
      try {
        events.flush();
        // One file holds it all between two starts, as far as nobody else reads.
        database.exec("PRAGMA wal_checkpoint(PASSIVE)");
      } finally {
        database.close();
        onClosed();
      }
    },
  };
}

function deletedSessions(database: Database): string[] {
  const select = database.prepare(asList("id", "SELECT id FROM sessions WHERE deleted_at IS NOT NULL"));
  return database.guard(() => idsIn(select.all([])).map(([id]) => id));
}
