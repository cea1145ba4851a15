import { existsSync, readFileSync } from "node:fs";
import { rm } from "node:fs/promises";
import { join } from "node:path";
import { npmFailure } from "./npm-failure.mjs";
import { progressBar } from "./progress.mjs";
import { npm, root } from "./run.mjs";
import { SetUpError, say } from "./say.mjs";

/**
 * Runs `npm ci` when what is installed is not what the lock file asks for. Up to date, it needs no network.
 * @throws SetUpError when npm cannot reach its registry, the disk is full, or an install fails
 */
export async function dependencies(folder = root) {
  if (isInstalled(folder)) return;
  say("installing packages (about a minute)");
  // npm writes this record last; without it, an install that dies half-way is not taken for a finished one.
  await rm(recordPath(folder), { force: true });
  const { code, output } = await install(folder);
  if (code !== 0) throw npmFailure("The packages could not be installed", output, "node_modules");
  if (!isInstalled(folder)) {
    throw new SetUpError(
      "npm ci finished, but node_modules does not match package-lock.json. Run it once more.",
    );
  }
}

/** Compares the lock file with npm's own record of what it installed; optional packages may be missing. */
export function isInstalled(folder) {
  if (!existsSync(recordPath(folder))) return false;
  const wanted = packagesOf(join(folder, "package-lock.json"));
  const installed = packagesOf(recordPath(folder));
  const isRight = ([path, { version, integrity, optional, devOptional }]) => {
    const found = installed[path];
    if (!found) return Boolean(optional || devOptional);
    return found.version === version && found.integrity === integrity;
  };
  return Object.entries(wanted).every(([path, entry]) => path === "" || isRight([path, entry]));
}

function recordPath(folder) {
  return join(folder, "node_modules/.package-lock.json");
}

function packagesOf(file) {
  return JSON.parse(readFileSync(file, "utf8")).packages;
}

async function install(folder) {
  const total = countHere(folder);
  const bar = progressBar("packages", total);
  let fetched = 0;
  const onText = (text) => {
    fetched += text.match(/^npm http fetch GET 200 \S+\.tgz/gm)?.length ?? 0;
    bar.update(fetched);
  };
  const retries = ["--fetch-retries=2", "--fetch-retry-mintimeout=1000", "--fetch-retry-maxtimeout=5000"];
  // Each fetch is a line at this log level: the only progress that npm reports to a pipe.
  const args = ["ci", "--no-audit", "--no-fund", "--loglevel=http", ...retries];
  const result = await npm(args, { cwd: folder, quiet: true, onText });
  if (result.code === 0) bar.update(total);
  bar.stop();
  return result;
}

/** How many packages npm will fetch, about: those for other systems do not count. */
function countHere(folder) {
  const here = ({ os, cpu }) =>
    (os?.includes(process.platform) ?? true) && (cpu?.includes(process.arch) ?? true);
  return Object.values(packagesOf(join(folder, "package-lock.json"))).filter(here).length;
}
