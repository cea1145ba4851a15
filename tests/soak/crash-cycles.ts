import { readFileSync } from "node:fs";
import { join } from "node:path";
import type { SessionStore } from "../../electron/agent/ports/session-store.ts";
import { openSqliteStore } from "../../electron/store/sqlite-store.ts";
import { messageLostOrDoubled } from "../../scripts/test/grave.mjs";
import { type Message, textOf } from "../../shared/conversation/messages.ts";
import { eventually, livingProcesses } from "../fakes/processes.ts";
import { actions } from "./all/actions.ts";
import { World } from "./all/world.ts";
import { CrashLedger } from "./crash-ledger.ts";
import { shuffled } from "./seeded-random.ts";

export interface CrashOptions {
  kills: number;
  /** 0 ≤ n < 1, reproducible. */
  random(): number;
  /** In the middle of every action of the soak, and not only of those that are typed while all is well. */
  everything?: boolean;
  /** Told after every kill. */
  onKill?(kills: number, name: string): void;
}

export interface CrashReport {
  kills: number;
  /** How often each action was the scene of a kill. */
  done: Record<string, number>;
  /** What could not be done here, and why. */
  skipped: Record<string, string>;
  prompts: number;
  requests: number;
  /** What was lost, doubled, out of order, invalid or left running, in words. Empty when all is well. */
  faults: string[];
}

/**
 * Kills the real app with SIGKILL in the middle of one action after the other, in one home, and looks after each death whether all
 * that anybody was told is still there, exactly once and in order, and whether anything still runs. At the end the conversation
 * must go on as if nothing had been.
 */
export async function crashCycles({
  kills,
  random,
  everything = false,
  onKill,
}: CrashOptions): Promise<CrashReport> {
  const names = Object.keys(actions).filter((name) => everything || name.startsWith("typed: "));
  const world = await World.start(random);
  const { model, faults, taken } = world;
  const ledger = new CrashLedger();
  const done: Record<string, number> = {};
  const skipped: Record<string, string> = {};
  let waiting: string[] = [];
  let looked = 0;
  let kill = 0;
  const look = (what: string) => {
    for (; looked < model.requests.length; looked++) {
      const request = model.requests[looked];
      if (request) ledger.seeRequest(request.body);
    }
    const file = join(world.parley.userData, "parley.db");
    faults.push(...lookInto(file, taken, ledger).map((fault) => `${what}: ${fault}`));
  };
  while (kill < kills) {
    if (waiting.length === 0) waiting = shuffled(names, random);
    const name = waiting.pop() ?? "";
    const killer = new Killer(world, ledger);
    const missing = await killIn(name, killer).catch((error: unknown) => {
      faults.push(`before kill ${kill + 1}, ${name}: ${String(error)}`);
    });
    if (missing) {
      skipped[name] = missing;
      continue;
    }
    // What went wrong is looked at in the same way.
    await killer.kill();
    kill++;
    done[name] = (done[name] ?? 0) + 1;
    world.home.mend();
    const what = `kill ${kill}, ${name}`;
    const left = await remains(world.home.path);
    if (left.length > 0) faults.push(`${what}: still running: ${left.join("; ")}`);
    look(what);
    onKill?.(kill, name);
    const before = model.requests.length;
    await world.startAgain();
    if (model.requests.length > before)
      faults.push(`${what}: after it a request was made that nobody asked for`);
  }

  world.scene = async () => {};
  const reply = "I am still there.";
  await world.ask("text", { text: reply });
  const shown = await world.page.getByTestId("message-assistant").last().textContent();
  if (!shown?.includes(reply)) faults.push("it no longer answers");
  await world.end();
  look("the end");
  world.home.remove();
  return { kills, done, skipped, prompts: taken.size, requests: model.requests.length, faults };
}

/** How many events after the middle of an action it is killed at most, where nobody knows yet how many there are. */
const mostEvents = 12;

