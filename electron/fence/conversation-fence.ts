import { randomBytes } from "node:crypto";
import { existsSync, statfsSync } from "node:fs";
import { mkdir, writeFile } from "node:fs/promises";
import { release, totalmem } from "node:os";
import { join } from "node:path";
import {
  type Fence,
  type FencedCommand,
  FenceError,
  type FenceReport,
  type WrappedCommand,
} from "../agent/ports/ports.ts";
import { commandText, fenceShell, maxInline, notFenced } from "./command-text.ts";
import { type CommandsOwn, makeOwn } from "./commands-own.ts";
import type { AskedHosts } from "./network/hosts.ts";
import type { FencePlace, FenceSettings } from "./place.ts";
import { inGroup } from "./process/control-group.ts";
import type { FenceProcess } from "./process/fence-process.ts";

import { fencedEnvironment, type GitIdentity, splitEnvironment } from "./view/environment.ts";
import { keptByGit } from "./view/kept-by-git.ts";
import { KeysInTools } from "./view/keys-in-tools.ts";
import { withMounts } from "./view/mount-line.ts";
import { namedInFolder } from "./view/named-in-folder.ts";
import {
  isAtOrAbove,
  pathFolders,
  placesOfTools,
  type ReadLists,
  readLists,
  unique,
} from "./view/readable.ts";
import { isReadWithoutPasswords, withoutPasswords } from "./view/without-passwords.ts";
import { findDenied } from "./watch/find-denied.ts";
import { findGit } from "./watch/find-git.ts";
import { type HeldByFence, heldByFence } from "./watch/held-by-fence.ts";
import { KnownFiles, type KnownUse } from "./watch/known-files.ts";
import { fenceNotes, refusedIn } from "./watch/report.ts";
import { findSteeringFiles, type SteeringFiles } from "./watch/steering-files.ts";
import { mostRounds, takeAway } from "./watch/take-away.ts";

export interface ConversationFenceOptions {
  place: FencePlace;
  settings(): FenceSettings;
  /** Of this conversation's folder; absolute, free of links. */
  folder: string;
  /** Of Parley's alone: sockets, programs, the canary and temporary folders. */
  runtimeFolder: string;
  cachesFolder: string;
  /** Where files go that are put aside. */
  asideFolder: string;
  canary: string;
  /** Files in place of those that are hidden. */
  masks: { empty: string; unreadable: string };
  /** Files of the library that must be seen in the fence. */
  libraryFiles: readonly string[];
  git(): Promise<GitIdentity>;
  /** The user's own settings of npm, as far as commands may know them: lines of an `.npmrc`. */
  npm(): Promise<string>;
  /** The running process, or a new one. */
  process(): Promise<FenceProcess>;
  hosts: AskedHosts;
}

/** What a command's fence is made of, once all of it is there. */
interface Ready {
  own: CommandsOwn;
  before: SteeringFiles;
  known: KnownUse;
  process: FenceProcess;
  git: GitIdentity;
  /** As of `npm` above. */
  npm: string;
}

const megabyte = 1_048_576;
/** Bytes of one file, where the disk has more. */
const maxFile = 8 * 1024 * megabyte;

/** The fence of one conversation: what each of its commands may read and write, and what becomes of what it leaves. */
export class ConversationFence implements Fence {
  readonly #options: ConversationFenceOptions;
  readonly #known: KnownFiles;
  readonly #keys: KeysInTools;

  constructor(options: ConversationFenceOptions) {
    this.#options = options;
    this.#keys = new KeysInTools(options.place.isSecret);
    this.#known = new KnownFiles(options.folder, () => this.#findSteadily({ denied: undefined }));
  }

