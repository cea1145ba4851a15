import { resolve } from "node:path";
import { z } from "zod";
import { whyTakenOut } from "../../shared/safety/left-files.ts";
import { proxyRefusalIn } from "../../shared/safety/proxy-refusal.ts";
import { FenceError, type PutAside } from "../agent/ports/ports.ts";
import { isEnabled, type ServerConfig, type ServerEntry } from "./config/config-schema.ts";
import { expandEntry, MissingVariable, type Variables } from "./config/expand.ts";
import { fingerprintOf, type Proposal, proposalOf } from "./config/proposal.ts";
import { Connection } from "./connection/connection.ts";
import { httpRefusal } from "./connection/http/http-transport.ts";
import { OutOfReach } from "./connection/http/reach.ts";
import { PendingFiles, type PutAsideFiles } from "./connection/pending-files.ts";
import { PendingHosts } from "./connection/pending-hosts.ts";
import { ServerLog } from "./connection/server-log.ts";
import type { ConnectionContext, ServerFence } from "./ports.ts";
import { NeedsSignIn } from "./sign-in/sign-in.ts";

export type ServerState = "starting" | "ready" | "failed" | "stopped" | "needs_sign_in" | "needs_approval";

export interface ServerStatus {
  name: string;
  state: ServerState;
  /** Why it is not ready, in words for the user. */
  why: string | null;
  /** Its last lines, where it failed. */
  log: readonly string[];
  /** Starts since it was last ready for a while, less the first. */
  restarts: number;
}

export interface ServerOptions {
  config: ServerConfig;
  context: ConnectionContext;
  /** Whether the user allowed what has this fingerprint: asked for entries of a folder's file. */
  isAllowed(fingerprint: string): boolean;
  /** Whether its program is to run in the fence. */
  wantsFence(): boolean;
  /** What it may reach from there, as `host:port`. */
  hosts: { are(trust: string): readonly string[]; allow(trust: string, host: string): void };
  /** Files that it left and that were taken out, until the user says what becomes of them. */
  left: { are(): readonly PutAsideFiles[]; keep(files: readonly PutAsideFiles[]): void };
  onChange(): void;
  /** The lists of tools or prompts are new. */
  onListChanged(): void;
  onLog(line: string): void;
}

/** Restarts in a row after which it is left to the user. */
export const maxRestarts = 5;
/** Milliseconds. */
const firstDelay = 1000;
const longestDelay = 30_000;
/** A server that ran so long was well: what happens then is no part of a row. */
const wellAfter = 60_000;
/** The same for one whose session was lost: some proxies cut every stream after half a minute. */
const wellAfterLost = 5_000;
/** Milliseconds between two attempts to reach one over HTTP that was out of reach. */
const firstRetry = 15_000;
const longestRetry = 300_000;
const linesOfFailure = 20;
const forgotten = "It had forgotten the session.";

/** One configured server: started, watched, started again when it crashes, ended. */
export class McpServer {
  readonly config: ServerConfig;
  readonly log: ServerLog;
  readonly #options: ServerOptions;
  /** What its program in the fence wants to reach. */
  readonly pendingHosts: PendingHosts;
  /** What appeared in the folder while it ran there, and was taken out. */
  readonly pendingFiles: PendingFiles;
  #trust = "";
  #state: ServerState = "stopped";
  #why: string | null = null;
  #restarts = 0;
  #isOutOfReach = false;
  #connection: Connection | null = null;
  #life: AbortController | null = null;
  #ended: Promise<void> = Promise.resolve();
  #waiters: (() => void)[] = [];

