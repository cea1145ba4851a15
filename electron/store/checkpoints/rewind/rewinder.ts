import type {
  CheckpointDiff,
  CheckpointSummary,
  NotRestorable,
  RewindOutcome,
  RewindPart,
  RewindPreview,
} from "../../../../shared/conversation/checkpoints.ts";
import { TimeSlices } from "../../../../shared/time-slices.ts";
import { withTrees } from "../../../files/folder-trees.ts";
import { type Checkpoint, type NewCheckpoint, summaryOf } from "../checkpoint-rows.ts";
import { absent, isSame, type SeenFile } from "../contents/file-state.ts";
import { type Keeper, readState } from "../contents/read-state.ts";
import { inShortWrites } from "../contents/short-writes.ts";
import { stateLike } from "../contents/state-like.ts";
import type { Limits } from "../limits.ts";
import type { CheckpointTables, TurnRecorder } from "../turn-recorder.ts";
import { applySteps, type PathResult } from "./apply-steps.ts";
import { isRefreshed } from "./git-history.ts";
import type { PlannedStep } from "./planned-step.ts";
import { rewindDraft } from "./rewind-drafts.ts";
import { planRewind, previewFiles, shownPath, stateDiff } from "./rewind-plan.ts";
import { ListedNames } from "./twins.ts";

export type FilesOutcome = Pick<RewindOutcome, "redoCheckpointId" | "files">;

/** Goes back to checkpoints, and forward again. Calls of one conversation come one at a time. */
export class Rewinder {
  readonly #tables: CheckpointTables;
  readonly #keeper: TurnRecorder;

  constructor(tables: CheckpointTables, keeper: TurnRecorder) {
    this.#tables = tables;
    this.#keeper = keeper;
  }

  /** One by hand: later turns are held beside it. @throws StoreError */
  async create(
    conversationId: string,
    place: { messageId: string | null; label: string; workingFolder: string },
  ): Promise<CheckpointSummary> {
    await this.#keeper.settle(conversationId);
    const { checkpoints, newId, now } = this.#tables;
    const made = { id: newId(), conversationId, ...place, createdAt: now() };
    return summaryOf(checkpoints.insert({ ...made, kind: "manual", part: "both" }));
  }

  /** @throws Error when there is none @throws StoreError */
  async show(checkpointId: string, limits: Limits): Promise<CheckpointDiff[]> {
    const { files, contents } = this.#tables;
    const looker = contents.looking(limits);
    const checkpoint = await this.#settled(checkpointId, limits);
    const { seq, workingFolder } = checkpoint;
    const slices = new TimeSlices();
    const diffs: CheckpointDiff[] = [];
    await withTrees(async (trees) => {
      for (const { folder, path, before } of files.of(seq)) {
        await slices.pause();
        const now = stateLike(before, trees.of(folder), path, limits, looker);
        const change = isSame(before, now)
          ? "none"
          : before.kind === "absent"
            ? "created"
            : now.kind === "absent"
              ? "removed"
              : "changed";
        const shown = shownPath(workingFolder, folder, path);
        const step = { folder, path, shown, now };
        const read = (hash: string) => contents.read(hash);
        const diff = change === "none" ? { diff: null } : stateDiff(step, before, now, read, trees);
        diffs.push({ path: shown, change, ...diff });
      }
    });
    return diffs;
  }

