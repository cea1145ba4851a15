import { statSync } from "node:fs";
import { z } from "zod";
import { promptOrigin } from "../../../shared/conversation/messages.ts";
import type { Database, SqlStatement, SqlValue } from "../database/database.ts";
import { asList, readableIn, toTextColumn, wholeText } from "../database/text-column.ts";
import type { JobContext } from "../jobs/job.ts";
import { inShortSteps } from "../jobs/short-steps.ts";
import { DamagedFile } from "./damaged-file.ts";
import {
  type LostMessage,
  type LostSession,
  mendPath,
  rebuildMessage,
  rebuildSession,
  removeStrays,
} from "./mend-rows.ts";
import { pagesBelow, rootsIn, rowOf, type Table, tablesOf } from "./read-tables.ts";

/** What a rescue came to. */
export const rescued = z.object({
  /** The user's own, and messages: what is there again. */
  conversations: z.number(),
  messages: z.number(),
  /** Of conversations that are there again, with their first words for a title. */
  lostTitles: z.number(),
  lostConversations: z.number(),
  lostMessages: z.number(),
  /** Messages that are there without their words. */
  lostTexts: z.number(),
  /** Pages that could not be read, or not all of them. */
  lostPages: z.number(),
});
export type Rescued = z.infer<typeof rescued>;

interface RescueOptions {
  /** The damaged database. Its time of change is when the new one took its place. */
  from: string;
  /** The new one; no other job has this connection. */
  into: Database;
  /** Of a conversation that is not known any more where it worked. */
  workingFolder: string;
  /** An earlier one comes after it, with the conversations whose messages came into this one before them. */
  hasEarlier?: boolean;
}

/** Rows that are written at once. */
const batch = 500;

const idsIn = readableIn(z.tuple([wholeText]));

/**
 * Takes what can be read of a damaged database into a new one that the main process works with already. Until the end a
 * conversation is not there; then it is whole, but for what was lost. Those that are open are there before this, and go
 * on after what is taken over of them. What was cut off is begun again: each row is taken once.
 */
export async function rescue(
  context: JobContext,
  { from, into, workingFolder, hasEarlier = false }: RescueOptions,
): Promise<Rescued> {
  const file = new DamagedFile(from);
  // What belongs together comes one after the other, and strays go at the end.
  into.exec("PRAGMA foreign_keys = OFF");
  try {
    const rows = new Rows({ ...context, database: () => into });
    const lostPages = await readAll(file, tablesOf(into), rows);
    return { ...rows.finish({ workingFolder, movedAt: statSync(from).mtimeMs, hasEarlier }), lostPages };
  } finally {
    file.close();
  }
}

/** @returns how many pages could not be read */
async function readAll(file: DamagedFile, tables: readonly Table[], rows: Rows): Promise<number> {
  const lost = new Set<number>();
  const roots = rootsIn(file, (page) => lost.add(page));
  const seen = new Set<number>();
  const hurt: Table[] = [];
  for (const table of tables) {
    const root = roots.get(table.name);
    let isHurt = root === undefined;
    const onLost = (page: number) => {
      isHurt = true;
      lost.add(page);
    };
    const { isOfIndex } = table;
    const foreign: number[] = [];
    const below = root === undefined ? [] : pagesBelow(file, { root, isOfIndex, seen }, onLost);
    for (const { number, cells } of below) {
      let fits = cells.length === 0;
      for (const cell of cells) {
        const row = rowOf(table, cell);
        if (row) rows.add(table, row);
        else isHurt = true;
        fits ||= row !== null;
      }
      if (!fits) foreign.push(number);
      await rows.flush(batch);
    }
    await rows.flush(1);
    // A damaged page may lead to those of another table, which takes them yet.
    for (const number of foreign) {
      seen.delete(number);
      lost.add(number);
    }
    if (isHurt) hurt.push(table);
  }
  rows.hurt = new Set(hurt.map(({ name }) => name));
  for (const [name, root] of roots) {
    const isOfIndex = file.btreePage(root)?.isOfIndex;
    if (isOfIndex === undefined || tables.some((table) => table.name === name)) continue;
    for (const { cells } of pagesBelow(file, { root, isOfIndex, seen }, () => {})) {
      for (const { values } of cells) rows.addKnown(name, values);
    }
  }
  await readOrphans(file, hurt, seen, rows);
  await rows.flush(1);
  return lost.size;
}

