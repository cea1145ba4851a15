import { spawnSync } from "node:child_process";
import { chmod, mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";

/** Whose folder it is: several parts of one run share it. */
const owned = "PARLEY_TESTS_TEMPORARY";

/** What programs take for the system's temporary folder, by system. */
const names = ["TMPDIR", "TEMP", "TMP", owned];

/** @returns variables that make `folder` the temporary folder of whatever is started with them */
export const asTemporaryFolder = (folder) => Object.fromEntries(names.map((name) => [name, folder]));

/** As the system's own: a test may do something as another user. */
export const openToAll = (folder) => chmod(folder, 0o1777);

/** Removes a folder with all in it, also folders in it that tests made read-only. */
export async function removeWhole(folder) {
  const remove = () => rm(folder, { recursive: true, force: true, maxRetries: 5 });
  await remove().catch(async (error) => {
    if (!["EACCES", "EPERM"].includes(error.code)) throw error;
    spawnSync("chmod", ["-R", "u+rwX", folder]);
    await remove();
  });
}

/**
 * Before the first test of Vitest or Playwright: all that tests, and what they start, put into the system's temporary folder
 * goes into one of this run's own.
 * @returns what removes it after the last test; undefined where an outer part of the run does that
 */
export default async function setUp() {
  if (process.env[owned] && process.env[owned] === process.env.TMPDIR) return undefined;
  const folder = await mkdtemp(join(tmpdir(), "parley-test-"));
  await openToAll(folder);
  Object.assign(process.env, asTemporaryFolder(folder));
  return async () => await removeWhole(folder);
}