/**
 * Does an action until it is killed in it: so many events after its middle was reached. One that ends before that is done again, and
 * is killed earlier. @returns why it cannot be done here, in words; undefined: the app is dead
 */
async function killIn(name: string, killer: Killer): Promise<string | undefined> {
  const { world } = killer;
  let most = mostEvents;
  for (let attempt = 1; ; attempt++) {
    killer.aim(attempt < 3 ? Math.floor(world.random() * most) : 0);
    let missing: unknown;
    try {
      missing = await actions[name]?.(world);
    } catch (error) {
      if (!killer.hasKilled) throw error;
    }
    if (killer.hasKilled) return undefined;
    if (typeof missing === "string") return missing;
    if (attempt === 3) throw new Error("it came to no point at which to kill it");
    most = killer.seen + 1;
  }
}

/** Kills the app so many events after an action came to its middle. */
class Killer {
  readonly world: World;
  /** Events since then. */
  seen = 0;
  #after = 0;
  #isThere = false;
  #killed: Promise<void> | null = null;

  constructor(world: World, ledger: CrashLedger) {
    this.world = world;
    world.onEvent = (event) => {
      ledger.see(event);
      if (!this.#isThere) return;
      this.seen++;
      void this.#look();
    };
    world.scene = async () => {
      this.#isThere = true;
      await this.#look();
    };
  }

  get hasKilled(): boolean {
    return this.#killed !== null;
  }

  aim(after: number): void {
    this.#after = after;
    this.#isThere = false;
    this.seen = 0;
  }

  /** Once. */
  async kill(): Promise<void> {
    this.#killed ??= this.world.isGone ? Promise.resolve() : this.world.parley.crash();
    await this.#killed;
  }

  async #look(): Promise<void> {
    if (this.seen >= this.#after) await this.kill();
  }
}

/** Longer than a watcher takes from SIGTERM to SIGKILL, on the slowest machine. */
const mostMs = 60_000;

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

function lookInto(file: string, taken: ReadonlySet<string>, ledger: CrashLedger): string[] {
  const store: SessionStore = openSqliteStore(file, (error) => {
    throw error;
  });
  try {
    return faultsIn(store, taken, ledger);
  } finally {
    store.close();
  }
}

function faultsIn(store: SessionStore, taken: ReadonlySet<string>, ledger: CrashLedger): string[] {
  const { messages, calls, sent } = ledger;
  const faults: string[] = [];
  const times = new Map<string, number>();
  const add = (text: string) => times.set(text, (times.get(text) ?? 0) + 1);
  const ids = new Map<string, number>();
  const kept = new Set<string>();
  const keep = ({ content }: Message) => {
    for (const block of content) {
      if (block.type === "tool_result" && typeof block.content === "string") kept.add(block.content);
      if (block.type === "text") kept.add(block.text);
    }
  };
  for (const { id } of store.listSessions({ limit: 10_000 })) {
    const path = store.loadMessages(id);
    const shown = messages.get(id) ?? new Set();
    const inOrder = path.flatMap((message) => (shown.has(message.id) ? [message.id] : []));
    if (inOrder.join() !== [...shown].filter((one) => inOrder.includes(one)).join())
      faults.push(`${messageLostOrDoubled}: out of order: ${inOrder.join(" ")}`);
    for (const message of path) {
      ids.set(message.id, (ids.get(message.id) ?? 0) + 1);
      if (message.origin === "typed" || message.origin === "quick") add(textOf(message.content));
      keep(message);
    }
    for (const agent of store.loadSubagents(id, 1000))
      for (const message of store.loadMessages(agent.id)) keep(message);
    for (const { text } of store.loadInputs(id)) add(text);
  }
  for (const text of taken) {
    const count = times.get(text) ?? 0;
    if (count !== 1)
      faults.push(`${messageLostOrDoubled}: the prompt "${text.slice(0, 20)}" is there ${count} times`);
  }
  for (const id of [...messages.values()].flatMap((shown) => [...shown])) {
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
