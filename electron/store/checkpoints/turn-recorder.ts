import type { NotRestorable } from "../../../shared/conversation/checkpoints.ts";
import { TimeSlices } from "../../../shared/time-slices.ts";
import type { CallChanges, ChangingCall, CheckpointReport } from "../../agent/ports/checkpoint-ports.ts";
import { withTrees } from "../../files/folder-trees.ts";
import type { Database } from "../database/database.ts";
import type { Checkpoint, CheckpointRows } from "./checkpoint-rows.ts";
import { isDamaged } from "./contents/blobs.ts";
import type { Contents } from "./contents/contents.ts";
import { absent, isSame, type SeenFile } from "./contents/file-state.ts";
import { hidden, type Keeper, readState } from "./contents/read-state.ts";
import { inShortWrites } from "./contents/short-writes.ts";
import { stateLike } from "./contents/state-like.ts";
import type { FileRow, FileRows } from "./file-rows.ts";
import { type Change, changesSince } from "./folder-changes.ts";
import { type FolderIndex, indexFolder, notRestorableOf } from "./folder-index.ts";
import type { Limits } from "./limits.ts";
import { deletedFiles } from "./rewind/deleted-files.ts";
import { gatheredFolders, readOnlyPaths } from "./rewind/read-only-paths.ts";
import { touchedEntries } from "./rewind/touched-entries.ts";

/** What keeping and rewinding work on. */
export interface CheckpointTables {
  database: Database;
  checkpoints: CheckpointRows;
  files: FileRows;
  contents: Contents;
  now(): number;
  newId(): string;
}

/** A call as it crosses threads. */
export type KeptCall = Omit<ChangingCall, "signal">;

/** Folders whose index is remembered: what did not change in them is not read again. */
const mostKnown = 4;

/** Keeps what calls are about to change, and notes what they left. Calls of one conversation come one at a time. */
export class TurnRecorder {
  readonly #tables: CheckpointTables;
  /** Calls that are going on, by conversation and call. */
  readonly #calls = new Map<
    string,
    { checkpoint: Checkpoint; folder: string; entries: readonly string[] | null }
  >();
  /** Folders as they were before the first of the calls that are going on, by checkpoint; what was told to be deleted. */
  readonly #pending = new Map<number, { index: FolderIndex; calls: Set<string>; deleted: Set<string> }>();
  /** By conversation: the newest checkpoint of a turn that was made here, and the run it is of. */
  readonly #runs = new Map<string, { seq: number; runId: string }>();
  /** Conversations whose calls of an earlier process were looked at. */
  readonly #settled = new Set<string>();
  readonly #known = new Map<string, { index: FolderIndex; prunes: number }>();

  constructor(tables: CheckpointTables) {
    this.#tables = tables;
  }

  /** @throws StoreError: then nothing is kept, and the call must not run */
  async before(call: KeptCall, limits: Limits): Promise<CheckpointReport> {
    const { conversationId, messageId, runId, paths } = call;
    await this.settle(conversationId, limits);
    const folder = call.workingFolder;
    const newest = this.#tables.checkpoints.newest(conversationId);
    const own = this.#runs.get(conversationId);
    // Asked again for the same prompt, it finds files that the user has changed since: they need a checkpoint of their own.
    const isOfRun =
      newest?.seq === own?.seq &&
      own?.runId === runId &&
      newest?.messageId === messageId &&
      newest.workingFolder === folder;
    const turn = isOfRun ? newest : null;
    const make = () => turn ?? this.#make(call, folder);
    return paths === null
      ? await this.#keepFolder(call, folder, limits, turn, make)
      : await this.#keepPaths(call, folder, touchedEntries(folder, paths), limits, turn, make);
  }