/**
 * What is below a page that was lost. Pages that hold nothing any more look the same: what is told apart by nothing else is
 * taken only where it belongs to what is known.
 */
async function readOrphans(
  file: DamagedFile,
  hurt: readonly Table[],
  seen: ReadonlySet<number>,
  rows: Rows,
): Promise<void> {
  const isSessions = ({ name }: Table) => name === "sessions";
  const some = file.free ? hurt.filter(isSessions) : [];
  for (const wanted of [some, hurt.filter((table) => !isSessions(table))]) {
    if (wanted.length === 0) continue;
    for (let number = 2; number <= file.pages; number++) {
      const page = seen.has(number) || file.free?.has(number) ? null : file.btreePage(number);
      for (const cell of page?.cells ?? []) {
        for (const table of wanted) {
          const row = table.isOfIndex === page?.isOfIndex ? rowOf(table, cell) : null;
          if (row && rows.belongs(table, row)) rows.add(table, row);
          else if (row && file.free) rows.addStray(table, row);
        }
      }
      await rows.flush(batch);
    }
  }
}

interface Node extends LostMessage {
  model: string | null;
}

/** Of a message whose parent is not known any more. */
const noParent = "";

/** Whose message it is that has such a block; other blocks can be both's. */
const roleOfBlock: Readonly<Record<string, "user" | "assistant">> = {
  tool_result: "user",
  tool_use: "assistant",
  thinking: "assistant",
  redacted_thinking: "assistant",
};

/** Where a row says which conversation it is of. */
const sessionAt: Readonly<Record<string, number>> = {
  messages: 1,
  tool_calls: 0,
  inputs: 2,
  meeting_lines: 2,
  checkpoints: 2,
  partials: 0,
  events: 1,
};

/** Of a row of `sessions`. */
const [headAt, parentAt, deletedAt] = [6, 7, 14];

interface Finish {
  workingFolder: string;
  movedAt: number;
  hasEarlier: boolean;
}

/** What was read: written a batch at a time, and the conversations last. */
class Rows {
  /** Tables of which something was lost. */
  hurt: ReadonlySet<string> = new Set();
  readonly #context: JobContext;
  readonly #into: Database;
  /** Conversations that the main process has open: it knows better what waits there. */
  readonly #open: Set<string>;
  readonly #sessions = new Map<string, { table: Table; row: SqlValue[] }>();
  readonly #nodes = new Map<string, Node>();
  /** Messages with words, by id: whose they are, as far as these tell. */
  readonly #withText = new Map<string, "user" | "assistant" | null>();
  /** What indexes still have. */
  readonly #knownSessions = new Set<string>();
  readonly #knownMessages = new Map<string, { sessionId: string; position: number }>();
  /** Messages of which there are words, but not whose they were. */
  readonly #strays = new Set<string>();
  readonly #statements = new Map<string, SqlStatement>();
  #waiting: { table: Table; row: SqlValue[] }[] = [];

  constructor(context: JobContext) {
    this.#context = context;
    this.#into = context.database();
    const select = this.#into.prepare(asList("id", "SELECT id FROM sessions"));
    this.#open = new Set(idsIn(select.all([])).flat());
  }