  async wrap(wanted: FencedCommand): Promise<WrappedCommand> {
    const { place, runtimeFolder, settings } = this.#options;
    const found = this.#findSteadily(wanted);
    const known = this.#known.begin(wanted.denied?.globs.length ? null : found);
    const making = makeOwn(runtimeFolder, {
      platform: place.platform,
      maxProcesses: settings().maxProcesses,
    });
    try {
      const [own, before, process, git, npm] = await Promise.all([
        making,
        found,
        this.#options.process(),
        this.#options.git(),
        this.#options.npm(),
      ]);
      return await this.#wrap(wanted, { own, before, known, process, git, npm });
    } catch (error) {
      known.end();
      await making.then(
        (own) => own.remove(),
        () => {},
      );
      if (error instanceof FenceError) throw error;
      throw new FenceError(error instanceof Error ? error.message : String(error), { cause: error });
    }
  }

  async #wrap(
    wanted: FencedCommand,
    { own, before, known, process, git, npm }: Ready,
  ): Promise<WrappedCommand> {
    const { place, folder, masks, runtimeFolder, settings } = this.#options;
    const { temporary, group } = own;
    const mayWrite = wanted.confinement === "change";
    const commandId = randomBytes(16).toString("base64url");
    const cache = mayWrite ? this.#options.cachesFolder : join(temporary, "caches");
    await mkdir(cache, { recursive: true, mode: 0o700 });
    const { lists, read, masked } = this.#lists(wanted, before, {
      temporary,
      keys: await this.#keys.below(placesOfTools(place, settings().readable)),
    });
    const [line, kept, ignoreFile, replaced, npmFile] = await Promise.all([
      this.#text(wanted.command, temporary).then((command) => process.wrap({ commandId, command, ...lists })),
      keptByGit(folder, before.hidden, runtimeFolder),
      written(join(temporary, "ignore"), ignoredLines(git, before)),
      withoutPasswords(folder, before.protected, temporary),
      written(join(temporary, "npmrc"), npm),
    ]);
    // Before it runs: what takes a place from now on is another file.
    const readOnly = mayWrite ? await ofTheUser(before.protected, known) : [];
    const held = await heldByFence(folder, [...masked, ...replaced.map(({ path }) => path)], readOnly);
    const asked = this.#options.hosts.begin(wanted);
    const run = {
      watch: null as number | null,
      isOver: false,
      ended: null as string | null,
      stop: () => {},
    };
    const env = fencedEnvironment(wanted.env, { cache, git, isRoot: place.uid === 0, ignoreFile, npmFile });
    const { outside, inside } = splitEnvironment(env);
    const mounted =
      place.platform === "linux"
        ? withMounts(line, {
            ...masks,
            kept: kept.map((path) => join(folder, path)),
            replaced,
            home: place.home,
            folder,
            variables: inside,
          })
        : line;
    return {
      line: group ? inGroup(mounted, group) : mounted,
      env: outside,
      started: (pid, end) => {
        const beyond = (why: string) => {
          run.ended = why;
          if (!run.isOver) end();
        };
        run.watch = process.watch({ pid, ...this.#bounds(), folder, held: [...held.files] }, beyond);
        run.stop = process.onGone(() => {
          run.ended ??= "the process of its fence ended";
          end();
        });
      },
      look: () => this.#takeAway(wanted, { known, held }),
      ended: async (output, exitCode) => {
        run.isOver = true;
        run.stop();
        asked.end();
        const [lines] = await Promise.all([process.ended(commandId, run.watch), own.remove()]);
        const refused = [...refusedIn(lines)];
        const seen = { before, known, held, refused, read, ended: run.ended };
        const report = await this.#report(wanted, output, exitCode, seen);
        known.end();
        return report;
      },
    };
  }

  /** @throws FenceError where another command moves folders all the time: nobody knows what would be hidden then */
  async #findSteadily(wanted: Pick<FencedCommand, "denied">): Promise<SteeringFiles> {
    for (let round = 0; round < mostRounds; round++) {
      const found = await this.#find(wanted);
      if (!found.isUnsteady) return found;
    }
    throw new FenceError(
      "Folders here keep being moved or swapped, so Parley can't tell what the fence has to hide. Nothing was run. Try again when nothing else is running here.",
    );
  }

  async #find({ denied }: Pick<FencedCommand, "denied">): Promise<SteeringFiles> {
    const { place, folder, settings } = this.#options;
    return await findSteeringFiles(folder, {
      isProtected: (path) => place.isProtected(path) || isReadWithoutPasswords(path),
      isHidden: (path) =>
        (place.isSecret(path) && !isReadWithoutPasswords(path)) ||
        (denied?.fits(join(folder, path)) ?? false),
      remade: settings().remade,
      findGit: (folders) => findGit(folder, folders),
      findDenied: (folders) =>
        findDenied({ ripgrep: place.ripgrepPath, folder, globs: denied?.globs ?? [] }, folders),
      namedByGit: (tops) => namedInFolder(folder, tops),
    });
  }

  /** @param keys absolute: outside of the folder, among programs */
  #lists(
    wanted: FencedCommand,
    found: SteeringFiles,
    { temporary, keys }: { temporary: string; keys: readonly string[] },
  ) {
    const { place, folder, settings, libraryFiles } = this.#options;
    const mayWrite = wanted.confinement === "change";
    const read: ReadLists = readLists(place, settings().readable);
    const at = (path: string) => join(folder, path);
    const own = place.own.filter((path) => existsSync(path));
    const caches = mayWrite ? [this.#options.cachesFolder] : [];
    const isOwn =
      own.some((path) => isAtOrAbove(path, folder)) ||
      pathFolders(place).some((path) => isAtOrAbove(path, folder));
    const readOnly = [
      ...own,
      ...pathFolders(place),
      ...wanted.readOnly,
      ...[...found.protected, ...found.hidden, ...found.unseen].map(at),
    ];
    const deniedOutside = (wanted.denied?.globs ?? [])
      .map((glob) => {
        const whole = glob.replace(/(?:\/\*\*)+$/, "");
        return isAtOrAbove(folder, whole) || isAtOrAbove(whole, folder) ? glob : whole;
      })
      .filter((path) => !/[*?{[]/.test(path));
    const sockets = place.uid === 0 ? found.sockets.map(at) : [];
    const hidden = [
      ...[...found.hidden, ...found.unseen].map(at),
      ...sockets,
      ...own.filter((path) => isAtOrAbove(folder, path)),
      ...keys.filter((path) => !isAtOrAbove(folder, path)),
      ...deniedOutside,
    ];
    const isThere = (path: string) => existsSync(path);
    const denyRead = unique([...read.denied, ...hidden.filter(isThere)]);
    return {
      read: read.allowed,
      // In what is hidden around the folder it is seen again. Whoever listens at a socket may make it anew.
      masked: denyRead.filter((path) => !isAtOrAbove(path, folder) && !sockets.includes(path)),
      lists: {
        allowRead: unique([
          ...read.allowed,
          folder,
          temporary,
          ...libraryFiles,
          ...caches,
          ...(wanted.writable ?? []),
        ]),
        denyRead,
        allowWrite: unique([
          temporary,
          ...caches,
          ...(mayWrite && !isOwn ? [folder] : []),
          ...(mayWrite ? (wanted.writable ?? []) : []),
        ]),
        denyWrite: unique(
          mayWrite && !isOwn ? readOnly.filter((path) => isThere(path) && isAtOrAbove(folder, path)) : [],
        ),
      },
    };
  }

  async #text(command: string, temporary: string): Promise<string> {
    const { canary, place, settings } = this.#options;
    const file = command.length > maxInline ? join(temporary, "command") : null;
    if (file !== null) await writeFile(file, command);
    return commandText({
      command,
      file,
      temporaryFolder: temporary,
      canary,
      maxProcesses: countsByNamespace(place) ? settings().maxProcesses : null,
      blockBytes: fenceShell(place.platform).blockBytes,
      maxFile: Math.min(maxFile, this.#freeDisk()),
    });
  }

  /** Bytes that a command may fill. */
  #freeDisk(): number {
    const { folder, settings } = this.#options;
    const { bavail, bsize } = statfsSync(folder);
    const free = bavail * bsize;
    return Math.max(megabyte, free - Math.min(settings().minFreeDiskMb * megabyte, free / 2));
  }

  #bounds() {
    const { folder, runtimeFolder, settings } = this.#options;
    const { maxProcesses, maxMemoryMb, minFreeDiskMb } = settings();
    return {
      maxProcesses,
      maxMemory: maxMemoryMb > 0 ? maxMemoryMb * megabyte : totalmem() / 2,
      minFreeDisk: minFreeDiskMb * megabyte,
      disks: [folder, runtimeFolder],
    };
  }

  async #report(
    wanted: FencedCommand,
    output: string,
    exitCode: number | null,
    seen: {
      before: SteeringFiles;
      known: KnownUse;
      held: HeldByFence;
      refused: FenceReport["refusedHosts"];
      read: readonly string[];
      ended: string | null;
    },
  ): Promise<FenceReport> {
    const { folder, place } = this.#options;
    const { before, known, held, refused, read, ended } = seen;
    const mayWrite = wanted.confinement === "change";
    const aside = await this.#takeAway(wanted, { known, held }, before.unseen);
    const notes = fenceNotes(wanted.command, output, exitCode, {
      folder,
      home: place.home,
      readable: read,
      hidden: before.hidden,
      protected: before.protected,
      mayWrite,
      refusedHosts: refused,
    });
    if (exitCode === notFenced && output.includes("The fence does not hold.")) {
      notes.push("Bubblewrap did not fence the command in, so it was not run. Reinstall bubblewrap.");
    }
    return { refusedHosts: refused, notes: [...notes, ...aside.notes], putAside: aside.putAside, ended };
  }

  /** @param unseenBefore folders that were not looked into before the command, either */
  async #takeAway(
    { confinement }: FencedCommand,
    { known, held }: { known: KnownUse; held: HeldByFence },
    unseenBefore: readonly string[] = [],
  ) {
    if (confinement !== "change") return { putAside: null, notes: [] };
    const { folder, asideFolder } = this.#options;
    let unseen: readonly string[] = [];
    const find = async () => {
      const found = await this.#find({ denied: undefined });
      unseen = found.unseen;
      return found;
    };
    const taken = await takeAway({ folder, asideFolder, known, held, find });
    const isNew = unseen.some((path) => !unseenBefore.includes(path));
    return isNew ? { ...taken, notes: [...taken.notes, notAllSeen] } : taken;
  }
}

const notAllSeen =
  "There are too many files here now to look through all of them: what the command left may decide what runs elsewhere. Look yourself before you use git or open an editor here.";

/** Those that no command left meanwhile: such a one may be taken out while another runs. */
async function ofTheUser(paths: readonly string[], known: KnownUse): Promise<readonly string[]> {
  const theirs = await known.paths(() => true);
  return paths.filter((path) => theirs.has(path));
}

/** What is hidden, and what the user wants to be ignored everywhere: lines of a `.gitignore`. */
function ignoredLines({ ignored }: GitIdentity, { hidden }: SteeringFiles): string {
  const names = hidden.map((path) => `/${path.replace(/[\\*?[\]]/g, "\\$&")}`);
  return [ignored, ...names, ""].join("\n");
}

async function written(file: string, text: string): Promise<string> {
  await writeFile(file, text);
  return file;
}

/** Since Linux 5.14 the bound counts what runs in the fence alone; for root it never counts. Source: setrlimit(2). */
function countsByNamespace({ platform, uid }: FencePlace): boolean {
  const [major = 0, minor = 0] = release().split(".").map(Number);
  return platform === "linux" && uid !== 0 && (major > 5 || (major === 5 && minor >= 14));
}
