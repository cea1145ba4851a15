import { execFileSync } from "node:child_process";
import { mkdirSync, mkdtempSync, rmSync, statfsSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";

/** A home whose disk can be filled and whose working folder can be made read-only. */
export interface SmallHome {
  path: string;
  /** Why its disk is an ordinary one; null: it is small. */
  ordinary: string | null;
  fill(): void;
  makeRoom(): void;
  setReadOnly(isReadOnly: boolean): void;
  /** It is as it was at first, whatever was done to it. */
  mend(): void;
  remove(): void;
}

const homeMb = 250;

/** @param settings the content of settings.json */
export function makeSmallHome(settings: object): SmallHome {
  const path = mkdtempSync(join(tmpdir(), "parley-soak-"));
  const working = join(path, "Parley");
  const temporary = join(path, "tmp");
  const filler = join(path, "filler");
  const mount = (args: string[]) => void execFileSync("mount", args, { stdio: "pipe" });
  const mounted: string[] = [];
  let ordinary: string | null = null;
  try {
    mount(["-t", "tmpfs", "-o", `size=${homeMb}m,mode=0755`, "tmpfs", path]);
    mounted.unshift(path);
    // Playwright has Chromium keep what its processes share among the temporary files, without which it cannot be.
    for (const place of [working, temporary]) {
      mkdirSync(place);
      mount(["-t", "tmpfs", "-o", "size=50m,mode=0755", "tmpfs", place]);
      mounted.unshift(place);
    }
  } catch (error) {
    ordinary = `no small disk can be made here (${error instanceof Error ? error.message.split("\n")[0] : error})`;
    for (const place of [working, temporary]) mkdirSync(place, { recursive: true });
  }
  mkdirSync(join(path, "user-data"));
  writeFileSync(join(path, "user-data", "settings.json"), JSON.stringify(settings));
  const makeRoom = () => rmSync(filler, { force: true });
  const setReadOnly = (isReadOnly: boolean) => mount(["-o", `remount,${isReadOnly ? "ro" : "rw"}`, working]);
  return {
    path,
    ordinary,
    fill() {
      const { bavail, bsize } = statfsSync(path);
      try {
        writeFileSync(filler, Buffer.alloc(Math.max(0, bavail * bsize)));
      } catch (error) {
        // The app took some of it meanwhile: it is full all the same.
        if (!(error instanceof Error && "code" in error && error.code === "ENOSPC")) throw error;
      }
    },
    makeRoom,
    setReadOnly,
    mend() {
      makeRoom();
      if (ordinary === null) setReadOnly(false);
    },
    remove() {
      for (const place of mounted) execFileSync("umount", ["-l", place], { stdio: "pipe" });
      rmSync(path, { recursive: true, force: true, maxRetries: 5 });
    },
  };
}
