import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { fencedShell } from "../fixtures/fenced.ts";
import { spread } from "./spread.ts";

/** What the fence costs a command: the same one through the shell tool's environment, with and without, by turns. */
const rounds = 40;
const command = "true";

const shell = await fencedShell();
for (let file = 0; file < 200; file++) {
  const folder = join(shell.folder, `part-${file % 10}`);
  mkdirSync(folder, { recursive: true });
  writeFileSync(join(folder, `file-${file}.ts`), "export {};\n");
}
const state = await shell.fences.check();
if (!state.isThere) throw new Error(state.why);
const unfenced: number[] = [];
const fenced: number[] = [];
for (let round = 0; round < rounds + 3; round++) {
  const plain = await timed(() => shell.run(command, { unfenced: true }));
  const within = await timed(() => shell.run(command));
  // The first ones start what stays.
  if (round < 3) continue;
  unfenced.push(plain);
  fenced.push(within);
}
await shell.close();
console.log(JSON.stringify({ perCommandMs: spread(fenced), unfencedMs: spread(unfenced) }));

async function timed(work: () => Promise<unknown>): Promise<number> {
  const since = performance.now();
  await work();
  return performance.now() - since;
}
