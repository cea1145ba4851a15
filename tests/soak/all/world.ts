import { readdirSync, readFileSync, readlinkSync, statSync } from "node:fs";
import { join, resolve } from "node:path";
import { setTimeout as wait } from "node:timers/promises";
import type { Page } from "playwright/test";
import { closeMainWindow, launchParley, type Parley, reopenMainWindow } from "../../e2e/support/launch.ts";
import { faultsOf, watchTranscript } from "../../e2e/support/oracle.ts";
import { createModelServer, type ModelServer } from "../../fakes/model-server/model-server.ts";
import { livingProcesses } from "../../fakes/processes.ts";
import type { Sample } from "./flatness.ts";
import { hearingServer } from "./hearing-server.ts";
import { createRoughRoad, type RoughRoad } from "./rough-road.ts";
import { makeSmallHome, type SmallHome } from "./small-home.ts";

declare global {
  interface Window {
    /** Runs that ended, inputs that were queued and replies that began to sound in what the window shows, since it was opened. */
    soak: { ended: number; queued: number; spoken: number; failed: string[] };
    gc?(): void;
  }
}

/** Only against hanging, on the slowest machine. */
export const patienceMs = 120_000;
const root = resolve(import.meta.dirname, "../../..");
const heard = 'tell me what you hear [[script:text {"text":"Birds, and a car."}]]';

/** The app and its surroundings, all of which may break. */
export class World {
  readonly model: ModelServer;
  readonly road: RoughRoad;
  readonly home: SmallHome;
  readonly parley: Parley;
  readonly random: () => number;
  page: Page;
  readonly faults: string[] = [];
  /** Prompts that the app took: each must be kept exactly once. */
  readonly taken = new Set<string>();
  /** Those that must have got a reply, too. */
  readonly answered = new Set<string>();
  /** How often voice was switched on, each time for one prompt. */
  spoken = 0;
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
    const parley = await launchParley({
      home: home.path,
      env: { ANTHROPIC_BASE_URL: road.url, ANTHROPIC_API_KEY: "soak", TMPDIR: join(home.path, "tmp") },
      switches: ["--js-flags=--expose-gc"],
    });
    const world = new World({ model, road, home, parley, random });
    for (const page of parley.app.windows()) world.#listenTo(page);
    parley.app.on("window", (page) => world.#listenTo(page));
    try {
      await world.#watch();
      return world;
    } catch (error) {
      await parley.close();
      home.remove();
      throw error;
    }
  }

  pick<T>(from: readonly [T, ...T[]]): T {
    return from[Math.floor(this.random() * from.length)] ?? from[0];
  }

  /** A text that no other prompt has, with the marker of what the model answers. */
  prompt(name: string, args: object = {}): string {
    return `Prompt ${++this.#prompts}. [[script:${name} ${JSON.stringify(args)}]]`;
  }

  /** Types it and sends it. @returns what waits for the end of its run */
  async type(text: string): Promise<() => Promise<void>> {
    const { page } = this;
    const { ended, queued } = await page.evaluate(() => window.soak);
    await page.getByTestId("composer").fill(text);
    await page.getByTestId("composer").press("Enter");
    await page.waitForFunction((before) => window.soak.queued > before, queued, { timeout: patienceMs });
    this.taken.add(text);
    return async () => {
      await page.waitForFunction((before) => window.soak.ended > before, ended, { timeout: patienceMs });
    };
  }

  /** Has something read aloud, and goes on while it sounds. */
  async readAloud(): Promise<void> {
    const { page } = this;
    const { spoken } = await page.evaluate(() => window.soak);
    await page
      .getByTestId("composer")
      .fill(`/say ${"This is read aloud, and goes on for a while. ".repeat(8)}`);
    await page.getByTestId("composer").press("Enter");
    await page.waitForFunction((before) => window.soak.spoken > before, spoken, { timeout: patienceMs });
  }

  /** Types a prompt that must be answered, whatever happens to its requests. */
  async ask(name: string, args: object = {}): Promise<void> {
    const text = this.prompt(name, args);
    const over = await this.type(text);
    this.answered.add(text);
    await over();
  }

  /** Nothing runs or waits in any conversation. */
  async settle(): Promise<void> {
    const deadline = performance.now() + patienceMs;
    for (let still = 0; still < 2; ) {
      const busy = await this.page.evaluate(async () => {
        const list = await window.parley.call("conversation.list", { limit: 10_000, isArchived: false });
        return list.ok
          ? list.value.sessions.filter(({ state }) => state !== "idle" && state !== "closed")
          : [];
      });
      still = busy.length === 0 ? still + 1 : 0;
      if (performance.now() > deadline) throw new Error(`still running: ${JSON.stringify(busy)}`);
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

  async sample(actions: number, messages: number): Promise<Sample> {
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
    const database = ["parley.db", "parley.db-wal"].map((name) => sizeOf(join(parley.userData, name)));
    return {
      actions,
      handles: openFiles(pid).filter((file) => file !== "/dev/null").length,
      processes: parley.processes().length,
      mainHeapMb: megabytes(mainHeap),
      windowHeapMb: megabytes(windowHeap),
      temporaryFiles: readdirSync(join(home.path, "tmp")).length,
      databaseKbPerMessage: Math.round(
        database.reduce((sum, size) => sum + size, 0) / 1024 / Math.max(1, messages),
      ),
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
    await this.page.evaluate(() => {
      window.soak = { ended: 0, queued: 0, spoken: 0, failed: [] };
      window.parley.onPush((push) => {
        if (push.type !== "events") return;
        for (const event of push.events) {
          if (event.type === "run.ended") window.soak.ended++;
          if (event.type === "run.ended" && event.stopReason === "error")
            window.soak.failed.push(event.conversationId);
          if (event.type === "input.queued") window.soak.queued++;
          if (event.type === "speech.state" && event.state === "speaking") window.soak.spoken++;
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

  async #lookAtTranscript(): Promise<void> {
    const samples = (await this.#seenTranscript?.()) ?? [];
    this.faults.push(...faultsOf(samples).slice(0, 5));
  }
}

function settingsOf(): object {
  return {
    firstRun: false,
    provider: "anthropic",
    // A storm is longer than the patience of a person: not of a test.
    ...{ retryBaseMs: 20, retryCapMs: 500, retryMax: 12, streamIdleMs: 4000 },
    ...{ loopDetection: "off", maxConversationMessages: 0 },
    ...{ "voice.server": "hears", "voice.speak": "always" },
    mcpServers: {
      hears: hearingServer(heard),
      soak: {
        command: process.execPath,
        args: [join(root, "tests/fakes/mcp/scripted-mcp-server.mjs"), JSON.stringify({ list: ["echo"] })],
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

const megabytes = (bytes: number) => Math.round((bytes / 2 ** 20) * 10) / 10;

function sizeOf(path: string): number {
  try {
    return statSync(path).size;
  } catch {
    return 0;
  }
}
