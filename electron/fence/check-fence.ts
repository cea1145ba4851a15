import { randomBytes } from "node:crypto";
import { existsSync, readFileSync } from "node:fs";
import { mkdir } from "node:fs/promises";
import { join } from "node:path";
import type { Fence, FenceState } from "../agent/ports/ports.ts";
import type { FencePlace } from "./place.ts";
import type { Programs } from "./process/launchers.ts";

/** Runs a program to its end; it ends with us, however we die. */
export type RunToEnd = (
  file: string,
  args: readonly string[],
  options: { cwd: string; env: Readonly<Record<string, string>>; timeoutMs: number },
) => Promise<{ output: string; code: number | null }>;

type Missing = Extract<FenceState, { isThere: false }>;

/** What can be told without trying; null: it has to be tried. */
export function whyRefused(platform: NodeJS.Platform, { bwrap, socat }: Partial<Programs>): Missing | null {
  if (platform === "darwin") return null;
  if (platform !== "linux") {
    return { isThere: false, why: "Parley has no fence for commands on this system yet.", mend: null };
  }
  const missing = [...(bwrap ? [] : ["bubblewrap"]), ...(socat ? [] : ["socat"])];
  if (missing.length === 0) return null;
  return {
    isThere: false,
    why: `The fence for commands needs ${missing.join(" and ")}, which ${missing.length === 1 ? "is" : "are"} not installed.`,
    mend: `sudo apt-get install ${missing.join(" ")}`,
  };
}

/** Settings of the kernel, each with the value that refuses a fence. */
const refusing = {
  apparmor: ["/proc/sys/kernel/apparmor_restrict_unprivileged_userns", "1"],
  clone: ["/proc/sys/kernel/unprivileged_userns_clone", "0"],
  namespaces: ["/proc/sys/user/max_user_namespaces", "0"],
} as const;

/** What decides whether there is a fence, as far as it is seen without trying. */
export const signsOfFence = ({ bwrap, socat }: Partial<Programs>): string =>
  JSON.stringify([bwrap, socat, ...Object.values(refusing).map(([file, value]) => isSet(file, value))]);

/**
 * Runs a real fenced command that tries what it must not be able to do.
 * @param around an empty folder of this look's own, by its real path; whoever made it removes it
 * @param fenceOf of a folder that is made for this
 */
export async function checkFence(
  place: FencePlace,
  around: string,
  run: RunToEnd,
  fenceOf: (folder: string) => Fence,
): Promise<FenceState> {
  const folder = join(around, "folder");
  const outside = join(around, "outside");
  await mkdir(folder);
  const word = randomBytes(6).toString("hex");
  const command = [
    `touch ${outside}`,
    `touch ${join(folder, "inside")}`,
    `unshare -Urm true 2>/dev/null && touch ${join(folder, "unshared")}`,
    `echo ${word}-$((6 * 7))`,
  ].join("; ");
  const wrapped = await fenceOf(folder).wrap({
    command,
    folder,
    env: { PATH: "/usr/bin:/bin", HOME: place.home },
    confinement: "change",
    readOnly: [],
  });
  const { output, code } = await run("/bin/bash", ["-c", wrapped.line], {
    cwd: folder,
    env: wrapped.env,
    timeoutMs: patienceMs,
  });
  await wrapped.ended(output, code);
  if (!output.includes(`${word}-42`)) return refused(output);
  if (existsSync(outside) || existsSync(join(folder, "unshared")) || !existsSync(join(folder, "inside"))) {
    return {
      isThere: false,
      why: "Bubblewrap ran a command, but did not fence it in.",
      mend: "sudo apt-get install --reinstall bubblewrap",
    };
  }
  return { isThere: true };
}

/** Milliseconds: a fence that takes longer is as good as none. */
const patienceMs = 15_000;

/** In words: what usually stands behind it, where the system says so. */
export function refused(said: string): Missing {
  if (isSet(...refusing.apparmor)) {
    return {
      isThere: false,
      why: "AppArmor stops ordinary programs from creating namespaces on this system, and the fence needs them.",
      mend: "sudo sysctl -w kernel.apparmor_restrict_unprivileged_userns=0",
    };
  }
  if (isSet(...refusing.clone)) {
    return {
      isThere: false,
      why: "The kernel stops ordinary users from creating namespaces, and the fence needs them.",
      mend: "sudo sysctl -w kernel.unprivileged_userns_clone=1",
    };
  }
  if (isSet(...refusing.namespaces)) {
    return {
      isThere: false,
      why: "The kernel allows no user namespaces, and the fence needs them.",
      mend: "sudo sysctl -w user.max_user_namespaces=15000",
    };
  }
  const [line = ""] = said.trim().split("\n").slice(-1);
  return {
    isThere: false,
    why: `The fence could not be set up: ${line.slice(0, 300) || "no answer"}`,
    mend: null,
  };
}

function isSet(file: string, value: string): boolean {
  try {
    return readFileSync(file, "utf8").trim() === value;
  } catch {
    return false;
  }
}
