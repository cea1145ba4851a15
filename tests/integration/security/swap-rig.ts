import { fork } from "node:child_process";
import { once } from "node:events";
import {
  closeSync,
  constants,
  lstatSync,
  mkdirSync,
  mkdtempSync,
  openSync,
  readdirSync,
  readFileSync,
  readlinkSync,
  realpathSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { setImmediate } from "node:timers/promises";
import { attackCameThrough } from "../../../scripts/test/grave.mjs";

/** What stands in every file outside, and in the name of one. */
export const canary = "CANARY";

/** So many attempts are made once nothing is exchanged any more: of each kind that a test takes turns with, some. */
const peaceful = 12;

/** At least so many exchanges happen while a group of operations goes on. */
const leastSwaps = 10_000;

/**
 * A folder `work` beside one called `outside`. In `work`, another process exchanges each swapped entry with a link to the
 * entry of the same name outside, as a command that was let run in the folder could.
 */
export class SwapRig {
  readonly base = realpathSync(mkdtempSync(join(tmpdir(), "parley-swaps-")));
  readonly work = join(this.base, "work");
  readonly outside = join(this.base, "outside");
  readonly #fds: number[] = [];
  #before: Record<string, string> = {};

  constructor() {
    mkdirSync(this.work);
    mkdirSync(this.outside);
  }

  /** The same file on both sides, the one outside with the canary in it. */
  file(path: string, inside: string, outside = `${inside}${canary}\n`): void {
    for (const [folder, text] of [
      [this.work, inside],
      [this.outside, outside],
    ] as const) {
      mkdirSync(dirname(join(folder, path)), { recursive: true });
      writeFileSync(join(folder, path), text);
    }
  }

  /** A folder of `work` by a name that holds wherever it is swapped to: for the test's own hands. */
  hold(path: string): string {
    const fd = openSync(join(this.work, path), constants.O_RDONLY | constants.O_DIRECTORY);
    this.#fds.push(fd);
    return `/proc/self/fd/${fd}`;
  }

  /**
   * Attempts something again and again while the entries are exchanged, and then while they are not.
   * @param attempt gives what it found, which may hold no canary; what it throws counts as found
   * @returns how often it did not throw
   * @throws Error when anything outside was read or changed
   */
  async during(
    swapped: readonly string[],
    attempt: (count: number) => unknown,
    attempts = 100,
  ): Promise<number> {
    const pairs = swapped.map((path) => {
      const link = join(this.work, `${path}.swap`);
      symlinkSync(join(this.outside, path), link);
      return [join(this.work, path), link];
    });
    this.#before = treeOf(this.outside);
    const program = fork(join(import.meta.dirname, "../../fixtures/swap-entries.mjs"), [
      JSON.stringify(pairs),
    ]);
    const ended = once(program, "exit");
    let swaps = 0;
    program.on("message", (message: { swaps: number }) => {
      swaps = message.swaps;
    });
    await Promise.race([once(program, "message"), ended]);
    let succeeded = 0;
    let count = 0;
    try {
      for (; count < attempts || swaps < leastSwaps; count++) {
        if (program.exitCode !== null) throw new Error("The program that swaps has ended.");
        if (await this.#attempt(attempt, count)) succeeded++;
        await setImmediate();
      }
    } finally {
      if (program.connected) program.send("stop");
      await ended;
      for (const [, link] of pairs) rmSync(link ?? "", { force: true });
    }
    // In peace it works, whoever won the race before: else the attempts would show nothing.
    for (const last = count + peaceful; count < last; count++)
      if (await this.#attempt(attempt, count)) succeeded++;
    this.#assertUntouched();
    return succeeded;
  }

  async #attempt(attempt: (count: number) => unknown, count: number): Promise<boolean> {
    let isFine = true;
    const found = await Promise.resolve()
      .then(() => attempt(count))
      .catch((error: unknown) => {
        isFine = false;
        return String(error);
      });
    const text = typeof found === "string" ? found : JSON.stringify(found);
    if (text?.includes(canary))
      throw new Error(`${attackCameThrough}: attempt ${count} read outside: ${text.slice(0, 500)}`);
    return isFine;
  }

  #assertUntouched(): void {
    const now = treeOf(this.outside);
    const paths = new Set([...Object.keys(this.#before), ...Object.keys(now)]);
    const changed = [...paths].filter((path) => this.#before[path] !== now[path]);
    if (changed.length > 0)
      throw new Error(`${attackCameThrough}: changed outside: ${changed.slice(0, 10).join(", ")}`);
  }

  close(): void {
    for (const fd of this.#fds) closeSync(fd);
    rmSync(this.base, { recursive: true, force: true });
  }
}

/** Everything that a change of any kind would show in: content, mode, owner, and the clocks of files and folders. */
function treeOf(folder: string): Record<string, string> {
  const found: Record<string, string> = {};
  const walk = (path: string) => {
    const at = join(folder, path);
    const { mode, ino, uid, gid, nlink, mtimeNs, ctimeNs } = lstatSync(at, { bigint: true });
    const facts = [mode, ino, uid, gid, nlink, mtimeNs, ctimeNs].join(" ");
    const stats = lstatSync(at);
    if (stats.isDirectory()) {
      found[path] = facts;
      for (const name of readdirSync(at)) walk(join(path, name));
    } else {
      found[path] = `${facts} ${stats.isSymbolicLink() ? readlinkSync(at) : readFileSync(at, "hex")}`;
    }
  };
  walk(".");
  return found;
}