  /** @throws Error when there is none @throws StoreError */
  async preview(
    checkpointId: string,
    part: RewindPart,
    limits: Limits,
    path?: string,
  ): Promise<RewindPreview> {
    const { checkpoints } = this.#tables;
    const checkpoint = await this.#settled(checkpointId, limits);
    const { conversationId, seq } = checkpoint;
    const steps = part === "conversation" ? [] : await planRewind(this.#tables, checkpoint, limits, path);
    const lost = steps.flatMap(({ shown, why }) => (why === null ? [] : [{ path: shown, why }]));
    const unseen = part === "conversation" || path !== undefined ? [] : this.#unseen(conversationId, seq);
    return {
      checkpoint: summaryOf(checkpoint),
      part,
      files: await previewFiles(this.#tables, steps),
      notRestorable: [...lost, ...unseen.filter(({ path }) => !lost.some((other) => other.path === path))],
      prompts:
        part === "files" ? 0 : checkpoints.promptsLeaving(conversationId, checkpoints.headOf(checkpoint)),
    };
  }

  /** @throws Error when there is none, or a call is going on @throws StoreError: then nothing was changed */
  async rewind(
    checkpointId: string,
    { overwrite, part, path }: { overwrite: boolean; part: RewindPart; path?: string | undefined },
    limits: Limits,
  ): Promise<FilesOutcome> {
    const checkpoint = await this.#settled(checkpointId, limits);
    const label = path === undefined ? `Rewind to ${checkpoint.label}` : `Rewind of ${path}`;
    return await this.#goTo(checkpoint, { overwrite, part, path, kind: "rewind", label }, limits);
  }

  /** @throws Error when there is none, or a call is going on @throws StoreError: then nothing was changed */
  async redo(
    conversationId: string,
    overwrite: boolean,
    limits: Limits,
  ): Promise<FilesOutcome & { messageId: string | null }> {
    const { checkpoints } = this.#tables;
    const last = checkpoints.lastRewind(conversationId);
    if (!last) throw new Error("There is no rewind to undo.");
    const { part, id, seq, headMessageId } = last;
    await this.#settled(id, limits);
    const outcome = await this.#goTo(last, { overwrite, part, kind: "redo", label: "Redo" }, limits);
    const isWhole = outcome.files.every(isDone);
    const isFailed = outcome.files.some(({ result }) => result === "failed");
    // What was held back, or failed as on a full disk, can be asked for again.
    if (isWhole || (overwrite && !isFailed)) checkpoints.takeBack(seq);
    return { ...outcome, messageId: part === "files" ? null : headMessageId };
  }

  async #goTo(
    target: Checkpoint,
    how: {
      overwrite: boolean;
      part: RewindPart;
      path?: string | undefined;
      kind: "rewind" | "redo";
      label: string;
    },
    limits: Limits,
  ): Promise<FilesOutcome> {
    const { conversationId, workingFolder } = target;
    if (this.#keeper.isBusy(conversationId)) {
      throw new Error("Something that changes files is still running here. Stop it first, then rewind.");
    }
    const steps = how.part === "conversation" ? [] : await planRewind(this.#tables, target, limits, how.path);
    const results = new Map<PlannedStep, PathResult>();
    const todo: PlannedStep[] = [];
    for (const step of steps) {
      if (step.action === "same") continue;
      if (step.why !== null) results.set(step, { result: "skipped", why: step.why });
      else if (step.isConflict && !how.overwrite) results.set(step, { result: "skipped", why: changedSince });
      else todo.push(step);
    }
    const { contents } = this.#tables;
    const { prunes } = contents;
    const goals = todo.flatMap(({ goal }) => (goal.kind === "file" ? [goal.hash] : []));
    const keeper = contents.keeping(limits, goals);
    try {
      const kept = await this.#keepNow(todo, how.overwrite, limits, keeper, results);
      const { overwrite: _, path: __, ...made } = how;
      const own =
        kept.length > 0 || how.part !== "files"
          ? await this.#note({ ...made, conversationId, workingFolder }, kept)
          : null;
      // Held by rows now: what was thrown away before is kept once more.
      if (contents.prunes !== prunes) await this.#keepNow(kept, true, limits, keeper, results);
      for (const folder of new Set(kept.map((step) => step.folder))) {
        const ofFolder = kept.filter((step) => step.folder === folder);
        const draftOf = own ? (path: string) => rewindDraft(own.id, folder, path) : undefined;
        const applied = await applySteps(folder, ofFolder, contents, draftOf);
        for (const step of ofFolder) {
          const result = applied.get(step.path) ?? { result: "failed", why: "it was passed over" };
          results.set(step, result);
          if (own && !isDone(result)) this.#tables.files.setAfter(own.seq, step, step.now);
        }
      }
      const files = steps.flatMap((step) => {
        const result = results.get(step);
        return result ? [{ path: step.shown, ...result }] : [];
      });
      return { redoCheckpointId: own?.id ?? null, files };
    } finally {
      keeper.release();
    }
  }

  /** What is about to be overwritten is kept first; what cannot be is left alone. */
  async #keepNow(
    todo: readonly PlannedStep[],
    overwrite: boolean,
    limits: Limits,
    keeper: Keeper,
    results: Map<PlannedStep, PathResult>,
  ): Promise<PlannedStep[]> {
    const kept: PlannedStep[] = [];
    const slices = new TimeSlices();
    await withTrees(async (trees) => {
      const listed = new ListedNames(trees);
      for (const step of todo) {
        await slices.pause();
        const tree = trees.of(step.folder);
        const isGone = step.isTwin && !listed.has(step.folder, step.path);
        const { state, stat, why } = isGone ? nothing : readState(tree, step.path, limits, keeper);
        // It may have changed once more since it was planned.
        const isConflict = !isSame(state, step.now) && !isRefreshed(step.path);
        Object.assign(step, { now: state, stat });
        if (isConflict && !overwrite) results.set(step, { result: "skipped", why: changedSince });
        else if (why === null) kept.push(step);
        else results.set(step, { result: "skipped", why: `it could not be kept for a redo: ${why}` });
      }
    });
    this.#tables.contents.flush();
    return kept;
  }

  async #note(
    made: Omit<NewCheckpoint, "id" | "createdAt" | "messageId">,
    kept: readonly PlannedStep[],
  ): Promise<Checkpoint> {
    const { database, checkpoints, files, newId, now } = this.#tables;
    const own = checkpoints.insert({ ...made, id: newId(), messageId: null, createdAt: now() });
    await inShortWrites(database, kept, ({ folder, path, now: before, goal: after }) =>
      files.add(own.seq, { folder, path, before, after, why: null }),
    );
    return own;
  }

  /** Folders that no index covers: whether anything in them changed, nobody knows. Changed files have rows. */
  #unseen(conversationId: string, seq: number): NotRestorable[] {
    const limits = this.#tables.files.limitsSince(conversationId, seq);
    const folders = limits.filter(({ path }) => path === "." || path.endsWith("/"));
    return [...new Map(folders.map((limit) => [limit.path, limit])).values()];
  }

  async #settled(checkpointId: string, limits: Limits): Promise<Checkpoint> {
    const { checkpoints } = this.#tables;
    const found = checkpoints.byId(checkpointId);
    if (!found) throw new Error(`There is no checkpoint ${checkpointId}.`);
    await this.#keeper.settle(found.conversationId, limits);
    return found;
  }
}

const nothing: SeenFile = { state: absent, stat: "", why: null };
const changedSince = "it was changed since by something else";
const isDone = ({ result }: PathResult) => result === "restored" || result === "removed";