  constructor(options: ServerOptions) {
    this.#options = options;
    this.config = options.config;
    this.log = new ServerLog(options.onLog, options.context.clock);
    const { hosts, left, onChange, context } = options;
    const { name } = options.config;
    this.pendingHosts = new PendingHosts({
      name,
      isKnown: (host) => hosts.are(this.#trust).includes(host),
      keep: (host) => hosts.allow(this.#trust, host),
      onChange,
    });
    this.pendingFiles = new PendingFiles({
      name,
      kept: left.are,
      keep: left.keep,
      tell: (line) => this.log.say(line),
      putBack: (files) =>
        context.putBack?.(files) ?? Promise.reject(new Error("Nothing can be put back here.")),
      onChange,
    });
  }

  get status(): ServerStatus {
    const { name } = this.config;
    const log = this.#state === "failed" ? this.log.tail(linesOfFailure) : [];
    return { name, state: this.#state, why: this.#why, log, restarts: this.#restarts };
  }

  /** The living connection, null unless it is ready. */
  get connection(): Connection | null {
    return this.#state === "ready" ? this.#connection : null;
  }

  /**
   * @param byUser they asked for it: a browser may be opened to sign in
   * @param after resolves when it may begin
   */
  start(byUser: boolean, after?: Promise<void>): void {
    if (this.#life) return;
    const obstacle = this.#obstacle();
    if (obstacle) {
      this.#set(...obstacle);
      return;
    }
    const life = new AbortController();
    this.#life = life;
    this.#restarts = 0;
    this.#ended = this.#live(life.signal, byUser, after);
  }

  /**
   * What an entry of a folder's file would run now; null for one of the user's own.
   * @throws MissingVariable where it could not run
   */
  proposal(): Proposal | null {
    if (this.config.source !== "project") return null;
    return proposalOf(this.config, this.#variables(), this.isFenced);
  }

  /** Where it is, with its variables filled in; null for a program, and where one is missing. */
  address(): string | null {
    try {
      const { url } = expandEntry(this.config, this.#variables());
      return url === undefined ? null : new URL(url).href;
    } catch {
      return null;
    }
  }

  #obstacle(): [ServerState, string] | null {
    const { entry } = this.config;
    if (!isEnabled(entry)) return ["stopped", "It is turned off (`enabled` is false)."];
    try {
      const proposal = this.proposal();
      return proposal && !this.#options.isAllowed(proposal.fingerprint) ? this.#unallowed : null;
    } catch (error) {
      if (error instanceof MissingVariable) return ["failed", sentence(error)];
      throw error;
    }
  }

  /** Whether its program runs, or would run, in the fence. */
  get isFenced(): boolean {
    return this.config.entry.command !== undefined && this.#options.wantsFence() && this.#hasFence;
  }

  get #hasFence(): boolean {
    const { context } = this.#options;
    return context.isFenceThere?.() ?? false;
  }

  get #unallowed(): [ServerState, string] {
    const { name } = this.config;
    return [
      "needs_approval",
      `This folder wants to start this server. Trust it? \`/mcp allow ${name}\` shows what it runs.`,
    ];
  }

  #variables(): Variables {
    const { config, context } = this.#options;
    const { workingFolder, home } = context;
    return { ...context.variables(config.folder ?? null), workingFolder, home };
  }

  /** Ends it with everything that it started. */
  async stop(): Promise<void> {
    this.#life?.abort(new Error("It was stopped."));
    await this.#ended;
    this.#life = null;
    this.#set("stopped", null);
  }

  async restart(): Promise<void> {
    await this.stop();
    this.start(true);
  }

  /** One that has failed starts anew, at once where it waits to be tried again. In any other state it stays as it is. */
  revive(): void {
    if (this.#state !== "failed") return;
    this.#life?.abort(new Error("It is started again."));
    this.#life = null;
    this.start(false, this.#ended);
  }

  /** Resolves when it is neither starting nor about to. */
  async settled(signal?: AbortSignal): Promise<void> {
    await this.#until(() => this.#state !== "starting", signal);
  }

  /** Resolves when this connection is not its own any more. */
  async without(connection: Connection, signal: AbortSignal): Promise<void> {
    await this.#until(() => this.connection !== connection, signal);
  }

  async #until(holds: () => boolean, signal?: AbortSignal): Promise<void> {
    while (!holds() && !signal?.aborted) {
      await new Promise<void>((resolve) => {
        this.#waiters.push(resolve);
        signal?.addEventListener("abort", () => resolve(), { once: true });
      });
    }
  }

  async #live(life: AbortSignal, byUser: boolean, after?: Promise<void>): Promise<void> {
    const { clock } = this.#options.context;
    let wasReady = false;
    /** How long it waited for the last attempt at one that is out of reach; 0: it is not. */
    let retry = 0;
    if (after) {
      this.#set("starting", null);
      await after;
      if (life.aborted) return;
    }
    for (let attempts = 0; ; attempts++) {
      if (retry === 0) this.#set("starting", this.#restarts > 0 ? this.#why : null);
      const why = await this.#once(life, byUser && attempts === 0, () => {
        wasReady = true;
        retry = 0;
      });
      if (life.aborted || why === null) return;
      // One that never ran has a mistake that waiting does not mend.
      if (!wasReady || retry > 0 || this.#restarts >= maxRestarts) {
        this.#fail(why, wasReady);
        if (!this.#isOutOfReach) return;
        retry = retry === 0 ? firstRetry : Math.min(2 * retry, longestRetry);
        if (await hasEnded(clock.sleep(retry, life))) return;
        continue;
      }
      const isForgotten = why === forgotten && this.#restarts === 0;
      const delay = isForgotten ? 0 : Math.min(firstDelay * 2 ** this.#restarts, longestDelay);
      this.#restarts++;
      this.log.say(`${why} Start ${this.#restarts} of ${maxRestarts} in ${delay / 1000} s.`);
      this.#set("starting", why);
      if (await hasEnded(clock.sleep(delay, life))) return;
    }
  }

  #fail(why: string, wasReady: boolean): void {
    const inARow = wasReady ? ` It was restarted ${maxRestarts} times.` : "";
    const isRetried = this.#isOutOfReach;
    const whole = `${why}${inARow}${isRetried ? " Parley tries again by itself." : ""}`;
    if (!isRetried) this.#life = null;
    // Said once, however often it is tried.
    if (this.#state !== "failed" || this.#why !== whole) {
      const isGivenUp = wasReady && !isRetried;
      this.#options.onLog(
        `(Parley) ${whole}${isGivenUp ? " Parley does not restart it again by itself." : ""}`,
      );
    }
    this.#set("failed", whole);
  }

