import { randomBytes } from "node:crypto";
import { mkdtemp, readFile, rm, statfs, writeFile } from "node:fs/promises";
import { join } from "node:path";
import type { ExecutionEnvironment, FenceState } from "../../agent/ports/ports.ts";
import type { Cipher } from "../../settings/secrets.ts";
import type { Check, Finding } from "./run-check.ts";

export interface SystemChecksOptions {
  /** Runs a fenced command that tries what it must not be able to do. */
  checkFence(): Promise<FenceState>;
  isFenceOn(): boolean;
  /** What seals keys. */
  cipher(): Cipher;
  /** The quick prompt's shortcut; blank: none is wanted. `problem`: why it cannot be had, in words. */
  tryShortcut(signal: AbortSignal): Promise<{ key: string; problem: string | null }>;
  /** Whether something shows tray icons; null where that cannot be told. */
  hasTray(signal: AbortSignal): Promise<boolean | null>;
  /** The user-data folder. */
  userData: string;
  workingFolder: Pick<ExecutionEnvironment, "workingDirectory" | "writeFile" | "readFile" | "deleteFile">;
}

/** What of the system Parley stands on: each tried. */
export function systemChecks(options: SystemChecksOptions): Check[] {
  return [
    {
      name: "fence",
      limitMs: 20_000,
      look: () => fence(options),
      todo: "Without it, each command asks first or follows your rules.",
    },
    {
      name: "keyStore",
      limitMs: 10_000,
      look: async () => keyStore(options.cipher()),
      todo: "Unlock the system's key store, then check again.",
    },
    {
      name: "shortcut",
      limitMs: 5_000,
      look: async (signal) => shortcut(await options.tryShortcut(signal)),
      todo: "Open the quick prompt from the tray’s menu.",
    },
    { name: "tray", limitMs: 5_000, look: (signal) => tray(options, signal), todo: openAgain },
    {
      name: "disk",
      limitMs: 10_000,
      look: () => disk(options),
      todo: "Free up disk space, or give your user permission to write to that folder.",
    },
  ];
}

async function fence({ checkFence, isFenceOn }: SystemChecksOptions): Promise<Finding> {
  const state = await checkFence();
  if (!state.isThere) {
    const todo = state.mend === null ? null : `Type ${state.mend}`;
    return { state: "limited", found: `${state.why} Commands that change something ask first.`, todo };
  }
  if (isFenceOn()) return { state: "ok", found: "A command could not get out of it." };
  return {
    state: "limited",
    found: "It works, but it is turned off.",
    todo: "Turn on `fence` in the settings.",
  };
}

/** Seals a word and opens it again. */
function keyStore(cipher: Cipher): Finding {
  if (!cipher.isGuarded()) {
    return {
      state: "limited",
      found:
        "No key store found. Keys are forgotten when you quit, unless you agree to a weakly protected file.",
      todo: "Unlock or install one, such as gnome-keyring or KWallet.",
    };
  }
  const word = randomBytes(12).toString("hex");
  if (cipher.decrypt(cipher.encrypt(word)) !== word) {
    throw new Error(`${cipher.backend} returned something other than what it was given.`);
  }
  return { state: "ok", found: `${cipher.backend} seals and opens keys.` };
}

function shortcut({ key, problem }: { key: string; problem: string | null }): Finding {
  if (key === "") return { state: "ok", found: "The quick prompt has no shortcut." };
  if (problem === null) return { state: "ok", found: `${key} opens the quick prompt from any program.` };
  return {
    state: "limited",
    found: problem,
    todo: "Change it under Settings → Shortcuts, or open the quick prompt from the tray’s menu.",
  };
}

const openAgain = "To bring a closed window back, start Parley again.";

async function tray({ hasTray }: SystemChecksOptions, signal: AbortSignal): Promise<Finding> {
  const isThere = await hasTray(signal);
  if (isThere === true) return { state: "ok", found: "The desktop shows tray icons." };
  const found =
    isThere === false
      ? "The desktop shows no tray icons."
      : "Parley could not find out whether there is a tray.";
  return { state: "limited", found, todo: openAgain };
}

/** Bytes: less than this and a conversation may not be kept. */
const leastFree = 50_000_000;
/** Bytes: enough for a speech model. */
const muchFree = 1_000_000_000;

/** Writes, reads and removes a file in both folders. @throws Error in words where the user-data folder does not take it */
async function disk({ userData, workingFolder }: SystemChecksOptions): Promise<Finding> {
  const text = randomBytes(1000).toString("hex");
  await inUserData(userData, text);
  const { bavail, bsize } = await statfs(userData);
  const free = bavail * bsize;
  const room = `${(free / 1e9).toFixed(1)} GB free`;
  if (free < leastFree)
    return { state: "failed", found: `${room} in ${userData}.`, todo: "Free up disk space." };
  const folder = workingFolder.workingDirectory;
  const name = `.parley-check-${randomBytes(4).toString("hex")}`;
  try {
    await workingFolder.writeFile(name, Buffer.from(text));
    const { bytes } = await workingFolder.readFile(name, { maxBytes: 10_000 });
    await workingFolder.deleteFile(name);
    if (Buffer.from(bytes).toString() !== text)
      throw new Error("What was read back is not what was written.");
  } catch (error) {
    const why = error instanceof Error ? error.message : String(error);
    return {
      state: "limited",
      found: `Parley cannot write to ${folder}: ${why}`,
      todo: "Choose another working folder.",
    };
  }
  if (free < muchFree)
    return { state: "limited", found: `Files can be written. ${room}.`, todo: "Free up disk space." };
  return { state: "ok", found: `Files can be written. ${room}.` };
}

async function inUserData(userData: string, text: string): Promise<void> {
  const folder = await mkdtemp(join(userData, "check-")).catch((error: unknown) => {
    throw new Error(`Parley cannot write to ${userData}: ${String(error)}`);
  });
  try {
    const file = join(folder, "file");
    await writeFile(file, text);
    if ((await readFile(file, "utf8")) !== text)
      throw new Error("What was read back is not what was written.");
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}
