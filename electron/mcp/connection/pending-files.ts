import {
  leftWish,
  putBackAgain,
  takenOut,
  whoseTheyAre,
  whyTakenOut,
} from "../../../shared/safety/left-files.ts";
import type { PutAside, ToolContext, WrappedCommand } from "../../agent/ports/ports.ts";

/** What is known of files that were taken out of a folder, also when Parley starts again. */
export type PutAsideFiles = Pick<PutAside, "folder" | "place" | "paths" | "detail">;

export interface PendingFilesOptions {
  /** Who left them. */
  name: string;
  /** Those that wait for the user, as they are kept. */
  kept(): readonly PutAsideFiles[];
  keep(files: readonly PutAsideFiles[]): void;
  /** @throws Error in words */
  putBack(files: PutAsideFiles): Promise<void>;
  /** Told what could not be taken out, in words. */
  tell(line: string): void;
  onChange(): void;
}

/**
 * Files that appeared in the folder while a fenced server ran, and that decide what runs elsewhere. They are taken out: when its
 * program has started, after each call, when it ends. They wait for the user in the conversation that called, or else in the list.
 */
export class PendingFiles {
  readonly #options: PendingFilesOptions;
  /** Of the program that runs now. */
  readonly #taken = new Map<string, PutAside>();
  #program: WrappedCommand | null = null;

  constructor(options: PendingFilesOptions) {
    this.#options = options;
  }

  /** Oldest first. */
  get waiting(): readonly PutAsideFiles[] {
    return this.#options.kept();
  }

  /** A program begins; null: it has ended. */
  runs(program: WrappedCommand | null): void {
    this.#program = program;
  }

  /** Takes out what has appeared, for the list. Never throws. */
  async look(): Promise<void> {
    const taken = await this.#take();
    if (taken) this.add(taken);
  }

  /** Takes out what has appeared, and asks for it in the conversation that called. @returns what the model is told; "" where there is nothing */
  async askIn(context: ToolContext): Promise<string> {
    const taken = await this.#take();
    if (!taken) return "";
    const { paths, detail } = taken;
    const isTheirs = context.source === "loopback" || context.signal.aborted;
    const { allowed } = isTheirs
      ? { allowed: false }
      : await context.approve({
          name: this.#options.name,
          effect: "write",
          wish: leftWish(this.#options.name, paths),
          detail,
          why: `${whyTakenOut} ${whoseTheyAre}`,
        });
    if (allowed) return await this.#putBack(taken);
    // Nobody has said no.
    if (isTheirs || context.signal.aborted) this.add(taken);
    return `\n[${takenOut(paths)}]`;
  }

  add(taken: PutAside): void {
    const { folder, place, paths, detail } = taken;
    this.#taken.set(place, taken);
    try {
      this.#options.keep([...this.waiting, { folder, place, paths, detail }]);
    } catch (error) {
      this.#options.tell(
        `${paths.join(", ")} of ${folder} is in ${place}; that cannot be kept: ${String(error)}`,
      );
    }
    this.#options.onChange();
  }

  /** @param place where they lie @throws Error in words */
  async answer(place: string, isWanted: boolean): Promise<void> {
    const files = this.waiting.find((one) => one.place === place);
    if (!files) throw new Error("These files do not wait any more.");
    if (isWanted) await (this.#taken.get(place)?.putBack() ?? this.#options.putBack(files));
    this.#taken.delete(place);
    this.#options.keep(this.waiting.filter((one) => one.place !== place));
    this.#options.onChange();
  }

  async #take(): Promise<PutAside | null> {
    const seen = await this.#program?.look();
    for (const note of seen?.notes ?? []) this.#options.tell(note);
    return seen?.putAside ?? null;
  }

  async #putBack(taken: PutAside): Promise<string> {
    try {
      await taken.putBack();
      return `\n[${putBackAgain(taken.paths)}]`;
    } catch (error) {
      return `\n[${error instanceof Error ? error.message : String(error)}]`;
    }
  }
}
