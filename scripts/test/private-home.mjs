import { chmod, mkdir, mkdtemp } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { asTemporaryFolder, openToAll, removeWhole } from "./temporary-folder.mjs";

/**
 * Runs `work` with home, data and temporary folders of its own and without the user's keys, so that no test reads or changes
 * what is theirs or talks to a paid service.
 * @param work gets the whole environment for its programs
 */
export async function withPrivateHome(work, base = process.env) {
  const home = await mkdtemp(join(tmpdir(), "parley-test-"));
  const env = { ...withoutKeys(base), ...foldersIn(home) };
  try {
    for (const name of Object.values(foldersIn(home))) await mkdir(name, { recursive: true, mode: 0o700 });
    await chmod(home, 0o711);
    await openToAll(env.TMPDIR);
    return await work(env);
  } finally {
    await removeWhole(home);
  }
}

function foldersIn(home) {
  return {
    HOME: home,
    USERPROFILE: home,
    APPDATA: join(home, "AppData/Roaming"),
    LOCALAPPDATA: join(home, "AppData/Local"),
    XDG_CONFIG_HOME: join(home, ".config"),
    XDG_CACHE_HOME: join(home, ".cache"),
    XDG_DATA_HOME: join(home, ".local/share"),
    XDG_STATE_HOME: join(home, ".local/state"),
    XDG_RUNTIME_DIR: join(home, "run"),
    ...asTemporaryFolder(join(home, "tmp")),
  };
}

/** What is said to the tests by these, and to nothing else. */
const forTests = new Set([
  "PARLEY_WITHOUT_FENCE",
  "PARLEY_ATTACK",
  "PARLEY_ATTACK_CONTROL",
  "PARLEY_RECORD_ATTACKS",
  "PARLEY_EVERY_PART",
]);

function withoutKeys(env) {
  const isKey = (name) =>
    /^(ANTHROPIC|OPENAI|GEMINI|GOOGLE)_|_API_KEY$|^PARLEY_|^PULSE_/.test(name) && !forTests.has(name);
  return Object.fromEntries(Object.entries(env).filter(([name]) => !isKey(name)));
}
