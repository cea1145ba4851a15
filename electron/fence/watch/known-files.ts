import { join } from "node:path";
import { fingerprint } from "./fingerprint.ts";
import { runKey } from "./rebase-runs.ts";
import type { SteeringFiles } from "./steering-files.ts";

/** What one command knows to have been there before it. */
export interface KnownUse {
  /**
   * Relative to the folder. What the user allowed is among them for as long as it is as it was then, all else for as long
   * as the command's fence holds it.
   */
  paths(isHeld: (path: string) => boolean): Promise<ReadonlySet<string>>;
  /** What rebases ran before it, each by its `runKey`. */
  runs(): Promise<ReadonlySet<string>>;
  /** The user allowed these, which are in others. @param allowed what is put back, with a word for all that is in it */
  add(paths: readonly string[], allowed: ReadonlyMap<string, string>): Promise<void>;
  end(): void;
}

/**
 * The files that decide what runs elsewhere, as they were when the first of the commands that run at once began: what one
 * of them leaves is no file of the user's for those that began after it.
 */
export class KnownFiles {
  readonly #find: () => Promise<SteeringFiles>;
  #running = 0;
  #known: Promise<{ paths: Set<string>; runs: ReadonlySet<string> }> | null = null;
  #allowed = new Map<string, string>();
  readonly #folder: string;

  constructor(folder: string, find: () => Promise<SteeringFiles>) {
    this.#folder = folder;
    this.#find = find;
  }

  /** @param found what is found now, where it is looked for anyhow */
  begin(found: Promise<SteeringFiles> | null): KnownUse {
    if (this.#running++ === 0 || this.#known === null) {
      this.#known = (found ?? this.#find()).then((files) => ({
        paths: new Set(files.protected),
        runs: new Set(files.runs.map(runKey)),
      }));
      this.#allowed = new Map();
      // Whoever asks hears of it.
      this.#known.catch(() => {});
    }
    const known = this.#known;
    return {
      paths: async (isHeld) => this.#unchanged((await known).paths, isHeld),
      runs: async () => (await known).runs,
      add: async (paths, allowed) => {
        // It may be allowed after the command ended, while others run that began later.
        for (const path of paths) for (const one of [known, this.#known]) (await one)?.paths.add(path);
        for (const [path, word] of allowed) this.#allowed.set(path, word);
      },
      end: () => void this.#running--,
    };
  }

  /** A command that began before may write on in what the user has seen and allowed: then they have not seen it. */
  async #unchanged(
    known: ReadonlySet<string>,
    isHeld: (path: string) => boolean,
  ): Promise<ReadonlySet<string>> {
    const as = new Map<string, boolean>();
    for (const [path, word] of this.#allowed)
      as.set(path, (await fingerprint(join(this.#folder, path))) === word);
    const isThere = (path: string) => {
      const seen = [...as].filter(([allowed]) => path === allowed || path.startsWith(`${allowed}/`));
      return seen.length > 0 ? seen.every(([, isSame]) => isSame) : isHeld(path);
    };
    return new Set([...known].filter(isThere));
  }
}
