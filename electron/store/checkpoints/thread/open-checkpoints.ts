import type { CheckpointSummary, RewindPart } from "../../../../shared/conversation/checkpoints.ts";
import type { Settings } from "../../../../shared/settings.ts";
import type { ChangingCall, Checkpoints, Rewinding } from "../../../agent/ports/checkpoint-ports.ts";
import type { Database } from "../../database/database.ts";
import { connectAgain } from "../../database/open-database.ts";
import type { CheckpointEngine } from "../checkpoint-engine.ts";
import { type CheckpointRows, checkpointRows, summaryOf } from "../checkpoint-rows.ts";
import { limitsOf } from "../limits.ts";
import { changedFiles } from "../rewind/changed-files.ts";
import { findCheckpoint } from "../rewind/find-checkpoint.ts";
import { type KeyPlace, sealKeys } from "../seal/seal-keys.ts";
import { hasOldContents } from "../seal/seal-old.ts";
import type { KeptCall } from "../turn-recorder.ts";
import { RemoteEngine } from "./remote-engine.ts";

export interface OpenCheckpointsOptions {
  /** The database of the conversations; its tables are up to date. */
  file: string;
  /** The program of the thread: `checkpoint-thread`. */
  entry: string;
  settings(): Settings;
  /** The system's key store, for the key that seals secrets; null: a file beside the database has it. */
  keyPlace?: KeyPlace | null;
  /** Gets what failed while nobody waited. */
  reportError(error: unknown): void;
}

/** Whoever opened them closes them. */
export interface OpenCheckpoints extends Checkpoints, Rewinding {
  /**
   * Looks after what a process that was killed left, in the thread, where there may be any: from then on, what becomes of
   * its files is not its doing. @throws StoreError
   */
  settleCutOff(): Promise<void>;
  /** Seals what an earlier Parley kept in plain, in the thread, where there is any. @throws StoreError */
  sealOld(): Promise<void>;
  /** Lets go of the file: the next question opens it again. What is asked just now fails. */
  letGo(): Promise<void>;
  close(): Promise<void>;
}

/** Checkpoints beside the conversations' tables. Nothing is opened or started before the first question. */
export function openCheckpoints({
  file,
  entry,
  settings,
  keyPlace = null,
  reportError,
}: OpenCheckpointsOptions): OpenCheckpoints {
  const engine = new RemoteEngine(entry, file, () => sealKeys(file, keyPlace));
  let open: { database: Database; rows: CheckpointRows; changed: ReturnType<typeof changedFiles> } | null =
    null;
  const reading = () => {
    if (!open) {
      const database = connectAgain(file);
      open = { database, rows: checkpointRows(database), changed: changedFiles(database) };
    }
    return open;
  };
  const rows = () => reading().rows;
  const limits = () => limitsOf(settings());
  return {
    ...keeping(engine, limits, reportError),
    changedFiles: (conversationId, folder, fits) => reading().changed(conversationId, folder, fits),
    ...rewinding(engine, limits, rows),
    async settleCutOff() {
      for (const id of rows().cutOff()) await engine.settle(id, limits()).catch(reportError);
    },
    async sealOld() {
      if (hasOldContents(reading().database)) await engine.sealOld();
    },
    async letGo() {
      open?.database.close();
      open = null;
      await engine.renew();
    },
    async close() {
      await engine.dispose();
      open?.database.close();
    },
  };
}

function keeping(
  engine: CheckpointEngine,
  limits: () => ReturnType<typeof limitsOf>,
  reportError: (error: unknown) => void,
): Pick<Checkpoints, "before" | "after"> {
  const noteAfter = (call: KeptCall) =>
    engine.after(call, limits()).catch((error: unknown) => {
      reportError(error);
      return null;
    });
  return {
    async before({ signal, ...call }) {
      signal.throwIfAborted();
      const kept = engine.before(call, limits());
      try {
        return await unlessAborted(kept, signal);
      } catch (error) {
        // The call will not run: what was kept for it is let go when it is there.
        kept.then(() => noteAfter(call)).catch(() => {});
        throw error;
      }
    },
    after: ({ signal: _, ...call }) => noteAfter(call),
  };
}

function rewinding(
  engine: CheckpointEngine,
  limits: () => ReturnType<typeof limitsOf>,
  rows: () => CheckpointRows,
): Rewinding {
  const checkpointOf = (checkpointId: string) => {
    const found = rows().byId(checkpointId);
    if (!found) throw new Error(`There is no checkpoint ${checkpointId}.`);
    return found;
  };
  return {
    list: (conversationId, limit) => rows().list(conversationId, limit).map(summaryOf),
    find: (conversationId, reference): CheckpointSummary =>
      findCheckpoint(rows().all(conversationId).map(summaryOf), reference),
    atMessage(conversationId, messageId) {
      const found = rows().atMessage(conversationId, messageId);
      return found ? summaryOf(found) : null;
    },
    headOf: (checkpointId) => rows().headOf(checkpointOf(checkpointId)),
    create: (conversationId, place) => engine.create(conversationId, place),
    async show(checkpointId) {
      return await engine.show(checkpointOf(checkpointId).conversationId, checkpointId, limits());
    },
    // Nothing was ever kept: no thread is started for that.
    changes: async (conversationId, workingFolder) =>
      rows().all(conversationId).length === 0
        ? { files: [], checkpointId: null }
        : await engine.changes(conversationId, workingFolder, limits()),
    async preview(checkpointId, part, path) {
      const { conversationId } = checkpointOf(checkpointId);
      return await engine.preview(conversationId, checkpointId, part, limits(), path);
    },
    async rewindFiles(checkpointId, overwrite, part: RewindPart = "files", path) {
      const { conversationId } = checkpointOf(checkpointId);
      return await engine.rewind(conversationId, checkpointId, { overwrite, part, path }, limits());
    },
    redo: (conversationId, overwrite = false) => engine.redo(conversationId, overwrite, limits()),
  };
}

/** @throws the signal's reason, at once */
async function unlessAborted<T>(work: Promise<T>, signal: ChangingCall["signal"]): Promise<T> {
  let onAbort = () => {};
  const aborted = new Promise<never>((_, reject) => {
    onAbort = () => reject(signal.reason);
    signal.addEventListener("abort", onAbort, { once: true });
  });
  try {
    return await Promise.race([work, aborted]);
  } finally {
    signal.removeEventListener("abort", onAbort);
  }
}
