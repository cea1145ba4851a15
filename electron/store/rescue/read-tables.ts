import { z } from "zod";
import { attachment } from "../../../shared/conversation/attachments.ts";
import { queuedInput } from "../../../shared/conversation/events.ts";
import { contentBlock, message } from "../../../shared/conversation/messages.ts";
import { backedUpTables, checkpointTableNames } from "../backup/kept-tables.ts";
import type { Database, SqlValue } from "../database/database.ts";
import type { BtreePage, Cell, DamagedFile } from "./damaged-file.ts";

/** A table to be filled again. */
export interface Table {
  name: string;
  columns: readonly { name: string; type: string; mayBeNull: boolean; mayBeAbsent: boolean }[];
  /** It has no row ids: SQLite keeps it as it keeps an index. */
  isOfIndex: boolean;
  /** Which column the row id is, in whose place a row has nothing; -1: none. */
  rowidAt: number;
}

/** `sessions` first: what is theirs comes after them. */
const tableNames = [
  ...backedUpTables,
  ...checkpointTableNames,
  ...["checkpoint_manifests", "large_file_stats", "content_seals", "partials", "events"],
];

const columnRows = z.array(
  z.object({
    name: z.string(),
    type: z.string(),
    required: z.number(),
    by_default: z.string().nullable(),
    pk: z.number(),
  }),
);

/** @param database with all its tables */
export function tablesOf(database: Database): Table[] {
  const select = database.prepare(
    `SELECT name, type, "notnull" AS required, dflt_value AS by_default, pk FROM pragma_table_info(?)`,
  );
  const selectKind = database.prepare(
    "SELECT 1 FROM sqlite_master WHERE name = ? AND sql LIKE '%WITHOUT ROWID%'",
  );
  return tableNames.map((name) => {
    const rows = columnRows.parse(select.all([name]));
    const isOfIndex = selectKind.all([name]).length > 0;
    const keys = rows.filter(({ pk }) => pk > 0);
    const isRowid = !isOfIndex && keys.length === 1 && keys[0]?.type === "INTEGER";
    const rowidAt = isRowid ? rows.findIndex(({ pk }) => pk > 0) : -1;
    const columns = rows.map((row, at) => ({
      name: row.name,
      type: row.type,
      mayBeNull: row.required === 0 || at === rowidAt,
      // A row is as long as the table was when it was written.
      mayBeAbsent: row.required === 0 || row.by_default !== null,
    }));
    return { name, columns, isOfIndex, rowidAt };
  });
}

const schemaRow = z.tuple([
  z.enum(["table", "index", "trigger", "view"]),
  z.string(),
  z.string(),
  z.number(),
  z.string().nullable(),
]);

/**
 * The first page of each table and index, by name. They are looked for everywhere where the list of them is damaged.
 * @param onLost as of `pagesBelow`
 */
export function rootsIn(file: DamagedFile, onLost: (page: number) => void): Map<string, number> {
  const roots = new Map<string, number>();
  const note = ({ cells }: BtreePage) => {
    for (const { values } of cells) {
      const { data } = schemaRow.safeParse(values);
      if (data && data[3] > 0 && !roots.has(data[1])) roots.set(data[1], data[3]);
    }
  };
  let isWhole = true;
  const below = pagesBelow(file, { root: 1, isOfIndex: false, seen: new Set() }, (page) => {
    isWhole = false;
    onLost(page);
  });
  for (const page of below) note(page);
  for (let number = 2; !isWhole && number <= file.pages; number++) {
    const page = file.free?.has(number) ? null : file.btreePage(number);
    if (page && !page.isOfIndex) note(page);
  }
  return roots;
}

interface Tree {
  root: number;
  isOfIndex: boolean;
  /** Pages that some tree has: none has two places. */
  seen: Set<number>;
}

/** @param onLost gets the number of a page that cannot be read, or not all of it, or that is met a second time */
export function* pagesBelow(
  file: DamagedFile,
  { root, isOfIndex, seen }: Tree,
  onLost: (page: number) => void,
): Generator<BtreePage & { number: number }> {
  const left = [root];
  for (let number = left.pop(); number !== undefined; number = left.pop()) {
    // Whoever leads there again once led to another page, which is still to be found.
    const page = seen.has(number) ? null : file.btreePage(number);
    if (page?.isOfIndex !== isOfIndex) {
      onLost(number);
      continue;
    }
    seen.add(number);
    if (!page.isWhole) onLost(number);
    left.push(...page.children.reverse());
    yield { ...page, number };
  }
}

/** @returns null: it is no row of this table, or cannot be read as Parley reads it */
export function rowOf(table: Table, { rowid, values }: Cell): SqlValue[] | null {
  const { name, columns, rowidAt } = table;
  if (values.length > columns.length) return null;
  const fits = columns.every(({ type, mayBeNull, mayBeAbsent }, at) => {
    const value = values[at];
    if (value === undefined) return mayBeAbsent;
    return value === null ? mayBeNull : isOfType(value, type);
  });
  if (!fits || !(isReadable[name]?.(values) ?? true)) return null;
  return values.map((value, at) => (at === rowidAt ? (value ?? rowid) : value));
}

function isOfType(value: string | number | Uint8Array, type: string): boolean {
  if (type === "INTEGER") return typeof value === "number";
  // A text with a NUL is kept as bytes.
  return type === "TEXT" ? typeof value !== "number" : value instanceof Uint8Array;
}

/** What went on on a page that is damaged may be of another length, or somebody else's. */
const isReadable: Record<string, (values: readonly SqlValue[]) => boolean> = {
  messages: ([, , , , role]) => role === "user" || role === "assistant",
  blocks: ([, , , json]) => isJson(json, contentBlock),
  tool_calls: ([, , , , input]) => isJson(input, z.unknown()),
  inputs: ([, , , json]) => isJson(json, queuedInput),
  partials: ([, , json]) => isJson(json, message),
  draft_files: ([, json]) => isJson(json, attachment),
};

function isJson(text: SqlValue | undefined, shape: z.ZodType): boolean {
  try {
    return typeof text === "string" && shape.safeParse(JSON.parse(text)).success;
  } catch {
    return false;
  }
}
