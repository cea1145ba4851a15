import type { Command, CommandAnswer } from "../../commands/registry.ts";

/** What is used of electron-updater. */
export interface Updater {
  autoDownload: boolean;
  autoInstallOnAppQuit: boolean;
  autoRunAppAfterInstall: boolean;
  logger: unknown;
  on(event: "update-downloaded", heard: (info: { version: string }) => void): unknown;
  on(event: "error", heard: (error: Error) => void): unknown;
  /** null where it cannot replace this package. */
  checkForUpdates(): Promise<{ isUpdateAvailable: boolean; updateInfo: { version: string } } | null>;
  quitAndInstall(isSilent: boolean, isForceRunAfter: boolean): void;
}

/** How what was fetched is installed, and Parley comes back. */
export interface UpdateRestart {
  /**
   * What takes over a package once it is fetched, and installs it when Parley ends, without a password; null where Parley installs it.
   * It can refuse, which is an `error` of the updater.
   */
  system: { on(event: "update-downloaded", heard: () => void): unknown } | null;
  /** Has Parley opened again when it ends; null where what installs it does that. */
  relaunch: (() => void) | null;
}

export interface UpdatesOptions {
  /** null: this package was made without an address to look at. */
  load: (() => Promise<Updater>) | null;
  restart: UpdateRestart;
  /** The running version. */
  version: string;
  /** The setting `lookForUpdates`. */
  isWanted(): boolean;
  /** Why Parley must not be restarted now, in words; null where it may. */
  goesOn(): string | null;
  /** A newer one was fetched, and waits to be installed. */
  onReady(): void;
  log(message: string): void;
}

/** In milliseconds: the first look comes when the start is over. */
const firstLookMs = 60_000;
const nextLookMs = 24 * 3_600_000;

const off = "This package was made without an update address. Get newer versions where you got this one.";

/**
 * Looks for newer packages and fetches them. Nothing is installed by itself: the user asks for it, and is refused while anything
 * goes on that a restart would end.
 */
export class Updates {
  readonly #options: UpdatesOptions;
  #updater: Promise<Updater> | null = null;
  /** The version that was fetched, and that the system has not taken over yet. */
  #fetched: string | null = null;
  /** The version that can be installed. */
  #ready: string | null = null;
  /** Why it failed, in the words of what fetches and installs. */
  #failed: string | null = null;
  #timer: NodeJS.Timeout | null = null;
  /** In words: what is being done that a restart would end. */
  readonly #inHand = new Set<{ words: string }>();

  constructor(options: UpdatesOptions) {
    this.#options = options;
  }

  /** The version that waits to be installed. */
  get ready(): string | null {
    return this.#ready;
  }

  /** Nothing is restarted before this is done. @param words say what it is, as a sentence */
  async during<Result>(words: string, work: () => Promise<Result>): Promise<Result> {
    const entry = { words };
    this.#inHand.add(entry);
    try {
      return await work();
    } finally {
      this.#inHand.delete(entry);
    }
  }

  /** Looks a while after the start, and then daily. @returns what ends that */
  start(): () => void {
    const look = (): void => {
      this.#timer = setTimeout(look, nextLookMs).unref();
      if (this.#options.isWanted()) void this.#lookAndLog();
    };
    if (this.#options.load !== null) this.#timer = setTimeout(look, firstLookMs).unref();
    return () => clearTimeout(this.#timer ?? undefined);
  }

  async #lookAndLog(): Promise<void> {
    this.#options.log((await this.look()).output);
  }

  /** Looks now. Never rejects. @returns how it stands */
  async look(): Promise<CommandAnswer> {
    if (this.#ready !== null) return { output: readyText(this.#ready) };
    if (this.#options.load === null) return { output: off };
    this.#updater ??= this.#made(this.#options.load);
    const refusal = this.#fetched === null ? null : this.#failed;
    try {
      const found = await (await this.#updater).checkForUpdates();
      if (found === null)
        return { output: "This package cannot update itself. Get newer versions where you got this one." };
      if (!found.isUpdateAvailable)
        return { output: `Parley ${this.#options.version} is the newest version.` };
      const refused = refusal === null ? "" : ` again: the system did not take it (${refusal})`;
      return {
        output: `Parley ${found.updateInfo.version} is being downloaded${refused}. Parley tells you when it is ready.`,
      };
    } catch (error) {
      const why = error instanceof Error ? error.message.split("\n")[0] : String(error);
      return { output: `Could not find out whether there is a newer version: ${why}`, isError: true };
    }
  }

  /** Ends Parley, installs what was fetched and starts it again, unless something goes on. */
  async install(): Promise<CommandAnswer> {
    if (this.#ready === null || this.#updater === null) {
      return { output: "No newer version was downloaded. `/update` looks for one.", isError: true };
    }
    const [inHand] = this.#inHand;
    const reason = inHand?.words ?? this.#options.goesOn();
    if (reason !== null) return { output: `${reason} Parley was not restarted.`, isError: true };
    const updater = await this.#updater;
    this.#failed = null;
    updater.quitAndInstall(false, true);
    if (this.#failed !== null) {
      const why = `Parley ${this.#ready} was not installed: ${this.#failed}`;
      return { output: `${why}. \`/update install\` tries again.`, isError: true };
    }
    this.#options.restart.relaunch?.();
    return { output: `Parley ${this.#ready} is being installed.` };
  }

  async #made(load: () => Promise<Updater>): Promise<Updater> {
    const { log, onReady, restart } = this.#options;
    const updater = await load();
    updater.autoDownload = true;
    // Elsewhere it would ask for a password while somebody logs out.
    updater.autoInstallOnAppQuit = restart.system !== null;
    updater.autoRunAppAfterInstall = restart.relaunch === null;
    updater.logger = { info: log, warn: log, error: log, debug: () => {} };
    // The promises say it, too; but nobody may listen to them while it is being fetched.
    updater.on("error", ({ message }) => {
      this.#failed = message.split("\n")[0]?.replace(/\.$/, "") ?? "";
      log(`updates: ${message}`);
    });
    const setReady = (version: string): void => {
      this.#ready = version;
      onReady();
    };
    updater.on("update-downloaded", ({ version }) => {
      if (restart.system === null) return setReady(version);
      this.#fetched = version;
      this.#failed = null;
    });
    restart.system?.on("update-downloaded", () => {
      if (this.#fetched !== null) setReady(this.#fetched);
    });
    return updater;
  }
}

const readyText = (version: string): string =>
  `Parley ${version} is ready. \`/update install\` installs it and starts Parley again.`;

/** `/update`: looks for a newer Parley; `/update install` installs what was fetched. */
export function updateCommand(updates: Pick<Updates, "look" | "install">): Command {
  return {
    name: "update",
    usage: "/update [install]",
    description: "Look for a newer version, or install the one that was downloaded",
    run: ([action]) => {
      if (action === undefined) return updates.look();
      if (action === "install") return updates.install();
      return { output: "`/update` looks for a newer version, `/update install` installs it.", isError: true };
    },
  };
}
