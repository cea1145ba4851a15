import type { SteeringFiles } from "./steering-files.ts";

/** What one command knows to have been there before it. */
export interface KnownUse {
  /** Relative to the folder. */
  paths(): Promise<ReadonlySet<string>>;
  /** The user allowed these. */
  add(paths: readonly string[]): Promise<void>;
  end(): void;
}

/**
 * The files that decide what runs elsewhere, as they were when the first of the commands that run at once began: what one
 * of them leaves is no file of the user's for those that began after it.
 */
export class KnownFiles {
  readonly #find: () => Promise<SteeringFiles>;
  #running = 0;
  #known: Promise<Set<string>> | null = null;

  constructor(find: () => Promise<SteeringFiles>) {
    this.#find = find;
  }

  /** @param found what is found now, where it is looked for anyhow */
  begin(found: Promise<SteeringFiles> | null): KnownUse {
    if (this.#running++ === 0 || this.#known === null) {
      this.#known = (found ?? this.#find()).then((files) => new Set(files.protected));
      // Whoever asks hears of it.
      this.#known.catch(() => {});
    }
    const known = this.#known;
    return {
      paths: () => known,
      async add(paths) {
        for (const path of paths) (await known).add(path);
      },
      end: () => void this.#running--,
    };
  }
}
