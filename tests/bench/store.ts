import { rmSync, statSync } from "node:fs";
import { join } from "node:path";
import { monitorEventLoopDelay } from "node:perf_hooks";
import { setTimeout as sleep } from "node:timers/promises";
import { backUp } from "../../electron/store/backup/back-up.ts";
import { restoreBackup } from "../../electron/store/backup/restore.ts";
import { openSqliteStore } from "../../electron/store/sqlite-store.ts";
import { cacheFolder, workFolder } from "../../scripts/setup/cache-folder.mjs";
import type { Message } from "../../shared/conversation/messages.ts";
import { spread } from "./spread.ts";
import { measureCheckpoints } from "./store-checkpoints.ts";
import { commonWord, corpusOf, longSession, middlingWord, rareWord, usualSessions } from "./store-corpus.ts";

// npm run bench -- store [--messages 1000000] [--real] [--json]: the store on a database of a million messages in 5,000
// sessions (`--real`: in 20,000, more than anybody is likely to have), which is built once and kept in the cache folder. JSON in the last line, in milliseconds:
// {"openMs":{p50,p95},"appendMs":{…},"listMs":{…},"searchMs":{…},"checkpointMs":{…},"mainBlockedMs":…,
// "searchIndexMb":…,"searchBuildSeconds":…,"databaseMb":…,"messages":…}
// mainBlockedMs: the longest that the main process could not do anything else while a search ran.
// startMs: the database opened, and what the window's list shows first. backUpSeconds, backUpBlockedMs, backUpMb: a back-up made
// in the window, and the longest that main could do nothing else meanwhile; restoreSeconds: its file restored into an empty profile.
// searchBuildSeconds: null where the index was there already.
const messages = argument("--messages", 1_000_000);
const sessions = process.argv.includes("--real") ? 20_000 : usualSessions;
/** As many rows as the window asks for first. */
const firstPage = 200;
const say = (line: string) => process.stderr.write(`${line}\n`);

const corpus = await corpusOf(cacheFolder(), messages, sessions, say);
const startMs = await measured(7, () => {
  const opened = openSqliteStore(corpus.file, fail);
  if (opened.listSessions({ limit: firstPage }).length !== firstPage)
    throw new Error("The list is not there.");
  opened.close();
});
const store = openSqliteStore(corpus.file, fail, { indexesByItself: true });

const openMs = await measured(60, () => {
  const session = store.loadSession(longSession);
  const page = store.loadPage(longSession, { limit: 100 });
  if (!session || page.messages.length !== 100) throw new Error("The long session is not there.");
});
const listMs = await measured(60, () => {
  const { length } = store.listSessions({ limit: sessions });
  if (length !== sessions) throw new Error(`${length} sessions instead of ${sessions}.`);
});
const pageMs = await measured(60, () => void store.listSessions({ limit: firstPage }));
const appendMs = await measureAppends(1000);
const { searchMs, mainBlockedMs, hits } = await measureSearches(200);
const backUps = await measureBackUp();
store.close();
const checkpointMs = await measureCheckpoints(7);
say(`${hits} hits in 200 searches`);

console.log(
  JSON.stringify({
    startMs: spread(startMs),
    openMs: spread(openMs),
    appendMs: spread(appendMs),
    listMs: spread(listMs),
    pageMs: spread(pageMs),
    searchMs: spread(searchMs),
    checkpointMs: spread(checkpointMs),
    mainBlockedMs,
    ...backUps,
    searchIndexMb: corpus.searchIndexMb,
    searchBuildSeconds: corpus.searchBuildSeconds,
    databaseMb: corpus.databaseMb,
    messages,
    sessions,
  }),
);

/** All of it backed up as the window does it, in the store's thread, and restored into an empty profile. */
async function measureBackUp() {
  const folder = await workFolder(cacheFolder());
  try {
    const file = join(folder, "bench.parley-back-up");
    const content = { settings: {}, withCheckpoints: false, madeBy: "bench", now: Date.now() };
    const place = { database: corpus.file, to: file, copy: store.copyContents };
    const delay = monitorEventLoopDelay({ resolution: 1 });
    delay.enable();
    const backUpSeconds = await secondsOf(() => backUp({ ...content, ...place }));
    delay.disable();
    const restoreSeconds = await secondsOf(async () => {
      const restored = await restoreBackup(file, join(folder, "parley.db"));
      if (restored.messages !== messages) throw new Error(`${restored.messages} messages were restored.`);
    });
    const backUpMb = Math.round(statSync(file).size / 1e6);
    return { backUpSeconds, backUpBlockedMs: tenths(delay.max / 1e6), restoreSeconds, backUpMb };
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

async function secondsOf(work: () => Promise<unknown>): Promise<number> {
  const started = performance.now();
  await work();
  return tenths((performance.now() - started) / 1000);
}

function tenths(value: number): number {
  return Math.round(value * 10) / 10;
}

async function measured(rounds: number, work: () => void): Promise<number[]> {
  const figures: number[] = [];
  for (let round = 0; round < rounds; round++) {
    const started = performance.now();
    work();
    figures.push(performance.now() - started);
    await sleep(5);
  }
  return figures;
}

/** As in a conversation: one after the other with something in between, while the thread indexes them. */
async function measureAppends(count: number): Promise<number[]> {
  const id = "appended";
  store.deleteSession(id);
  store.saveConversation({ id, title: id, workingFolder: "/", model: "opus", createdAt: 1, updatedAt: 1 });
  let place = 0;
  const figures = await measured(count, () => store.appendMessage(id, messageOf(`${id}-${place}`, place++)));
  store.deleteSession(id);
  return figures;
}

function messageOf(id: string, place: number): Message {
  const isPrompt = place % 2 === 0;
  const text = `${rareWord()} ${commonWord()} `.repeat(isPrompt ? 20 : 60);
  return {
    id,
    role: isPrompt ? "user" : "assistant",
    origin: isPrompt ? "typed" : null,
    source: null,
    content: [{ type: "text", text }],
    createdAt: Date.now(),
  };
}

/** Half rare words, a quarter common ones, a quarter two words. The first search, which starts the thread, is not counted. */
async function measureSearches(count: number) {
  await store.search({ words: commonWord(), limit: 50 });
  const searchMs: number[] = [];
  let hits = 0;
  const delay = monitorEventLoopDelay({ resolution: 1 });
  delay.enable();
  for (let round = 0; round < count; round++) {
    const started = performance.now();
    const found = await store.search({ words: wordsOf(round), limit: 50 });
    searchMs.push(performance.now() - started);
    hits += found.length;
    await sleep(2);
  }
  delay.disable();
  return { searchMs, hits, mainBlockedMs: tenths(delay.max / 1e6) };
}

function wordsOf(round: number): string {
  if (round % 2 === 0) return rareWord();
  return round % 4 === 1 ? commonWord() : `${commonWord()} ${middlingWord()}`;
}

function argument(name: string, otherwise: number): number {
  const place = process.argv.indexOf(name);
  return place < 0 ? otherwise : Number(process.argv[place + 1]);
}

function fail(error: unknown): never {
  throw error;
}