  add(table: Table, row: SqlValue[]): void {
    const { name } = table;
    const [first, second] = [String(row[0]), String(row[1])];
    if (name === "sessions") {
      if (!this.#sessions.has(first)) this.#sessions.set(first, { table, row });
      // A sub-agent may be at work.
      if (!this.#open.has(String(row[parentAt]))) return;
      this.#open.add(first);
      this.#waiting.push({ table, row });
      return;
    }
    const isOpen = this.#open.has(String(row[sessionAt[name] ?? -1]));
    if (isOpen && (name === "inputs" || name === "partials")) return;
    if (name === "messages" && !this.#nodes.has(first)) {
      this.#nodes.set(first, {
        id: first,
        sessionId: second,
        parentId: textOrNull(row[2]),
        position: Number(row[3]),
        role: String(row[4]),
        origin: textOrNull(row[5]),
        createdAt: Number(row[7]),
        model: textOrNull(row[9]),
      });
    }
    if (name === "blocks") {
      this.#withText.set(first, roleOfBlock[String(row[2])] ?? this.#withText.get(first) ?? null);
    }
    this.#waiting.push({ table, row });
  }

  /** An entry of an index: what it names was there. */
  addKnown(index: string, values: readonly SqlValue[]): void {
    const [sessionId, position, id] = values;
    if (index === "messages_in_order")
      this.#knownMessages.set(String(id), { sessionId: String(sessionId), position: Number(position) });
    if (index === "sqlite_autoindex_sessions_1") this.#knownSessions.add(String(values[0]));
  }

  /** A row of what is not there any more. */
  addStray({ name }: Table, row: readonly SqlValue[]): void {
    if (name === "blocks") this.#strays.add(String(row[0]));
  }

  belongs({ name }: Table, row: readonly SqlValue[]): boolean {
    if (name === "blocks") return this.#nodes.has(String(row[0]));
    const at = sessionAt[name];
    return at === undefined || this.#isSession(String(row[at]));
  }

