import type {
  CheckpointDiff,
  CheckpointSummary,
  ConversationChanges,
  RewindPart,
  RewindPreview,
} from "../../../shared/conversation/checkpoints.ts";
import type { CallChanges, CheckpointReport } from "../../agent/ports/checkpoint-ports.ts";
import type { Database } from "../database/database.ts";
import { checkpointRows } from "./checkpoint-rows.ts";
import { Contents } from "./contents/contents.ts";
import { fileRows } from "./file-rows.ts";
import type { Limits } from "./limits.ts";
import { conversationChanges } from "./rewind/conversation-changes.ts";
import { removeDrafts } from "./rewind/rewind-drafts.ts";
import { type FilesOutcome, Rewinder } from "./rewind/rewinder.ts";
import { Seal } from "./seal/seal.ts";
import { sealKeys } from "./seal/seal-keys.ts";
import { sealOldContents } from "./seal/seal-old.ts";
import { type KeptCall, TurnRecorder } from "./turn-recorder.ts";

/** What a thread of its own does: arguments and results can cross threads. */
export interface CheckpointEngine {
  before(call: KeptCall, limits: Limits): Promise<CheckpointReport>;
  after(call: KeptCall, limits: Limits): Promise<CallChanges | null>;
  create(
    conversationId: string,
    place: { messageId: string | null; label: string; workingFolder: string },
  ): Promise<CheckpointSummary>;
  show(conversationId: string, checkpointId: string, limits: Limits): Promise<CheckpointDiff[]>;
  changes(conversationId: string, workingFolder: string, limits: Limits): Promise<ConversationChanges>;
  preview(
    conversationId: string,
    checkpointId: string,
    part: RewindPart,
    limits: Limits,
    path?: string,
  ): Promise<RewindPreview>;
  rewind(
    conversationId: string,
    checkpointId: string,
    how: { overwrite: boolean; part: RewindPart; path?: string | undefined },
    limits: Limits,
  ): Promise<FilesOutcome>;
  redo(
    conversationId: string,
    overwrite: boolean,
    limits: Limits,
  ): Promise<FilesOutcome & { messageId: string | null }>;
  /** Looks after what a process that was killed left. */
  settle(conversationId: string, limits: Limits): Promise<void>;
  /** Seals what an earlier Parley kept in plain. */
  sealOld(): Promise<void>;
}

export interface CheckpointEngineOptions {
  now(): number;
  newId(): string;
  /** What seals secrets; without any, a file beside the database has it. */
  keys?: readonly Uint8Array[] | undefined;
}

/** Checkpoints in a database that is open. What is asked of one conversation is done in that order, one at a time. */
export function checkpointEngine(
  database: Database,
  { now, newId, keys = sealKeys(database.file, null) }: CheckpointEngineOptions,
): CheckpointEngine {
  const tables = {
    database,
    checkpoints: checkpointRows(database),
    files: fileRows(database),
    contents: new Contents(database, keys, { now, newId }),
    now,
    newId,
  };
  const keeper = new TurnRecorder(tables);
  const rewinder = new Rewinder(tables, keeper);
  const last = new Map<string, Promise<unknown>>();
  const cleaned = new Set<string>();
  const inTurn = async <T>(conversationId: string, ask: () => Promise<T>): Promise<T> => {
    const work = async () => {
      if (!cleaned.has(conversationId)) await removeDrafts(tables, conversationId);
      cleaned.add(conversationId);
      return await ask();
    };
    const result = (last.get(conversationId) ?? Promise.resolve()).then(work, work);
    const settled = result.catch(() => {});
    last.set(conversationId, settled);
    try {
      return await result;
    } finally {
      if (last.get(conversationId) === settled) last.delete(conversationId);
    }
  };
  return {
    before: (call, limits) => inTurn(call.conversationId, () => keeper.before(call, limits)),
    after: (call, limits) => inTurn(call.conversationId, () => keeper.after(call, limits)),
    create: (id, place) => inTurn(id, () => rewinder.create(id, place)),
    show: (id, checkpointId, limits) => inTurn(id, () => rewinder.show(checkpointId, limits)),
    changes: (conversationId, workingFolder, limits) =>
      inTurn(conversationId, async () => {
        await keeper.settle(conversationId, limits);
        return await conversationChanges(tables, { conversationId, workingFolder }, limits);
      }),
    preview: (id, checkpointId, part, limits, path) =>
      inTurn(id, () => rewinder.preview(checkpointId, part, limits, path)),
    rewind: (id, checkpointId, how, limits) => inTurn(id, () => rewinder.rewind(checkpointId, how, limits)),
    redo: (id, overwrite, limits) => inTurn(id, () => rewinder.redo(id, overwrite, limits)),
    settle: (id, limits) => inTurn(id, () => keeper.settle(id, limits)),
    sealOld: () => sealOldContents(database, new Seal(keys), now),
  };
}
