import { join } from "node:path";
import type { SessionStore } from "../../../electron/agent/ports/session-store.ts";
import { openSqliteStore } from "../../../electron/store/sqlite-store.ts";
import { messageLostOrDoubled } from "../../../scripts/test/grave.mjs";
import { isPrompt, type Message, textOf } from "../../../shared/conversation/messages.ts";
import { seededRandom, shuffled } from "../seeded-random.ts";
import { actions } from "./actions.ts";
import { growing, type Sample } from "./flatness.ts";
import { World } from "./world.ts";

export interface SoakOptions {
  /** So long new actions begin; longer, until each was done once. */
  minutes: number;
  seed: number;
  /** Told before each action. */
  onAction?(name: string, count: number): void;
}

export interface SoakReport {
  actions: number;
  /** How often each was done. */
  done: Record<string, number>;
  /** What could not be done here, and why. */
  skipped: Record<string, string>;
  prompts: number;
  requests: number;
  samples: Sample[];
  /** What was lost, doubled, wrong, left running or grows, in words. Empty when all is well. */
  faults: string[];
}

/** Actions between two samples, after which a new conversation begins. */
const perSample = 6;

/**
 * Drives the real app while everything around it breaks. The same seed does the same in the same order: every action once in an
 * order of its own, then all over again.
 */
export async function soak({ minutes, seed, onAction }: SoakOptions): Promise<SoakReport> {
  const random = seededRandom(seed);
  const world = await World.start(random);
  const done: Record<string, number> = {};
  const skipped: Record<string, string> = {};
  const samples: Sample[] = [];
  const endsAt = performance.now() + minutes * 60_000;
  let count = 0;
  let waiting: string[] = [];
  let name = "the start";
  const names = Object.keys(actions);
  const isOpen = (one: string) => !(one in done) && !(one in skipped);
  try {
    while (performance.now() < endsAt || names.some(isOpen)) {
      if (waiting.length === 0) waiting = shuffled(names, random);
      name = waiting.pop() ?? "";
      count++;
      onAction?.(name, count);
      const missing = await actions[name]?.(world);
      if (typeof missing === "string") skipped[name] = missing;
      else done[name] = (done[name] ?? 0) + 1;
      await world.settle();
      if (count % perSample !== 0) continue;
      await world.newConversation();
      samples.push(await world.sample(count));
    }
  } catch (error) {
    world.faults.push(`action ${count}, ${name}: ${error instanceof Error ? error.message : String(error)}`);
  }
  const { taken, faults, model, parley, home } = world;
  // What went wrong before is told, too, where nothing can be looked at any more.
  await world.end().catch((error: unknown) => faults.push(`the end: ${String(error)}`));
  faults.push(...growing(samples));
  try {
    faults.push(...inStore(join(parley.userData, "parley.db"), world));
  } catch (error) {
    // It still runs.
    faults.push(`the store: ${String(error)}`);
  }
  home.remove();
  return {
    actions: count,
    done,
    skipped,
    prompts: taken.size,
    requests: model.requests.length,
    samples,
    faults,
  };
}

/** What the database must hold: each prompt that was taken exactly once, behind it its reply; no more spoken ones than were said. */
function inStore(file: string, { taken, answered, spoken }: World): string[] {
  const store: SessionStore = openSqliteStore(file, (error) => {
    throw error;
  });
  const times = new Map<string, number>();
  const replied = new Set<string>();
  let heard = 0;
  try {
    for (const { id } of store.listSessions({ limit: 100_000 })) {
      const messages = store.loadMessages(id);
      for (const [index, message] of messages.entries()) {
        if (!isPrompt(message)) continue;
        if (message.origin === "voice") heard++;
        const text = textOf(message.content);
        times.set(text, (times.get(text) ?? 0) + 1);
        if (hasReply(messages.slice(index + 1))) replied.add(text);
      }
      for (const { text } of store.loadInputs(id)) times.set(text, (times.get(text) ?? 0) + 1);
    }
  } finally {
    store.close();
  }
  const faults: string[] = [];
  for (const text of taken) {
    const count = times.get(text) ?? 0;
    if (count !== 1) faults.push(`${messageLostOrDoubled}: “${text}” is there ${count} times`);
  }
  for (const text of answered)
    if (!replied.has(text)) faults.push(`${messageLostOrDoubled}: “${text}” has no reply`);
  if (heard < spoken) faults.push(`${messageLostOrDoubled}: ${heard} spoken prompts of ${spoken}`);
  return faults;
}

function hasReply(after: readonly Message[]): boolean {
  const next = after.findIndex(isPrompt);
  const own = next < 0 ? after : after.slice(0, next);
  const last = own.findLast(({ role }) => role === "assistant");
  return last !== undefined && textOf(last.content).trim() !== "";
}
