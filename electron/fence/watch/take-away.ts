import { randomBytes } from "node:crypto";
import { lstat } from "node:fs/promises";
import { join } from "node:path";
import type { PutAside } from "../../agent/ports/ports.ts";
import { fingerprint } from "./fingerprint.ts";
import type { HeldByFence } from "./held-by-fence.ts";
import type { KnownUse } from "./known-files.ts";
import { putAside, putBack } from "./put-aside.ts";
import { runKey } from "./rebase-runs.ts";
import type { SteeringFiles } from "./steering-files.ts";

/** How often it is looked again where folders give way to links. */
export const mostRounds = 10;

/** Takes what a command left of files that decide what runs elsewhere out of the folder. Never throws. */
export async function takeAway({
  folder,
  asideFolder,
  known,
  held,
  find,
}: {
  folder: string;
  asideFolder: string;
  known: KnownUse;
  held: Pick<HeldByFence, "isHeld" | "settings">;
  find(): Promise<SteeringFiles>;
}): Promise<{ putAside: PutAside | null; notes: string[] }> {
  const all: Pick<PutAside, "paths" | "detail" | "putBack">[] = [];
  /** In which round each was taken: there it lies. */
  const roundsOf: number[] = [];
  const seen = new Set<string>();
  const base = join(asideFolder, randomBytes(6).toString("hex"));
  const notes: string[] = [];
  try {
    const [before, ran] = await Promise.all([known.paths(held.isHeld()), known.runs()]);
    for (let round = 0; round < mostRounds; round++) {
      const { protected: steering, runs, isUnsteady } = await find();
      const lists = runs.filter((run) => !ran.has(runKey(run))).map(({ path }) => path);
      const after = [...steering, ...new Set(lists)];
      const place = join(base, String(round));
      for (const path of after) seen.add(path);
      const taken = await putAside(folder, { before, after, settings: held.settings }, place);
      if (taken.putAside) {
        all.push(taken.putAside);
        roundsOf.push(round);
      }
      notes.push(...taken.renamed.map(leftRenamed));
      if (!isUnsteady && !taken.isUnsteady) break;
    }
  } catch (error) {
    const why = error instanceof Error ? error.message : String(error);
    notes.push(
      `Not all that the command left could be looked at, and it may decide what runs elsewhere: ${why}`,
    );
  }
  const paths = all.flatMap((one) => one.paths);
  if (paths.length === 0) return { putAside: null, notes };
  const detail = all.map((one) => one.detail).join("\n\n");
  return {
    putAside: {
      folder,
      place: base,
      paths,
      detail,
      async putBack() {
        // Commands that run now find it where the user wants it, with all that is in it.
        const isBack = (path: string) => paths.some((one) => path === one || path.startsWith(`${one}/`));
        const allowed = new Map<string, string>();
        for (const [round, { paths: own }] of all.entries())
          for (const path of own)
            allowed.set(path, await fingerprint(join(base, String(roundsOf[round]), path)));
        await known.add([...seen].filter(isBack), allowed);
        for (const one of all) await one.putBack();
      },
    },
    notes,
  };
}

const leftRenamed = ({ path, now }: { path: string; now: string }) =>
  `${path} decides what runs elsewhere and could not be taken out of the folder. It is called ${now} now.`;

/**
 * Puts back what was taken away, at whatever time: also after a restart.
 * @throws Error in words where something else is there meanwhile
 */
export async function putBackAgain({
  folder,
  place,
  paths,
}: Pick<PutAside, "folder" | "place" | "paths">): Promise<void> {
  for (const round of Array.from({ length: mostRounds }, (_, index) => join(place, String(index)))) {
    const here: string[] = [];
    for (const path of paths) if (await isThere(join(round, path))) here.push(path);
    if (here.length > 0) await putBack(folder, here, round);
  }
}

const isThere = (path: string) =>
  lstat(path).then(
    () => true,
    () => false,
  );
