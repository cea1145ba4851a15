import { readFileSync } from "node:fs";
import { join, resolve } from "node:path";
import type { Page } from "playwright/test";
import type { SessionStore } from "../../electron/agent/ports/session-store.ts";
import { openSqliteStore } from "../../electron/store/sqlite-store.ts";
import { messageLostOrDoubled } from "../../scripts/test/grave.mjs";
import type { AgentEvent } from "../../shared/conversation/events.ts";
import { textOf } from "../../shared/conversation/messages.ts";
import { launchParley, type Parley } from "../e2e/support/launch.ts";
import { createModelServer } from "../fakes/model-server/model-server.ts";
import { eventually, killNow, livingProcesses } from "../fakes/processes.ts";
import { hearingServer } from "./all/hearing-server.ts";
import { createRoughRoad } from "./all/rough-road.ts";
import { slowDisk } from "./all/slow-disk.ts";
import { makeSmallHome } from "./all/small-home.ts";
import { CrashLedger } from "./crash-ledger.ts";

export interface CrashOptions {
  kills: number;
  /** 0 ≤ n < 1, reproducible. */
  random(): number;
  /**
   * Beside the kills: spoken and quick prompts, rate limits, cut and frozen streams, refused connections, an MCP server that is
   * killed, a disk that is full or slow.
   */
  everything?: boolean;
  /** Told after every kill. */
  onKill?(done: number): void;
}

export interface CrashReport {
  kills: number;
  prompts: number;
  requests: number;
  /** What was lost, doubled, invalid or left running, in words. Empty when all is well. */
  faults: string[];
}

declare global {
  interface Window {
    soakEvents(events: AgentEvent[]): Promise<void>;
  }
}

/**
 * Kills the real app with SIGKILL at random points of its runs, in one home, and looks after each death whether all
 * that anybody was told is still there, exactly once, and whether anything still runs. At the end the conversation
 * must go on as if nothing had been.
 */
export async function crashCycles({
  kills,
  random,
  everything = false,
  onKill,
}: CrashOptions): Promise<CrashReport> {
  const model = await createModelServer();
  const ledger = new CrashLedger();
  const faults: string[] = [];
  const pick = <T>(from: readonly [T, ...T[]]): T => from[Math.floor(random() * from.length)] ?? from[0];
  const road = everything ? await createRoughRoad(model.url) : null;
  const said: readonly [string, ...string[]] = everything ? [...scripts, ...roughScripts] : scripts;
  const settings = {
    ...{
      firstRun: false,
      retryBaseMs: 1,
      provider: "anthropic",
      maxConversationMessages: 0,
      loopDetection: "off",
    },
    ...(everything && {
      ...{ retryCapMs: 200, retryMax: 12, streamIdleMs: 4000 },
      ...{ "voice.server": "hears", "voice.speak": "always" },
      mcpServers: { soak: mcpServer, hears: hearingServer('say so [[script:text {"words":30}]]') },
    }),
  };
  const small = everything ? makeSmallHome(settings) : null;
  const env = {
    ...{ ANTHROPIC_BASE_URL: road?.url ?? model.url, ANTHROPIC_API_KEY: "soak" },
    ...(small && { TMPDIR: join(small.path, "tmp") }),
  };
  let home: string | undefined = small?.path;
  let prompts = 0;
  let looked = 0;

  const start = async () => {
    const parley = await launchParley({ env, settings, ...(home && { home }) });
    home = parley.home;
    await parley.page.getByTestId("composer").waitFor();
    return parley;
  };

  for (let kill = 1; kill <= kills; kill++) {
    const before = model.requests.length;
    const parley = await start();
    const { page, userData } = parley;
    if (model.requests.length > before) faults.push(`kill ${kill}: a request was made that nobody asked for`);
    const conversationId = await attach(page);
    const seen = await watch(page, ledger);
    for (let count = 1 + Math.floor(random() * 3); count > 0; count--) {
      const text = `Prompt ${++prompts}. ${pick(said)}`;
      // The last one is typed: of a quick prompt's conversation the window is told no events.
      const origin = everything && count > 1 ? pick<"typed" | "quick">(["typed", "quick"]) : "typed";
      const place = origin === "quick" ? {} : { conversationId };
      if (await submit(page, { ...place, text, origin })) ledger.taken.add(text);
    }
    // What it hears becomes a prompt by itself; of that the events tell.
    if (everything && random() < 0.3)
      await submit(page, { conversationId, text: "/voice start", origin: "typed" });
    if (road && small) {
      await seen(Math.ceil(random() * 5));
      pick([
        () => road.cut(),
        () => road.freeze(),
        () => road.refuse(2),
        () => killServers(parley),
        () => small.fill(),
        () => slowDisk(parley.processes()[0] ?? 0),
        () => {},
      ])();
    }
    // Somewhere between the first event and the end of everything.
    await seen(Math.ceil(random() * 30));
    await killHard(parley);
    small?.makeRoom();
    const left = await remains(parley.home);
    if (left.length > 0) faults.push(`kill ${kill}: still running: ${left.join("; ")}`);
    for (; looked < model.requests.length; looked++) {
      const request = model.requests[looked];
      if (request) ledger.seeRequest(request.body);
    }
    faults.push(...lookInto(join(userData, "parley.db"), ledger).map((fault) => `kill ${kill}: ${fault}`));
    onKill?.(kill);
  }

  const last = await start();
  const conversationId = await attach(last.page);
  const ended = await watch(last.page, ledger);
  await submit(last.page, { conversationId, text: "Are you still there?", origin: "typed" });
  await ended(Number.POSITIVE_INFINITY);
  const reply = last.page.getByTestId("message-assistant").last();
  if (!(await reply.textContent())?.includes("Are you still there?")) faults.push("it no longer answers");
  await last.close();
  await road?.close();
  small?.remove();
  const { violations } = model;
  faults.push(...violations);
  const requests = model.requests.length;
  // It throws what was just put on the list.
  await model.close().catch(() => {});
  return { kills, prompts, requests, faults };
}

