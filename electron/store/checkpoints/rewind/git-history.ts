import type { FolderTrees } from "../../../files/folder-trees.ts";
import { statsOf } from "../contents/read-state.ts";
import { namesIn } from "../folder-index.ts";
import type { PlannedStep } from "./planned-step.ts";

/** Git writes its index anew whenever somebody merely asks for the status: without the old one, history would not fit it. */
export const isRefreshed = (path: string) => /(?:^|\/)\.git\/index$/.test(path);

const inRepository = /^(?:.*\/)?[^/]*\.git(?=\/|$)/;
/** Of git itself, and of what keeps large files beside it. */
const ofObjects =
  /^((?:.*\/)?[^/]*\.git(?:\/modules\/.+)?)\/(?:objects\/(?:[\da-f]{2}|pack|info)|lfs|annex)(?:\/|$)/;
/** What other systems keep of history: its files fit one another alone. */
const inOtherHistory = /^(?:.*\/)?\.(?:hg|jj|svn|bzr)(?=\/|$)/;

/**
 * What the user does to a repository later may build on what a command did to it: objects stay, which harm nobody, and a
 * repository goes as a whole or, where something else has changed it, not at all.
 * @param since when the first of the steps was taken back from, in milliseconds since the epoch
 */
export function markHistory(steps: readonly PlannedStep[], since: number, trees: FolderTrees): void {
  const byPath = new Map(steps.map((step) => [keyOf(step, step.path), step]));
  for (const step of steps) {
    if (step.isConflict && isRefreshed(step.path)) step.isConflict = isMoved(step, since, byPath, trees);
  }
  const isChanged = (step: PlannedStep) => step.isConflict || holdsMore(step, byPath, trees);
  const changed = new Set(steps.filter(isChanged).flatMap(repositoryOf));
  for (const step of steps) {
    if (step.action === "same") continue;
    const [repository] = repositoryOf(step);
    if (repository === undefined) continue;
    const goes = byPath.get(`${repository}/HEAD`)?.action === "remove";
    if (goes && changed.has(repository)) step.isConflict = true;
    if (step.action === "remove" && isObjectOfOther(step, byPath)) step.action = "same";
  }
  const open = steps.filter(({ action }) => action !== "same");
  const others = new Set(open.filter(({ isConflict }) => isConflict).flatMap(otherHistoryOf));
  for (const step of open) {
    if (otherHistoryOf(step).some((history) => others.has(history))) step.isConflict = true;
  }
}

type ByPath = ReadonlyMap<string, PlannedStep>;

const keyOf = ({ folder }: Pick<PlannedStep, "folder">, path: string) => `${folder}/${path}`;

/** @returns none for what is in no repository */
const repositoryOf = (step: PlannedStep) => startOf(step, inRepository);
const otherHistoryOf = (step: PlannedStep) => startOf(step, inOtherHistory);

function startOf(step: PlannedStep, pattern: RegExp): string[] {
  const [start] = pattern.exec(step.path) ?? [];
  return start === undefined ? [] : [keyOf(step, start)];
}

/** Whether it belongs to a repository that stays. */
function isObjectOfOther(step: PlannedStep, byPath: ByPath): boolean {
  const repository = ofObjects.exec(step.path)?.[1];
  return repository !== undefined && byPath.get(keyOf(step, `${repository}/HEAD`))?.action !== "remove";
}

/** Whether something else has committed, or checked something out, since: the old index would not fit that. */
function isMoved(index: PlannedStep, since: number, byPath: ByPath, trees: FolderTrees): boolean {
  const repository = index.path.slice(0, -"/index".length);
  for (const path of [`${repository}/logs/HEAD`, `${repository}/HEAD`]) {
    const step = byPath.get(keyOf(index, path));
    if (step) return step.isConflict;
    const stats = statsOf(trees.of(index.folder), path);
    if (stats) return typeof stats === "string" || Number(stats.ctimeMs) > since;
  }
  return false;
}

/** Whether it is a folder of a repository that would go, and something else has put something into it. */
function holdsMore(step: PlannedStep, byPath: ByPath, trees: FolderTrees): boolean {
  if (step.action !== "remove" || step.now.kind !== "directory" || !inRepository.test(step.path))
    return false;
  const { names, unreachable } = namesIn(trees.of(step.folder), step.path, () => {});
  return unreachable.length > 0 || names.some((name) => !byPath.has(keyOf(step, `${step.path}/${name}`)));
}
