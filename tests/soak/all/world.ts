import { readdirSync, readFileSync, readlinkSync, statSync, writeFileSync } from "node:fs";
import { join, resolve } from "node:path";
import { setTimeout as wait } from "node:timers/promises";
import Libsql from "libsql";
import type { Page } from "playwright/test";
import { z } from "zod";
import type { AgentEvent } from "../../../shared/conversation/events.ts";
import { closeMainWindow, launchParley, type Parley, reopenMainWindow } from "../../e2e/support/launch.ts";
import { fakeMicrophone, silence } from "../../e2e/support/machine/audio.ts";
import { sharedOutMb } from "../../e2e/support/machine/process-family.ts";
import { faultsOf, watchTranscript } from "../../e2e/support/oracle.ts";
import { createModelServer, type ModelServer } from "../../fakes/model-server/model-server.ts";
import { livingProcesses } from "../../fakes/processes.ts";
import { makeWav } from "../../fixtures/audio/make-wav.ts";
import type { Sample } from "./flatness.ts";
import { hearingServer } from "./hearing-server.ts";
import { createRoughRoad, type RoughRoad } from "./rough-road.ts";
import { makeSmallHome, type SmallHome } from "./small-home.ts";

declare global {
  interface Window {
    soakEvents(events: AgentEvent[]): Promise<void>;
    gc?(): void;
  }
}

/** Only against hanging, on the slowest machine. */
export const patienceMs = 300_000;
const root = resolve(import.meta.dirname, "../../..");
type RunEnded = Extract<AgentEvent, { type: "run.ended" }>;
const heard = 'tell me what you hear [[script:text {"text":"Birds, and a car."}]]';

/** The app and its surroundings, all of which may break. */
export class World {
  readonly model: ModelServer;
  readonly road: RoughRoad;
  readonly home: SmallHome;
  readonly random: () => number;
  parley: Parley;
  page: Page;
  readonly faults: string[] = [];
  /** Prompts that the app took: each must be kept exactly once. */
  readonly taken = new Set<string>();
  /** Those that must have got a reply, too. */
  readonly answered = new Set<string>();
  /** How often voice was switched on, each time for one prompt. */
  spoken = 0;
  /** Where an action is in the middle of what it is about: whoever kills the app does it from there on. */
  scene: () => Promise<void> = async () => {};
  /** Told every event that a window is told. */
  onEvent: (event: AgentEvent) => void = () => {};
  /** It ended, or was killed. */
  isGone = false;
  /** Conversations whose last run failed. */
  readonly failed = new Set<string>();
  /** Fails when the app is gone. */
  #gone: Promise<never> = new Promise(() => {});
  readonly #waiting = new Set<(event: AgentEvent) => void>();
  #seenTranscript: (() => Promise<string[][]>) | null = null;
  #prompts = 0;

  private constructor(given: Pick<World, "model" | "road" | "home" | "parley" | "random">) {
    this.model = given.model;
    this.road = given.road;
    this.home = given.home;
    this.parley = given.parley;
    this.random = given.random;
    this.page = given.parley.page;
  }

  static async start(random: () => number): Promise<World> {
    const model = await createModelServer();
    const road = await createRoughRoad(model.url);
    const home = makeSmallHome(settingsOf());
    writeFileSync(microphoneOf(home), makeWav(silence(1000)));
    const parley = await launch(home, road);
    const world = new World({ model, road, home, parley, random });
    try {
      await world.#begin();
      return world;
    } catch (error) {
      await parley.close();
      home.remove();
      throw error;
    }
  }

  /** Once more, with all that it had kept. */
  async startAgain(): Promise<void> {
    this.home.mend();
    this.road.refuse(0);
    this.parley = await launch(this.home, this.road);
    this.page = this.parley.page;
    await this.#begin();
  }

  pick<T>(from: readonly [T, ...T[]]): T {
    return from[Math.floor(this.random() * from.length)] ?? from[0];
  }

  /** A text that no other prompt has, with the marker of what the model answers. */
  prompt(name: string, args: object = {}): string {
    return `Prompt ${++this.#prompts}. [[script:${name} ${JSON.stringify(args)}]]`;
  }