/** Printed by a command that then lasts longer than anybody waits: after it no more events come. */
const blockedMark = "begun";
const shell = (command: string) => ({ name: "shell", input: { command } });
const scripts = [
  '[[script:text {"words":60}]]',
  `[[script:tools ${JSON.stringify({ say: "Looking.", calls: [shell(`echo ${blockedMark}; sleep 300 & sleep 300`)] })}]]`,
  `[[script:tools ${JSON.stringify({ calls: [{ name: "calculate", input: { expression: "6 * 7" } }, shell("echo $$ >> pids; echo done")] })}]]`,
  `[[script:loop ${JSON.stringify({ rounds: 4, calls: [{ name: "current_time", input: {} }] })}]]`,
  `[[script:tools ${JSON.stringify({ calls: [{ name: "write_file", input: { path: "a.txt", content: "new" } }] })}]]`,
] as const;

const roughScripts = [
  '[[script:status {"code":429,"times":3,"retryAfter":"0"}]]',
  '[[script:cut {"times":2,"words":30}]]',
  '[[script:overloaded {"times":2,"words":30}]]',
  `[[script:tools ${JSON.stringify({
    calls: [{ name: "soak__echo", input: {} }],
  })}]]`,
] as const;

const mcpProgram = resolve(import.meta.dirname, "../fakes/mcp/scripted-mcp-server.mjs");
const mcpServer = {
  command: process.execPath,
  args: [mcpProgram, JSON.stringify({ list: ["echo"] })],
};

function killServers(parley: Parley): void {
  const ours = new Set(parley.processes());
  for (const { pid, command } of livingProcesses()) {
    if (ours.has(pid) && command.includes(mcpProgram)) killNow(pid);
  }
}

/**
 * Notes every event of the shown conversation and allows what asks.
 * @returns a function that resolves after so many further events, or when no more are to come: nothing runs or waits
 *   any more, or a command has begun that does not end
 */
async function watch(page: Page, ledger: CrashLedger): Promise<(events: number) => Promise<void>> {
  let count = 0;
  let started = 0;
  let ended = 0;
  let blocked = false;
  const listeners = new Set<() => void>();
  await page.exposeFunction("soakEvents", (events: AgentEvent[]) => {
    for (const event of events) {
      ledger.see(event);
      count++;
      if (event.type === "input.queued") started++;
      if (event.type === "run.ended") ended++;
      if (event.type === "tool.output" && event.text.includes(blockedMark)) blocked = true;
      if (event.type === "approval.requested") void allow(page, event.conversationId, event.approvalId);
    }
    for (const look of [...listeners]) look();
  });
  await page.evaluate(() => {
    window.parley.onPush((push) => {
      if (push.type === "events") void window.soakEvents(push.events);
    });
  });
  return (events) =>
    new Promise((resolve) => {
      const goal = count + events;
      const look = () => {
        if (count < goal && !blocked && (started === 0 || ended < started)) return;
        listeners.delete(look);
        resolve();
      };
      listeners.add(look);
      look();
    });
}

