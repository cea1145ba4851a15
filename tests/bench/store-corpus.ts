import { existsSync, mkdirSync, renameSync, rmSync, statSync } from "node:fs";
import { join } from "node:path";
import { openDatabase } from "../../electron/store/database/open-database.ts";
import { indexJob } from "../../electron/store/jobs/index-texts.ts";
import { StoreThread } from "../../electron/store/thread/store-thread.ts";

/** The session of 10,000 messages among the many. */
export const longSession = "long";
const longSessionMessages = 10_000;
/** How many conversations a corpus has unless it is told. */
export const usualSessions = 5000;
const vocabularySize = 200_000;

export interface Corpus {
  file: string;
  searchIndexMb: number;
  /** Seconds to read all texts into the index, when it was built. */
  searchBuildSeconds: number | null;
  databaseMb: number;
}

/**
 * A database of `messages` messages in so many sessions and its search index, built once and kept in `folder`. Words are
 * spread as in a language: the n-th most common one is about 1/n as common as the first.
 */
export async function corpusOf(
  folder: string,
  messages: number,
  sessions: number,
  say: (line: string) => void,
): Promise<Corpus> {
  const kept = join(folder, `store-${messages}${sessions === usualSessions ? "" : `-in-${sessions}`}`);
  const file = join(kept, "parley.db");
  let searchBuildSeconds: number | null = null;
  if (!existsSync(kept)) {
    const building = `${kept}.unfinished`;
    rmSync(building, { recursive: true, force: true });
    mkdirSync(building, { recursive: true });
    const unfinished = join(building, "parley.db");
    say(`building a database of ${messages} messages in ${sessions} sessions, once`);
    fill(unfinished, messages, sessions);
    say("reading it into the search index, once");
    const started = performance.now();
    const thread = new StoreThread(unfinished, threadSource);
    await thread.run(indexJob, null);
    searchBuildSeconds = Math.round((performance.now() - started) / 100) / 10;
    thread.close();
    renameSync(building, kept);
  }
  const megabytes = (path: string) => Math.round(statSync(path).size / 1e6);
  return {
    file,
    searchIndexMb: megabytes(`${file}.search`),
    searchBuildSeconds,
    databaseMb: megabytes(file),
  };
}

const threadSource = join(import.meta.dirname, "../../electron/store/thread/store-worker-source.mjs");

function fill(file: string, messages: number, sessionCount: number): void {
  const database = openDatabase(file);
  database.exec("PRAGMA synchronous = OFF");
  const insertSession = database.prepare(`
    INSERT INTO sessions (id, title, model, working_folder, created_at, updated_at, head_message_id)
    VALUES (?, ?, 'opus', '/home/somebody/Parley', ?, ?, ?)`);
  const insertMessage = database.prepare(`
    INSERT INTO messages (id, session_id, parent_id, position, role, origin, created_at)
    VALUES (?, ?, ?, ?, ?, ?, ?)`);
  const insertBlock = database.prepare("INSERT INTO blocks VALUES (?, 0, 'text', ?)");
  const others = Math.max(1, Math.ceil((messages - longSessionMessages) / (sessionCount - 1)));
  let made = 0;
  for (let session = 0; session < sessionCount; session++) {
    const isLong = session === Math.floor(sessionCount / 2);
    const id = isLong ? longSession : `session-${session}`;
    const count = isLong ? longSessionMessages : Math.min(others, Math.max(0, messages - made));
    database.transaction(() => {
      insertSession.run([id, sentence(6), made, made + count, count > 0 ? `${id}-${count - 1}` : null]);
      for (let place = 0; place < count; place++, made++) {
        const parent = place === 0 ? null : `${id}-${place - 1}`;
        const isPrompt = place % 2 === 0;
        const values = [isPrompt ? "user" : "assistant", isPrompt ? "typed" : null];
        insertMessage.run([`${id}-${place}`, id, parent, place, ...values, made]);
        // Replies are longer than prompts.
        const text = sentence(isPrompt ? 5 + below(20) : 10 + below(70));
        insertBlock.run([`${id}-${place}`, JSON.stringify({ type: "text", text })]);
      }
    });
  }
  database.close();
}

const syllables =
  "ba be bi bo bu da de di do du fa fe fi fo ga ge gi go ka ke ki ko la le li lo ma me mi mo".split(" ");

/** The word of a rank, from 0: the most common ones are the shortest. */
export function wordOf(rank: number): string {
  let word = "";
  for (let rest = rank + 1; rest > 0; rest = Math.floor(rest / syllables.length)) {
    word += syllables[rest % syllables.length];
  }
  return `${word}n`;
}

let seed = 20_261_122;

/** A whole number from 0 to `limit` - 1; the same ones in every run (mulberry32). */
export function below(limit: number): number {
  seed = (seed + 0x6d2b79f5) | 0;
  let mixed = Math.imul(seed ^ (seed >>> 15), 1 | seed);
  mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
  return Math.floor((((mixed ^ (mixed >>> 14)) >>> 0) / 4294967296) * limit);
}

function sentence(words: number): string {
  const said = Array.from({ length: words }, () => {
    const rank = Math.floor(vocabularySize ** (below(1_000_000) / 1_000_000)) - 1;
    return wordOf(rank);
  });
  return said.join(" ");
}

/** A word that stands in a handful of texts. */
export const rareWord = () => wordOf(50_000 + below(vocabularySize - 50_000));
/** One of the fifty words that stand in most texts. */
export const commonWord = () => wordOf(below(50));
/** A word that stands in some of them. */
export const middlingWord = () => wordOf(50 + below(3000));