  /** Types it and sends it; back when it was taken. @returns the end of its run */
  async type(text: string): Promise<{ ended: Promise<RunEnded> }> {
    let inputId: string | undefined;
    let runId: string | undefined;
    const queued = this.event(
      "prompt taken",
      (event) => event.type === "input.queued" && event.input.text === text,
    );
    const ended = this.event("end of a run", (event) => {
      if (event.type === "input.queued" && event.input.text === text) inputId = event.input.inputId;
      if (event.type === "run.started" && event.inputId === inputId) runId = event.runId;
      return event.type === "run.ended" && event.runId === runId && event;
    });
    await this.send(text);
    await queued;
    this.taken.add(text);
    return { ended };
  }

  async send(text: string): Promise<void> {
    await this.page.getByTestId("composer").fill(text);
    await this.page.getByTestId("composer").press("Enter");
  }

  /** The first from now on for which `find` finds something. @throws Error when the app is gone, or there is none */
  event<Found>(what: string, find: (event: AgentEvent) => Found | false): Promise<Found> {
    const found = new Promise<Found>((resolve) => {
      const look = (event: AgentEvent) => {
        const one = find(event);
        if (one === false) return;
        this.#waiting.delete(look);
        resolve(one);
      };
      this.#waiting.add(look);
    });
    return this.#inTime(what, found);
  }

  /** A stream waits at this gate. @throws as `event` */
  async held(gate: string): Promise<void> {
    await this.#inTime(gate, this.model.held(gate));
  }

  /** So many more requests reached the model, or will. @throws as `event` */
  async requested(count: number): Promise<void> {
    await this.#inTime("request", this.model.requested(this.model.requests.length + count));
  }

  /** The MCP server with the tools is ready; where it failed too often to be started by itself, it is started as its user does it. */
  async serverReady(): Promise<void> {
    const isReady = () =>
      this.page.evaluate(async (server) => {
        // Of one that was only looked at nothing is left.
        const made = await window.parley.call("conversation.create", undefined);
        if (!made.ok) throw new Error(made.error.message);
        const { conversationId } = made.value;
        const list = await window.parley.call("mcp.list", { conversationId });
        if (!list.ok) throw new Error(list.error.message);
        // At first none is known.
        const state = list.value.servers.find(({ name }) => name === server)?.state;
        if (state === "failed")
          await window.parley.call("mcp.act", { conversationId, server, action: "restart" });
        return state === "ready";
      }, "soak");
    const deadline = performance.now() + patienceMs;
    while (!(await isReady())) {
      if (performance.now() > deadline) throw new Error("The MCP server does not become ready.");
      await wait(100);
    }
  }

  /** Has something read aloud, and goes on while it sounds. */
  async readAloud(): Promise<void> {
    const speaks = this.event(
      "speech",
      (event) => event.type === "speech.state" && event.state === "speaking",
    );
    await this.send(`/say ${"This is read aloud, and goes on for a while. ".repeat(8)}`);
    await speaks;
  }

  /** Types a prompt that must be answered, whatever happens to its requests. */
  async ask(name: string, args: object = {}): Promise<void> {
    const text = this.prompt(name, args);
    const { ended } = await this.type(text);
    this.answered.add(text);
    await ended;
  }

  /** Nothing runs or waits in any conversation. */
  async settle(): Promise<void> {
    let deadline = performance.now() + patienceMs;
    let before = "";
    for (let still = 0; still < 2; ) {
      const busy = await this.page.evaluate(async () => {
        const list = await window.parley.call("conversation.list", { limit: 10_000, isArchived: false });
        return list.ok
          ? list.value.sessions.flatMap(({ conversationId, state }) =>
              state === "idle" || state === "closed" ? [] : [conversationId],
            )
          : [];
      });
      still = busy.length === 0 ? still + 1 : 0;
      // A slow computer takes its time; only one on which nothing moves any more hangs.
      const now = busy.join();
      if (now !== before) deadline = performance.now() + patienceMs;
      else if (still === 0 && performance.now() > deadline) throw new Error(`still running: ${now}`);
      before = now;
      await wait(100);
    }
  }