  /** Writes what waits, where that is so many. */
  async flush(atLeast: number): Promise<void> {
    if (this.#waiting.length < atLeast) return;
    const rows = this.#waiting;
    this.#waiting = [];
    await inShortSteps(this.#context, rows, ({ table, row }) => this.#insert(table, row));
  }

  /** Mends what hangs together, and shows it. @param movedAt when the new database took the place of the damaged one */
  finish({ workingFolder, movedAt, hasEarlier }: Finish): Omit<Rescued, "lostPages"> {
    const rebuilt = this.hurt.has("messages") ? this.#lostMessages() : [];
    for (const message of rebuilt) this.#nodes.set(message.id, { ...message, model: null });
    const lost = hasEarlier ? [] : this.#lostSessions();
    const into = this.#into;
    into.transaction(() => {
      for (const { table, row } of this.#sessions.values()) this.#insert(table, row);
      for (const session of lost) rebuildSession(into, session, workingFolder);
      for (const message of rebuilt) rebuildMessage(into, message);
      removeStrays(into);
      for (const id of this.#brokenPaths()) {
        const head = textOrNull(this.#sessions.get(id)?.row[headAt]);
        mendPath(into, id, { head, newSince: this.#open.has(id) ? movedAt : null });
      }
      // What was read into the search index meanwhile is not all of it: it is made anew.
      into.exec("UPDATE search_source SET id = lower(hex(randomblob(16)))");
    });
    const there = new Set([...this.#sessions.keys(), ...lost.map(({ id }) => id), ...this.#open]);
    const nodes = [...this.#nodes.values()];
    const messages = nodes.filter(({ sessionId }) => there.has(sessionId));
    const known = [...this.#knownSessions, ...nodes.map(({ sessionId }) => sessionId)];
    const own = [...this.#sessions.values()].filter(
      ({ row }) => isNull(row[parentAt]) && isNull(row[deletedAt]),
    );
    const knownMessages = new Set([...this.#knownMessages.keys(), ...this.#withText.keys(), ...this.#strays]);
    return {
      conversations: own.length + lost.length,
      messages: messages.length,
      lostTitles: lost.length,
      lostConversations: new Set(known.filter((id) => !there.has(id))).size,
      lostMessages: this.hurt.has("messages")
        ? [...knownMessages].filter((id) => !this.#nodes.has(id)).length
        : 0,
      lostTexts: this.hurt.has("blocks") ? messages.filter(({ id }) => !this.#withText.has(id)).length : 0,
    };
  }

  #isSession(id: string): boolean {
    return this.#sessions.has(id) || this.#open.has(id);
  }

  /** Those whose place and words are there. Where the words do not tell whose they are, the next message does: they alternate. */
  #lostMessages(): LostMessage[] {
    const lost = [...this.#knownMessages].filter(([id]) => this.#withText.has(id) && !this.#nodes.has(id));
    const near = new Map<string, Node[]>(lost.map(([, { sessionId }]) => [sessionId, []]));
    for (const node of this.#nodes.values()) near.get(node.sessionId)?.push(node);
    return lost.map(([id, { sessionId, position }]) => {
      const distance = (node: Node) => Math.abs(node.position - position);
      const [first, ...others] = near.get(sessionId) ?? [];
      const next = first && others.reduce((a, b) => (distance(b) < distance(a) ? b : a), first);
      const { role: nextRole, createdAt } = next ?? { role: "user", createdAt: 0 };
      const isSame = (next ? distance(next) : position) % 2 === 0;
      const told = this.#withText.get(id);
      const role = told ?? (isSame === (nextRole === "user") ? "user" : "assistant");
      const origin = role === "assistant" ? null : told ? "tool" : "typed";
      return { id, sessionId, parentId: noParent, position, role, origin, createdAt };
    });
  }

  /** Those whose messages are there. A sub-agent's first message is no prompt: whose it was is not known any more. */
  #lostSessions(): LostSession[] {
    const found = new Map<string, Node[]>();
    for (const node of this.#nodes.values()) {
      if (this.#isSession(node.sessionId)) continue;
      const others = found.get(node.sessionId);
      if (others) others.push(node);
      else found.set(node.sessionId, [node]);
    }
    return [...found].flatMap(([id, nodes]) => {
      nodes.sort((a, b) => a.createdAt - b.createdAt);
      const prompt = nodes.find(({ origin }) => promptOrigin.safeParse(origin).success);
      const last = nodes.at(-1);
      if (!prompt || !last) return [];
      const model = nodes.findLast((node) => node.model !== null)?.model ?? "";
      return [{ id, promptId: prompt.id, model, createdAt: prompt.createdAt, updatedAt: last.createdAt }];
    });
  }

  /** Conversations whose path leads to what is not there. */
  #brokenPaths(): Set<string> {
    const broken = new Set(this.#open);
    const isLost = (id: string | null) => id !== null && !this.#nodes.has(id);
    for (const { sessionId, parentId } of this.#nodes.values()) {
      if (isLost(parentId) || !this.#sessions.has(sessionId)) broken.add(sessionId);
    }
    for (const [id, { row }] of this.#sessions) if (isLost(textOrNull(row[headAt]))) broken.add(id);
    return broken;
  }

  #insert({ name, columns }: Table, row: readonly SqlValue[]): void {
    const key = `${name} ${row.length}`;
    let insert = this.#statements.get(key);
    if (!insert) {
      const names = columns.slice(0, row.length).map((column) => column.name);
      // How far contents are sealed is said in every database.
      const or = name === "content_seals" ? "REPLACE" : "IGNORE";
      insert = this.#into.prepare(
        `INSERT OR ${or} INTO ${name} (${names.join(", ")}) VALUES (${names.map(() => "?").join(", ")})`,
      );
      this.#statements.set(key, insert);
    }
    insert.run(row.map((value) => (typeof value === "string" ? toTextColumn(value) : value)));
  }
}

const textOrNull = (value: SqlValue | undefined): string | null => (typeof value === "string" ? value : null);
const isNull = (value: SqlValue | undefined) => value === null || value === undefined;