async function allow(page: Page, conversationId: string, approvalId: string): Promise<void> {
  // The app may be gone by now: that is what this is about.
  await page
    .evaluate((input) => window.parley.call("approval.answer", { ...input, allowed: true, scope: "once" }), {
      conversationId,
      approvalId,
    })
    .catch(() => {});
}

/** Once a start: whoever attaches again is shown all anew, and is not told what the view holds. */
async function attach(page: Page): Promise<string> {
  return await page.evaluate(async () => {
    const view = await window.parley.call("conversation.attach", {});
    if (!view.ok) throw new Error(view.error.message);
    return view.value.conversationId;
  });
}

/** Without an id to the conversation of quick prompts. */
async function submit(
  page: Page,
  prompt: { conversationId?: string; text: string; origin: "typed" | "quick" },
): Promise<boolean> {
  return await page.evaluate(async (prompt) => {
    const taken = await window.parley.call("conversation.submit", prompt);
    return taken.ok && taken.value.inputId !== null;
  }, prompt);
}

async function killHard({ app }: Parley): Promise<void> {
  const gone = app.waitForEvent("close");
  app.process().kill("SIGKILL");
  await gone;
}

/** Longer than a watcher takes from SIGTERM to SIGKILL. */
const mostMs = 10_000;

/** What still runs with this home: children of the app inherit it. */
async function remains(home: string): Promise<string[]> {
  const ours = () => livingProcesses().filter(({ pid }) => environmentOf(pid).includes(`HOME=${home}`));
  await eventually(() => ours().length === 0, mostMs);
  return ours().map(({ pid, command }) => `${pid} ${command}`);
}

function environmentOf(pid: number): string[] {
  try {
    return readFileSync(`/proc/${pid}/environ`, "utf8").split("\0");
  } catch {
    return [];
  }
}

function lookInto(file: string, ledger: CrashLedger): string[] {
  const store: SessionStore = openSqliteStore(file, (error) => {
    throw error;
  });
  try {
    return faultsIn(store, ledger);
  } finally {
    store.close();
  }
}

function faultsIn(store: SessionStore, { taken, messages, calls, sent }: CrashLedger): string[] {
  const faults: string[] = [];
  const times = new Map<string, number>();
  const add = (text: string) => times.set(text, (times.get(text) ?? 0) + 1);
  const ids = new Map<string, number>();
  const kept = new Set<string>();
  for (const { id } of store.listSessions({ limit: 10_000 })) {
    for (const message of store.loadMessages(id)) {
      ids.set(message.id, (ids.get(message.id) ?? 0) + 1);
      if (message.origin === "typed" || message.origin === "quick") add(textOf(message.content));
      for (const block of message.content) {
        if (block.type === "tool_result" && typeof block.content === "string") kept.add(block.content);
        if (block.type === "text") kept.add(block.text);
      }
    }
    for (const { text } of store.loadInputs(id)) add(text);
  }
  for (const text of taken) {
    const count = times.get(text) ?? 0;
    if (count !== 1)
      faults.push(`${messageLostOrDoubled}: the prompt "${text.slice(0, 20)}" is there ${count} times`);
  }
  for (const id of messages) {
    if (ids.get(id) !== 1)
      faults.push(`${messageLostOrDoubled}: message ${id} is there ${ids.get(id) ?? 0} times`);
  }
  for (const { conversationId, toolUseId } of calls.values()) {
    if (!store.loadToolCall(conversationId, toolUseId))
      faults.push(`${messageLostOrDoubled}: the output of ${toolUseId} is lost`);
  }
  for (const text of sent) {
    if (!kept.has(text)) faults.push(`sent before it was kept: "${text.slice(0, 60)}"`);
  }
  return faults;
}