  async closeWindow(): Promise<void> {
    await this.#lookAtTranscript();
    await closeMainWindow(this.parley.app);
  }

  async openWindow(): Promise<void> {
    this.page = await reopenMainWindow(this.parley.app);
    await this.page.getByTestId("composer").waitFor();
    await this.#watch();
  }

  async newConversation(): Promise<void> {
    await this.#lookAtTranscript();
    await this.page.getByTestId("composer").press("Control+n");
    await this.page.getByTestId("message-user").first().waitFor({ state: "detached", timeout: patienceMs });
    this.#seenTranscript = await watchTranscript(this.page);
  }

  /** Kills the app's process whose name the system's list has. @returns whether there was one */
  async killPart(name: string): Promise<boolean> {
    const pids = await this.parley.app.evaluate(
      ({ app }, name) => app.getAppMetrics().flatMap((one) => (one.name === name ? [one.pid] : [])),
      name,
    );
    return kill(pids);
  }

  /** Kills what the app started with this in its command line. @returns whether there was one */
  killProgram(part: string): boolean {
    const ours = new Set(this.parley.processes());
    return kill(
      livingProcesses().flatMap(({ pid, command }) => (ours.has(pid) && command.includes(part) ? [pid] : [])),
    );
  }

  async sample(actions: number): Promise<Sample> {
    const { parley, page, home } = this;
    const [pid = 0] = parley.processes();
    const mainHeap = await parley.app.evaluate(() => {
      const { gc } = globalThis as { gc?: () => void };
      if (!gc) throw new Error("There is no gc().");
      gc();
      gc();
      return process.memoryUsage().heapUsed;
    });
    const windowHeap = await page.evaluate(() => {
      window.gc?.();
      window.gc?.();
      return (performance as { memory?: { usedJSHeapSize: number } }).memory?.usedJSHeapSize ?? 0;
    });
    const memoryMb = sharedOutMb(parley.processes());
    const file = join(parley.userData, "parley.db");
    const bytes = sizeOf(file) + sizeOf(`${file}-wal`);
    return {
      actions,
      handles: openFiles(pid).filter((file) => file !== "/dev/null").length,
      processes: parley.processes().length,
      mainHeapMb: megabytes(mainHeap),
      windowHeapMb: megabytes(windowHeap),
      memoryMb,
      temporaryFiles: readdirSync(join(home.path, "tmp")).length,
      databaseKbPerMessage: Math.round(bytes / 1024 / Math.max(1, messagesIn(file))),
    };
  }

  /** Ends it all; what is wrong on the way out is a fault. */
  async end(): Promise<void> {
    await this.#lookAtTranscript();
    const running = this.parley.processes();
    await this.parley.close();
    const left = livingProcesses().filter(
      ({ pid }) => running.includes(pid) && environmentOf(pid).includes(`HOME=${this.home.path}`),
    );
    this.faults.push(...left.map(({ pid, command }) => `still running after the end: ${pid} ${command}`));
    this.faults.push(...this.model.violations);
    await this.road.close();
    // It throws what was just put on the list.
    await this.model.close().catch(() => {});
  }

