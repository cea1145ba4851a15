import { randomBytes } from "node:crypto";
import { join } from "node:path";
import type { PutAside } from "../../agent/ports/ports.ts";
import type { KnownUse } from "./known-files.ts";
import { putAside } from "./put-aside.ts";
import type { SteeringFiles } from "./steering-files.ts";

/** How often it is looked again where folders give way to links. */
export const mostRounds = 10;

/** Takes what a command left of files that decide what runs elsewhere out of the folder. Never throws. */
export async function takeAway({
  folder,
  asideFolder,
  known,
  find,
}: {
  folder: string;
  asideFolder: string;
  known: KnownUse;
  find(): Promise<SteeringFiles>;
}): Promise<{ putAside: PutAside | null; notes: string[] }> {
  const all: PutAside[] = [];
  const notes: string[] = [];
  try {
    const before = await known.paths();
    for (let round = 0; round < mostRounds; round++) {
      const { protected: after, isUnsteady } = await find();
      const place = join(asideFolder, randomBytes(6).toString("hex"));
      const taken = await putAside(folder, { before, after }, place);
      if (taken.putAside) all.push(taken.putAside);
      notes.push(...taken.renamed.map(leftRenamed));
      if (!isUnsteady && !taken.isUnsteady) break;
    }
  } catch (error) {
    const why = error instanceof Error ? error.message : String(error);
    notes.push(
      `Not all that the command left could be looked at, and it may decide what runs elsewhere: ${why}`,
    );
  }
  return { putAside: joined(all, known), notes };
}

const leftRenamed = ({ path, now }: { path: string; now: string }) =>
  `${path} decides what runs elsewhere and could not be taken out of the folder. It is called ${now} now.`;

function joined(all: readonly PutAside[], known: KnownUse): PutAside | null {
  const [first] = all;
  if (!first) return null;
  const paths = [...new Set(all.flatMap((one) => one.paths))];
  return {
    folder: first.folder,
    place: first.place,
    paths,
    detail: all.map(({ detail }) => detail).join("\n\n"),
    async putBack() {
      // Commands that run now find it where the user wants it.
      await known.add(paths);
      for (const one of all) await one.putBack();
    },
  };
}
