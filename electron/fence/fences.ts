import { createHash, randomBytes } from "node:crypto";
import { chmodSync, mkdirSync, mkdtempSync, realpathSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import type { Fence, FenceHost, FenceState, Fences } from "../agent/ports/ports.ts";
import { codeOf } from "../files/calls.ts";
import { checkFence, type RunToEnd, refused, signsOfFence, whyRefused } from "./check-fence.ts";
import { ConversationFence } from "./conversation-fence.ts";
import { AskedHosts } from "./network/hosts.ts";
import { isPrivateHost, privateRanges } from "./network/private-hosts.ts";
import type { FencePlace, FenceSettings } from "./place.ts";
import { dropEmptyGroups } from "./process/control-group.ts";
import { FenceProcess, type StartFenceChild } from "./process/fence-process.ts";
import { makeTiedSocat, type Programs, systemProgram } from "./process/launchers.ts";
import type { GitIdentity } from "./view/environment.ts";
import { gitIdentity } from "./view/git-identity.ts";
import { libraryFiles } from "./view/library-files.ts";
import { npmSettings } from "./view/npm-settings.ts";

export interface FencesOptions {
  place: FencePlace;
  settings(): FenceSettings;
  /** Whether a rule that counts in this folder denies a host. Absent: none does. */
  deniesHost?(host: FenceHost, folder: string): boolean;
  startChild: StartFenceChild;
  run: RunToEnd;
  /** The system's proxy for pages, as `http://host:port`; null: none. */
  proxy(): Promise<string | null>;
  /** Where files are put that must not stay in a working folder. */
  asideFolder: string;
  /** Where bubblewrap and socat are; for tests. */
  programs?: (() => Partial<Programs>) | undefined;
  /** Default: `mostProcessesAtRest`. */
  mostAtRest?: number;
}

/** So many conversations keep the process of their fence while no command runs; a further one's ends that of the least recently used. */
export const mostProcessesAtRest = 8;

interface Conversation {
  fence: ConversationFence;
  folder: string;
  hosts: AskedHosts;
  process: Promise<FenceProcess> | null;
  /** The same, once it was started. */
  running: FenceProcess | null;
}

/** The fences of all conversations, each with a process of its own from its first command on. */
export class SandboxFences implements Fences {
  readonly #options: FencesOptions;
  /** The one that ran a command last comes last. */
  readonly #conversations = new Map<string, Conversation>();
  readonly #library = libraryFiles();
  /** Processes of fences that nobody needs any more, until they are gone. */
  readonly #ending = new Set<Promise<void>>();
  #checks = 0;
  /** As they were when it was looked for last; null: it was not yet. */
  #signs: string | null = null;
  /** Of looks that go on. */
  readonly #lookFolders = new Set<string>();
  #isDisposed = false;
  #state: FenceState = {
    ...{ isThere: false, why: "Parley has not checked for the fence yet.", mend: null, isChecking: true },
  };
  #runtime: {
    folder: string;
    programs: (Programs & { tiedSocat: string }) | null;
    canary: string;
    masks: { empty: string; unreadable: string };
  } | null = null;
  #identity: Promise<GitIdentity> | null = null;

  constructor(options: FencesOptions) {
    this.#options = options;
  }

  state(): FenceState {
    return this.#state;
  }

  async check(): Promise<FenceState> {
    const { place } = this.#options;
    // Of its own: another that goes on at the same time ends with its own.
    const id = `check ${++this.#checks}`;
    const isNewest = () => id === `check ${this.#checks}`;
    const programs = this.#programs();
    this.#signs = signsOfFence(programs);
    if (!this.#state.isThere) this.#state = { ...this.#state, isChecking: true };
    const missing = whyRefused(place.platform, programs);
    const state =
      missing ??
      (await this.#look(id).catch((error: unknown) => {
        // Such as on a full disk: that says nothing about the fence, so whoever needs it next looks again.
        const cause = error instanceof Error && error.cause !== undefined ? error.cause : error;
        if (isNewest() && codeOf(cause) !== "") this.#signs = "";
        return refused(error instanceof Error ? error.message : String(error));
      }));
    if (isNewest()) this.#state = state;
    await this.forget(id);
    return state;
  }

  hasChanged(): boolean {
    if (this.#state.isThere || this.#signs === null) return false;
    return this.#signs !== signsOfFence(this.#programs());
  }

  async #look(id: string): Promise<FenceState> {
    const { place, run } = this.#options;
    const around = realpathSync(mkdtempSync(join(place.temporaryFolder, "parley-fence-check-")));
    this.#lookFolders.add(around);
    try {
      return await checkFence(place, around, run, (folder) => this.#fenceOf(id, folder));
    } finally {
      this.#removeLookFolder(around);
    }
  }

  #removeLookFolder(around: string): void {
    this.#lookFolders.delete(around);
    rmSync(around, { recursive: true, force: true });
  }

  of(conversationId: string, folder: string): Fence {
    return this.#fenceOf(conversationId, folder);
  }

  forgetHosts(conversationId: string): void {
    this.#conversations.get(conversationId)?.hosts.forget();
  }

  async forget(conversationId: string): Promise<void> {
    const known = this.#conversations.get(conversationId);
    this.#conversations.delete(conversationId);
    if (known) await this.#end(known);
  }

  async #end(conversation: Conversation): Promise<void> {
    const ended = conversation.process?.then(
      (process) => process.end(),
      () => {},
    );
    conversation.process = null;
    conversation.running = null;
    if (!ended) return;
    this.#ending.add(ended);
    await ended;
    this.#ending.delete(ended);
  }

  async dispose(): Promise<void> {
    this.#isDisposed = true;
    for (const id of this.#conversations.keys()) void this.forget(id);
    await Promise.all(this.#ending);
    dropEmptyGroups();
    // What was killed with its starter may still be putting something there.
    if (this.#runtime) rmSync(this.#runtime.folder, { recursive: true, force: true, maxRetries: 3 });
    this.#runtime = null;
    for (const folder of this.#lookFolders) this.#removeLookFolder(folder);
  }

  #programs(): Partial<Programs> {
    if (this.#options.programs) return this.#options.programs();
    const [bwrap, socat] = [systemProgram("bwrap"), systemProgram("socat")];
    return { ...(bwrap !== null && { bwrap }), ...(socat !== null && { socat }) };
  }

  #fenceOf(conversationId: string, folder: string): ConversationFence {
    const known = this.#conversations.get(conversationId);
    if (known?.folder === folder) return known.fence;
    // A conversation that moved: the hosts that it was allowed were for the other folder.
    void this.forget(conversationId);
    const { place, settings, asideFolder, deniesHost } = this.#options;
    const runtime = this.#runtimeFolder();
    const hosts = new AskedHosts((place) => {
      if (deniesHost?.(place, folder)) return "a rule denies it";
      const isPrivate = isPrivateHost(place.host) && !settings().privateHosts;
      return isPrivate ? "it is on this computer or a private network" : null;
    });
    const fence = new ConversationFence({
      place,
      settings,
      folder,
      runtimeFolder: runtime.folder,
      cachesFolder: join(place.cachesFolder, createHash("sha256").update(folder).digest("hex").slice(0, 16)),
      asideFolder,
      canary: runtime.canary,
      libraryFiles: [this.#library.seccomp, this.#library.javaAgent, place.ripgrepPath].filter(
        (file) => file !== null,
      ),
      masks: runtime.masks,
      git: () => {
        this.#identity ??= gitIdentity(place.home);
        return this.#identity;
      },
      npm: () => npmSettings(place),
      process: () => {
        this.#conversations.delete(conversationId);
        this.#conversations.set(conversationId, conversation);
        return this.#processOf(conversation);
      },
      hosts,
    });
    const conversation: Conversation = { fence, folder, hosts, process: null, running: null };
    this.#conversations.set(conversationId, conversation);
    return fence;
  }

  /** One that died is started again by the next command. Commands that begin at the same time share one. */
  #processOf(conversation: Conversation): Promise<FenceProcess> {
    const before = conversation.process;
    const living = async () => {
      const running = await before?.catch(() => null);
      if (running && !running.isGone) return running;
      conversation.running = await this.#start(conversation.hosts);
      this.#endUnused();
      return conversation.running;
    };
    conversation.process = living();
    return conversation.process;
  }

  #endUnused(): void {
    const { mostAtRest = mostProcessesAtRest } = this.#options;
    const atRest = [...this.#conversations.values()].filter(
      ({ running }) => running && !running.isGone && !running.isInUse,
    );
    for (const conversation of atRest.slice(0, Math.max(0, atRest.length - mostAtRest)))
      void this.#end(conversation);
  }

  async #start(hosts: AskedHosts): Promise<FenceProcess> {
    const { place, settings, startChild, proxy } = this.#options;
    const { folder, programs } = this.#runtimeFolder();
    const empty = join(folder, `f-${randomBytes(4).toString("hex")}`);
    mkdirSync(empty, { mode: 0o700 });
    const child = startChild({
      folder: empty,
      // Its sockets are made in TMPDIR. Nothing else of ours is for it.
      env: { PATH: "/usr/bin:/bin:/usr/sbin:/sbin", HOME: place.home, TMPDIR: folder, LANG: "C.UTF-8" },
    });
    const isRoot = place.uid === 0;
    return new FenceProcess(
      child,
      {
        type: "start",
        bwrapPath: programs?.bwrap ?? null,
        socatPath: programs?.socat ?? null,
        tiedSocatPath: programs?.tiedSocat ?? null,
        seccompPath: this.#library.seccomp,
        javaAgentPath: this.#library.javaAgent,
        // For root the helper would mount /proc anew, through which root can change the kernel's settings.
        blocksSockets: !isRoot,
        deniedAddresses: settings().privateHosts ? [] : [...privateRanges],
        proxy: await proxy().catch(() => null),
      },
      (host) => hosts.ask(host),
    );
  }

  #runtimeFolder() {
    if (this.#runtime) return this.#runtime;
    if (this.#isDisposed) throw new Error("Parley is being quit.");
    const { place } = this.#options;
    const folder = mkdtempSync(join(place.temporaryFolder, `parley-fence-${process.pid}-`));
    chmodSync(folder, 0o700);
    const canary = join(folder, "outside");
    writeFileSync(canary, "Whoever reads this stands outside of the fence.\n", { mode: 0o600 });
    const masks = { empty: join(folder, "empty"), unreadable: join(folder, "unreadable") };
    writeFileSync(masks.empty, "", { mode: 0o444 });
    writeFileSync(masks.unreadable, "", { mode: 0o000 });
    const { bwrap, socat } = this.#programs();
    const programs =
      bwrap && socat && place.platform === "linux"
        ? { bwrap, socat, tiedSocat: makeTiedSocat(folder, socat) }
        : null;
    this.#runtime = { folder, programs, canary, masks };
    return this.#runtime;
  }
}