  async #begin(): Promise<void> {
    const { app } = this.parley;
    const closed = new Promise<void>((resolve) => app.once("close", () => resolve()));
    this.isGone = false;
    this.#gone = closed.then(() => {
      this.isGone = true;
      throw new Error("The app is gone.");
    });
    this.#gone.catch(() => {});
    this.#waiting.clear();
    for (const page of app.windows()) this.#listenTo(page);
    app.on("window", (page) => this.#listenTo(page));
    await this.#watch();
  }

  /** What fails in any window while it is drawn is told on its console. */
  #listenTo(page: Page): void {
    page.on("pageerror", (error) => this.faults.push(`in ${page.url()}: ${error.message}`));
    page.on("console", (message) => {
      if (message.type() === "error") this.faults.push(`in ${page.url()}: ${message.text()}`);
    });
  }

  async #watch(): Promise<void> {
    await this.page.getByTestId("composer").waitFor();
    // Run by tsx, functions that go to the page call this for their names.
    await this.page.evaluate("globalThis.__name = (named) => named");
    await this.page.exposeFunction("soakEvents", (events: AgentEvent[]) => this.#see(events));
    await this.page.evaluate(() => {
      window.parley.onPush((push) => {
        if (push.type !== "events") return;
        void window.soakEvents(push.events);
        for (const event of push.events) {
          if (event.type !== "approval.requested") continue;
          const { conversationId, approvalId } = event;
          void window.parley.call("approval.answer", {
            conversationId,
            approvalId,
            allowed: true,
            scope: "once",
          });
        }
      });
    });
    this.#seenTranscript = await watchTranscript(this.page);
  }

  #see(events: readonly AgentEvent[]): void {
    for (const event of events) {
      if (event.type === "run.started") this.failed.delete(event.conversationId);
      if (event.type === "run.ended" && event.stopReason === "error") this.failed.add(event.conversationId);
      for (const look of [...this.#waiting]) look(event);
      this.onEvent(event);
    }
  }

  #inTime<Value>(what: string, work: Promise<Value>): Promise<Value> {
    const over = new AbortController();
    const late = wait(patienceMs, undefined, { signal: over.signal }).then(() => {
      throw new Error(`There was no ${what}.`);
    });
    const first = Promise.race([work, this.#gone, late]).finally(() => over.abort());
    // Not everybody waits for what they asked for.
    for (const one of [first, late]) one.catch(() => {});
    return first;
  }

  async #lookAtTranscript(): Promise<void> {
    const samples = (await this.#seenTranscript?.()) ?? [];
    this.faults.push(...faultsOf(samples).slice(0, 5));
  }
}

/** What the microphone hears: nothing. */
const microphoneOf = ({ path }: SmallHome) => join(path, "microphone.wav");

const launch = (home: SmallHome, road: RoughRoad): Promise<Parley> =>
  launchParley({
    home: home.path,
    env: { ANTHROPIC_BASE_URL: road.url, ANTHROPIC_API_KEY: "soak", TMPDIR: join(home.path, "tmp") },
    switches: ["--js-flags=--expose-gc", ...fakeMicrophone(microphoneOf(home))],
  });

function settingsOf(): object {
  return {
    firstRun: false,
    provider: "anthropic",
    // A storm is longer than the patience of a person: not of a test.
    ...{ retryBaseMs: 20, retryCapMs: 500, retryMax: 12, requestTimeoutMs: 20_000, streamIdleMs: 4000 },
    ...{ loopDetection: "off", maxConversationMessages: 0 },
    ...{ "voice.server": "hears", "voice.speak": "always" },
    mcpServers: {
      hears: hearingServer(heard),
      soak: {
        command: process.execPath,
        args: [
          join(root, "tests/fakes/mcp/scripted-mcp-server.mjs"),
          JSON.stringify({ list: ["echo", "hang"] }),
        ],
        cwd: root,
      },
    },
  };
}

function kill(pids: readonly number[]): boolean {
  for (const pid of pids) {
    try {
      process.kill(pid, "SIGKILL");
    } catch {
      // It ended by itself.
    }
  }
  return pids.length > 0;
}

function environmentOf(pid: number): string[] {
  try {
    return readFileSync(`/proc/${pid}/environ`, "utf8").split("\0");
  } catch {
    return [];
  }
}

/**
 * What each file descriptor of a process is. Electron leaves one of `/dev/null` for every utility process that it starts (33.2, however
 * its output is told to go): nobody but Electron can close it.
 */
function openFiles(pid: number): string[] {
  return readdirSync(`/proc/${pid}/fd`).flatMap((fd) => {
    try {
      return [readlinkSync(`/proc/${pid}/fd/${fd}`)];
    } catch {
      // It was closed meanwhile.
      return [];
    }
  });
}

function messagesIn(file: string): number {
  const database = new Libsql(file, { readonly: true });
  try {
    const row: unknown = database.prepare("SELECT count(*) AS count FROM messages").get();
    return z.object({ count: z.number() }).parse(row).count;
  } finally {
    database.close();
  }
}

const megabytes = (bytes: number) => Math.round((bytes / 2 ** 20) * 10) / 10;

function sizeOf(path: string): number {
  try {
    return statSync(path).size;
  } catch {
    return 0;
  }
}
