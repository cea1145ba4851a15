import { randomUUID } from "node:crypto";
import { linkSync, readFileSync, renameSync, rmSync, statSync, utimesSync, writeFileSync } from "node:fs";
import { hostname } from "node:os";
import { z } from "zod";
import { processStartNow } from "../../../shared/process-start.ts";
import { StoreError } from "../../agent/ports/ports.ts";

/** Who writes to a database. Its file's time of change is the heartbeat. */
const owner = z.object({ pid: z.number().int(), host: z.string(), startedAt: z.string().nullable() });
type Owner = z.infer<typeof owner>;

const heartbeatMs = 10_000;
/** Without a heartbeat for so long, an owner that cannot be asked counts as gone. */
const staleMs = 30_000;

export interface StoreLock {
  release(): void;
}

/**
 * One process writes to a database: takes `FILE.lock`, which names this one, or takes it over from one that is gone.
 * @throws StoreError `locked` where another has it; what the file system says as it says it
 */
export function lockStore(file: string): StoreLock {
  const lock = `${file}.lock`;
  const mine = `${lock}.${randomUUID()}`;
  const self: Owner = { pid: process.pid, host: hostname(), startedAt: startOf(process.pid) };
  try {
    writeFileSync(mine, JSON.stringify(self));
    if (!take(mine, lock)) {
      const found = read(lock);
      if (found && !isGone(found)) throw locked(file, found.owner);
      if (found) setAside(lock, found.text, mine);
      if (!take(mine, lock)) throw locked(file, read(lock)?.owner ?? null);
    }
  } finally {
    rmSync(mine, { force: true });
  }
  return keep(lock, JSON.stringify(self));
}

/** A link is there whole or not at all, and only one of two processes can make it. */
function take(mine: string, lock: string): boolean {
  try {
    linkSync(mine, lock);
    return true;
  } catch (error) {
    if (codeOf(error) === "EEXIST") return false;
    // A file system without links.
    return writeAlone(lock, readFileSync(mine, "utf8"));
  }
}

function writeAlone(lock: string, text: string): boolean {
  try {
    writeFileSync(lock, text, { flag: "wx" });
    return true;
  } catch (error) {
    if (codeOf(error) === "EEXIST") return false;
    throw error;
  }
}

interface Found {
  text: string;
  /** null: nothing that Parley wrote, or only half of it. */
  owner: Owner | null;
  silentMs: number;
}

function read(lock: string): Found | null {
  try {
    const text = readFileSync(lock, "utf8");
    const parsed = owner.safeParse(parseJson(text));
    return { text, owner: parsed.data ?? null, silentMs: Date.now() - statSync(lock).mtimeMs };
  } catch (error) {
    if (codeOf(error) === "ENOENT") return null;
    throw error;
  }
}

/** Whether nobody is behind it any more. Another computer's processes cannot be asked: only their silence tells. */
function isGone({ owner, silentMs }: Found): boolean {
  const isSilent = silentMs > staleMs;
  if (!owner || owner.host !== hostname()) return isSilent;
  if (!isAlive(owner.pid)) return true;
  const startedAt = startOf(owner.pid);
  return startedAt === null || owner.startedAt === null ? isSilent : startedAt !== owner.startedAt;
}

/** Whether a process of this number is there, one of another user's included. */
function isAlive(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return true;
  } catch (error) {
    return codeOf(error) === "EPERM";
  }
}

/** @returns null where the system does not tell: then the signs of life decide */
const startOf = (pid: number) => processStartNow(pid) ?? null;

/** Puts the lock of one that is gone out of the way, unless another has done so and taken its place meanwhile. */
function setAside(lock: string, text: string, mine: string): void {
  const aside = `${mine}.old`;
  try {
    renameSync(lock, aside);
    if (readFileSync(aside, "utf8") !== text) take(aside, lock);
  } catch (error) {
    if (codeOf(error) !== "ENOENT") throw error;
  } finally {
    rmSync(aside, { force: true });
  }
}

function keep(lock: string, text: string): StoreLock {
  const timer = setInterval(() => beat(lock), heartbeatMs);
  timer.unref();
  return {
    release() {
      clearInterval(timer);
      // Not one that somebody else took over from us, say while this computer was asleep.
      if (read(lock)?.text === text) rmSync(lock, { force: true });
    },
  };
}

/** Missed once, it comes ten seconds later: nothing to tell anybody. */
function beat(lock: string): void {
  const now = new Date();
  try {
    utimesSync(lock, now, now);
  } catch {}
}

function locked(file: string, owner: Owner | null): StoreError {
  const who = owner ? ` (process ${owner.pid}${owner.host === hostname() ? "" : ` on ${owner.host}`})` : "";
  return new StoreError(
    "locked",
    `Another Parley is using ${file}${who}.`,
    "Use that one, or close it and start this one again.",
  );
}

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

const codeOf = (error: unknown) => (error instanceof Error && "code" in error ? error.code : undefined);
