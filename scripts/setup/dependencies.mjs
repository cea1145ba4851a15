import { existsSync, readFileSync } from "node:fs";
import { rm } from "node:fs/promises";
import { join } from "node:path";
import { npm, root } from "./run.mjs";
import { diskFull, SetUpError, say } from "./say.mjs";

/**
 * Runs `npm ci` when what is installed is not what the lock file asks for. Up to date, it needs no network.
 * @throws SetUpError when npm cannot reach its registry, the disk is full, or an install fails
 */
export async function dependencies(folder = root) {
  if (isInstalled(folder)) return;
  say("installing packages (about a minute)");
  // npm writes this record last; without it, an install that dies half-way is not taken for a finished one.
  await rm(recordPath(folder), { force: true });
  const retries = ["--fetch-retries=2", "--fetch-retry-mintimeout=1000", "--fetch-retry-maxtimeout=5000"];
  const { code, output } = await npm(["ci", "--no-audit", "--no-fund", "--loglevel=error", ...retries], {
    cwd: folder,
    quiet: true,
  });
  if (code !== 0) throw failed(output);
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

function failed(output) {
  if (output.includes("ENOSPC")) return new SetUpError(diskFull("node_modules"));
  const reason = output.trim().split("\n").slice(0, 12).join("\n  ");
  const network =
    /ENOTFOUND|EAI_AGAIN|ECONNREFUSED|ECONNRESET|ETIMEDOUT|ENETUNREACH|EHOSTUNREACH|network/.test(output);
  const advice = network
    ? "npm cannot reach its registry. Check the network and npm's proxy and registry settings"
    : "npm could not install the packages. See what it said below";
  return new SetUpError(`${advice}, then run the same command again.\n  ${reason}`);
}