  /** @returns null for what kept nothing @throws StoreError */
  async after(call: KeptCall, limits: Limits): Promise<CallChanges | null> {
    const key = keyOf(call);
    const going = this.#calls.get(key);
    this.#calls.delete(key);
    if (!going) return null;
    const { folder, entries } = going;
    const { seq, id: checkpointId } = going.checkpoint;
    if (entries) {
      const looker = this.#tables.contents.looking(limits);
      const states = await withTrees(async (trees) =>
        entries.map((path) => ({
          folder,
          path,
          state: readState(trees.of(folder), path, limits, looker).state,
        })),
      );
      this.#tables.database.transaction(() => {
        for (const { state, ...place } of states) {
          this.#tables.files.setAfter(seq, place, state === hidden ? null : state);
        }
      });
      return { checkpointId, deletedFiles: 0 };
    }
    const pending = this.#pending.get(seq);
    if (!pending) return null;
    pending.calls.delete(key);
    // Others of its kind go on: the folder as it was before them all still counts.
    const isLast = pending.calls.size === 0;
    if (isLast) this.#pending.delete(seq);
    const changes = await this.#note(seq, pending.index, isLast);
    const news = deletedFiles(changes).filter((path) => !pending.deleted.has(path));
    for (const path of news) pending.deleted.add(path);
    return { checkpointId, deletedFiles: news.length };
  }

  /** Notes what calls left that a crash cut off. @param limits without them, of whole folders alone @throws StoreError */
  async settle(conversationId: string, limits?: Limits): Promise<void> {
    const { files } = this.#tables;
    if (limits && !this.#settled.has(conversationId)) {
      await this.#noteCutOff(conversationId, limits);
      this.#settled.add(conversationId);
    }
    for (const { seq, index } of files.manifests(conversationId)) {
      if (this.#pending.has(seq)) continue;
      if (index) await this.#note(seq, index, true);
      else {
        files.addLimit(seq, { path: ".", why: isDamaged });
        files.dropManifest(seq);
      }
    }
  }

  /** Whether a call that changes something is going on. */
  isBusy(conversationId: string): boolean {
    return [...this.#calls.keys()].some((key) => key.startsWith(`${conversationId} `));
  }

  /** Of the calls that named their paths, from before this process: what is there now counts as what they left. */
  async #noteCutOff(conversationId: string, limits: Limits): Promise<void> {
    const { database, files, contents } = this.#tables;
    const looker = contents.looking(limits);
    for (const seq of files.cutOff(conversationId)) {
      const rows = await withTrees(async (trees) =>
        files.of(seq).flatMap(({ folder, path, before, after }) => {
          const now = after ?? stateLike(before, trees.of(folder), path, limits, looker);
          return after || now === hidden ? [] : [{ folder, path, now }];
        }),
      );
      await inShortWrites(database, rows, (row) => files.setAfter(seq, row, row.now));
    }
  }

  #make({ conversationId, messageId, runId, label }: KeptCall, workingFolder: string): Checkpoint {
    const { checkpoints, newId, now } = this.#tables;
    const made = { id: newId(), conversationId, messageId, label, workingFolder, createdAt: now() };
    const checkpoint = checkpoints.insert({ ...made, kind: "turn", part: "files" });
    this.#runs.set(conversationId, { seq: checkpoint.seq, runId });
    return checkpoint;
  }

  async #keepPaths(
    call: KeptCall,
    folder: string,
    entries: readonly string[],
    limits: Limits,
    turn: Checkpoint | null,
    make: () => Checkpoint,
  ): Promise<CheckpointReport> {
    const { files, contents } = this.#tables;
    const pending = turn && this.#pending.get(turn.seq)?.index;
    const slices = new TimeSlices();
    return await this.#unlessPruned(limits, async (keeper) => {
      const rows: FileRow[] = [];
      await withTrees(async (trees) => {
        for (const path of entries) {
          await slices.pause();
          if (turn && files.has(turn.seq, folder, path)) continue;
          const seen =
            (pending && earlier(pending, path)) ?? readState(trees.of(folder), path, limits, keeper);
          rows.push({ folder, path, before: seen.state, after: null, why: seen.why });
        }
      });
      contents.flush();
      const limited = rows.flatMap(({ path, why }) => (why === null ? [] : [{ path, why }]));
      return () => {
        const checkpoint = make();
        for (const row of rows) files.add(checkpoint.seq, row);
        this.#calls.set(keyOf(call), { checkpoint, folder, entries });
        return this.#report(checkpoint, turn === null, limited, []);
      };
    });
  }

  async #keepFolder(
    call: KeptCall,
    folder: string,
    limits: Limits,
    turn: Checkpoint | null,
    make: () => Checkpoint,
  ): Promise<CheckpointReport> {
    const { files } = this.#tables;
    const key = keyOf(call);
    const pending = turn && this.#pending.get(turn.seq);
    if (turn && pending) {
      pending.calls.add(key);
      this.#calls.set(key, { checkpoint: turn, folder, entries: null });
      return this.#report(turn, false, [], readOnlyPaths(pending.index));
    }
    return await this.#unlessPruned(limits, async (keeper, prunes) => {
      const index = await this.#index(folder, limits, keeper, prunes);
      const readOnly = readOnlyPaths(index);
      const limited = [...notRestorableOf(index), ...gatheredFolders(index, readOnly)];
      return () => {
        const checkpoint = make();
        files.saveManifest(checkpoint.seq, index);
        this.#pending.set(checkpoint.seq, { index, calls: new Set([key]), deleted: new Set() });
        this.#calls.set(key, { checkpoint, folder, entries: null });
        return this.#report(checkpoint, turn === null, limited, readOnly);
      };
    });
  }

  /**
   * Contents are kept first, and what holds them after that: where some were thrown away in between, both are done again.
   * @param keep gives what is written in one transaction
   */
  async #unlessPruned<T extends object>(
    limits: Limits,
    keep: (keeper: Keeper, prunes: number) => Promise<() => T>,
  ): Promise<T> {
    const { database, contents } = this.#tables;
    for (;;) {
      const { prunes } = contents;
      const keeper = contents.keeping(limits);
      try {
        const hold = await keep(keeper, prunes);
        const held = database.transaction(() => (contents.prunes === prunes ? hold() : null));
        if (held) return held;
      } finally {
        keeper.release();
      }
    }
  }

  async #index(folder: string, limits: Limits, keeper: Keeper, prunes: number): Promise<FolderIndex> {
    const { contents, now } = this.#tables;
    const last = this.#known.get(folder);
    const known = last?.prunes === prunes ? last.index : null;
    const index = await indexFolder(folder, limits, { known, now: now(), keeper });
    contents.flush();
    this.#known.delete(folder);
    this.#known.set(folder, { index, prunes });
    for (const oldest of this.#known.keys()) {
      if (this.#known.size <= mostKnown) break;
      this.#known.delete(oldest);
    }
    return index;
  }

  #report(
    checkpoint: Checkpoint,
    isNew: boolean,
    limited: readonly NotRestorable[],
    readOnly: string[],
  ): CheckpointReport {
    const { seq, id } = checkpoint;
    const notRestorable = limited.filter((limit) => this.#tables.files.addLimit(seq, limit));
    return { checkpointId: id, isNew, notRestorable, readOnly };
  }

  /** What differs from before becomes rows; of those that are there already, how they are now. */
  async #note(seq: number, index: FolderIndex, isLast: boolean): Promise<Change[]> {
    const { database, files, contents } = this.#tables;
    const looker = contents.looking(index.limits);
    const changes = await changesSince(index, looker);
    const changed = new Set(changes.map(({ path }) => path));
    const again = await withTrees(async (trees) =>
      files.of(seq).flatMap((row): FileRow[] => {
        if (row.folder === index.folder && changed.has(row.path)) return [];
        const after = stateLike(row.before, trees.of(row.folder), row.path, index.limits, looker);
        if (after === hidden) return row.after ? [{ ...row, after: null }] : [];
        return row.after && isSame(row.after, after) ? [] : [{ ...row, after }];
      }),
    );
    const rows = [...changes.map((change) => ({ ...change, folder: index.folder })), ...again];
    await inShortWrites(database, rows, (row) => {
      files.add(seq, row);
      files.setAfter(seq, row, row.after);
    });
    if (isLast) files.dropManifest(seq);
    return changes;
  }
}

const keyOf = ({ conversationId, toolUseId }: KeptCall) => `${conversationId} ${toolUseId}`;

/** How a path was before the calls that are going on, where their index tells. */
function earlier({ seen, unseen }: FolderIndex, path: string): SeenFile | null {
  const known = seen.get(path);
  if (known) return known;
  for (let end = path.lastIndexOf("/"); ; end = path.lastIndexOf("/", end - 1)) {
    const above = end > 0 ? path.slice(0, end) : "";
    if (unseen.has(above)) return null;
    if (above === "") return { state: absent, stat: "", why: null };
  }
}