  /** From a start to its end. @returns why it ended; null where it is not to be started again */
  async #once(life: AbortSignal, mayAsk: boolean, onReady: () => void): Promise<string | null> {
    const { config, context, onListChanged } = this.#options;
    let fence: ServerFence | null = null;
    this.#isOutOfReach = false;
    try {
      const entry = expandEntry(config, this.#variables());
      // Looked at each time it starts: what its variables say may be new.
      const fingerprint = fingerprintOf(config, entry, this.isFenced);
      if (config.source === "project" && !this.#options.isAllowed(fingerprint)) {
        this.#life = null;
        this.#set(...this.#unallowed);
        return null;
      }
      this.#trust = fingerprint;
      fence = this.#openFence(entry);
      let isStarting = true;
      const connection = await Connection.open({
        name: config.name,
        asker: config,
        entry,
        context,
        log: this.log,
        signal: life,
        mayAsk: () => mayAsk,
        onBrowser: (isOpen) => {
          if (isStarting) this.#set("starting", isOpen ? inBrowser(config.name) : null);
        },
        fence,
        askHost: (host) => this.pendingHosts.ask(host),
        onFenced: (program) => this.pendingFiles.runs(program),
        onLeft: (files) => this.#tookOut(files),
        isWaiting: () => this.pendingHosts.waiting.length > 0,
        onListChanged,
      });
      isStarting = false;
      this.#connection = connection;
      return await this.#whileReady(connection, life, onReady);
    } catch (error) {
      if (life.aborted) return null;
      if (error instanceof NeedsSignIn) {
        this.#life = null;
        this.#set("needs_sign_in", error.message);
        return null;
      }
      this.#isOutOfReach = error instanceof OutOfReach;
      return sentence(error instanceof OutOfReach ? error.cause : error);
    } finally {
      this.#connection = null;
      this.pendingHosts.clear();
      this.pendingFiles.runs(null);
      await fence?.forget();
    }
  }

  /** @throws FenceError where the user wants one and there is none */
  #openFence({ command, cwd }: ServerEntry): ServerFence | null {
    const { config, context, wantsFence } = this.#options;
    if (command === undefined || !wantsFence()) return null;
    const isProject = config.source === "project";
    const folder = isProject ? context.workingFolder : resolve(context.workingFolder, cwd ?? ".");
    const fence = this.#hasFence ? (context.fenceFor?.(config, folder) ?? null) : null;
    // What a folder brings was trusted without one, where there is none here.
    if (fence || (isProject && !this.#hasFence)) return fence;
    throw new FenceError(
      "It should run in the fence, but there is no fence here. Turn its fence off to run it without.",
    );
  }

  async #whileReady(connection: Connection, life: AbortSignal, onReady: () => void): Promise<string | null> {
    const { clock } = this.#options.context;
    onReady();
    const since = clock.now();
    // What appears after this is of its calls, or in the background.
    await this.pendingFiles.look();
    this.#set("ready", null);
    const stopped = new Promise<void>((resolve) => {
      life.addEventListener("abort", () => resolve(), { once: true });
      if (life.aborted) resolve();
    });
    await Promise.race([connection.closed, stopped]);
    // Also after a crash: what the server started may still run.
    await connection.close();
    this.log.flush();
    if (clock.now() - since >= (connection.isForgotten ? wellAfterLost : wellAfter)) this.#restarts = 0;
    if (life.aborted) return null;
    return connection.isForgotten ? forgotten : "It ended unexpectedly.";
  }

  #tookOut(files: PutAside): void {
    const names = files.paths.join(", ");
    this.log.say(`Taken out of ${files.folder}: ${names}. ${whyTakenOut} They are in ${files.place}.`);
    this.pendingFiles.add(files);
  }

  #set(state: ServerState, why: string | null): void {
    if (state === this.#state && why === this.#why) return;
    this.#state = state;
    this.#why = why;
    for (const wake of this.#waiters.splice(0)) wake();
    this.#options.onChange();
  }
}

/** Whether a wait was ended before its time. */
const hasEnded = (wait: Promise<void>): Promise<boolean> =>
  wait.then(
    () => false,
    () => true,
  );

const inBrowser = (name: string) => `Sign in to ${name} in the browser window that just opened.`;

function sentence(error: unknown): string {
  const refusal = httpRefusal(error);
  if (refusal !== null) return refusal;
  if (error instanceof z.ZodError) {
    const places = new Set(error.issues.map(({ path }) => path.join(".")).filter((place) => place !== ""));
    const where = places.size > 0 ? ` (${[...places].join(", ")})` : "";
    return `The server's answer cannot be read: it is not as the protocol wants it${where}.`;
  }
  const refused = proxyRefusalIn(error);
  if (refused) return `${refused.message} ${refused.hint}`;
  const cause = error instanceof Error && error.cause instanceof Error ? error.cause.message : null;
  const text = error instanceof Error ? error.message : String(error);
  // `fetch failed` says nothing; what it was caused by does.
  const whole = cause !== null && text === "fetch failed" ? `It cannot be reached: ${cause}` : text;
  return /[.!?]$/.test(whole) ? whole : `${whole}.`;
}
