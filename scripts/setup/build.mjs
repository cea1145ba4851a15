import { createHash } from "node:crypto";
import { existsSync, readdirSync, readFileSync } from "node:fs";
import { rm, writeFile } from "node:fs/promises";
import { join, relative, sep } from "node:path";
import { binary, root, run } from "./run.mjs";
import { SetUpError, say } from "./say.mjs";

const sources = ["electron", "renderer", "shared", "resources"];
const settings = ["electron.vite.config.ts", "package.json", "package-lock.json", "tsconfig.json"];

/** The file that says which sources `out/` was built from. */
export const buildStamp = join(root, "out/.sources-sha256");

/**
 * Builds into `out/` when the sources are not the ones that were built last.
 * @throws SetUpError when the build fails; what it printed is on stderr
 */
export async function build() {
  const hash = sourcesHash(root);
  if (existsSync(buildStamp) && readFileSync(buildStamp, "utf8") === hash) return;
  say("building");
  await rm(join(root, "out"), { recursive: true, force: true });
  const { code } = await run(process.execPath, [binary("electron-vite"), "build", "--logLevel", "warn"]);
  if (code !== 0) throw new SetUpError("The build failed; see above.");
  // Written last, and with the hash from before: a file saved during the build makes the next start build again.
  await writeFile(buildStamp, hash);
}

/** One hash over the path and bytes of everything the build reads in `folder`. */
export function sourcesHash(folder) {
  const hash = createHash("sha256");
  const files = sources.flatMap((name) => filesBelow(join(folder, name)));
  for (const file of [...files, ...settings.map((name) => join(folder, name))]) {
    if (!existsSync(file)) continue;
    const bytes = readFileSync(file);
    hash.update(`${relative(folder, file).split(sep).join("/")}\0${bytes.length}\0`).update(bytes);
  }
  return hash.digest("hex");
}

function filesBelow(folder) {
  if (!existsSync(folder)) return [];
  return readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => join(entry.parentPath, entry.name))
    .sort();
}
