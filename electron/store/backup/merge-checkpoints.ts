import { isAbsolute, join, relative, sep } from "node:path";
import { z } from "zod";
import { decidesWhatRuns } from "../../../shared/safety/protected-files.ts";
import { isSecretPath } from "../../../shared/safety/secret-files.ts";
import type { Database } from "../database/database.ts";
import { asList, bytesOf, listIn, textColumn } from "../database/text-column.ts";
import { columnsOf } from "./kept-tables.ts";

const orderRows = z.array(z.object({ seq: z.number() }));

/** Takes over checkpoints that are not here, with what they hold, and puts all into the order in which they were made. */
export function mergeCheckpoints(database: Database): void {
  const ours = placesIn(database, "main");
  const known = new Set(ours.map(({ id }) => id));
  const wanted = `SELECT seq FROM theirs.checkpoints WHERE session_id IN (SELECT id FROM main.sessions)`;
  const ofSessions = new Set(orderRows.parse(database.prepare(wanted).all([])).map(({ seq }) => seq));
  const fresh = placesIn(database, "theirs").filter(({ id, seq }) => !known.has(id) && ofSessions.has(seq));
  database.exec(`UPDATE main.checkpoints SET is_taken_back = 1 WHERE id IN (
    SELECT id FROM theirs.checkpoints WHERE is_taken_back = 1)`);
  for (const table of ["file_blobs", "large_files"]) {
    const columns = columnsOf(database, table).join(", ");
    database.exec(`INSERT OR IGNORE INTO main.${table} (${columns}) SELECT ${columns} FROM theirs.${table}`);
  }
  if (fresh.length === 0) return;
  const columns = columnsOf(database, "checkpoints", ["seq"]).join(", ");
  const add = database.prepare(`INSERT INTO main.checkpoints (seq, ${columns})
    SELECT ?1, ${columns} FROM theirs.checkpoints WHERE seq = ?2`);
  const parts = ["checkpoint_files", "checkpoint_limits"].map((table) => {
    const names = columnsOf(database, table, ["checkpoint_seq"]).join(", ");
    return database.prepare(`INSERT INTO main.${table} (checkpoint_seq, ${names})
      SELECT ?1, ${names} FROM theirs.${table} WHERE checkpoint_seq = ?2`);
  });
  // What a rewind would write: in the conversation's own folder, which the user sees, and no file that decides what runs.
  const files = database.prepare(
    `SELECT ${bytesOf("folder")}, ${bytesOf("path")} FROM main.checkpoint_files WHERE checkpoint_seq = ?`,
  );
  const drop = database.prepare(
    "DELETE FROM main.checkpoint_files WHERE checkpoint_seq = ? AND folder = ? AND path = ?",
  );
  const folders = database.prepare(
    `SELECT ${bytesOf("s.working_folder", "own")} FROM main.checkpoints AS c
      JOIN main.sessions AS s ON s.id = c.session_id WHERE c.seq = ?`,
  );
  let last = ours.at(-1)?.seq ?? 0;
  const added: Place[] = [];
  for (const place of fresh) {
    const { seq } = place;
    last++;
    added.push({ ...place, seq: last });
    for (const statement of [add, ...parts]) statement.run([last, seq]);
    const [own = ""] = folderRows.parse(folders.all([last])).map((row) => row.own);
    for (const { folder, path } of fileRows.parse(files.all([last])))
      if (!mayComeBack(own, folder, path)) drop.run([last, folder, path]);
  }
  renumber(database, [...ours, ...added].sort(byPlace), last);
}

/**
 * Where a checkpoint stands among those of both sides: by the latest time until it, for a clock that was set back must not
 * change the order in which the checkpoints of one side were made.
 */
interface Place {
  seq: number;
  id: string;
  /** The last one up to it that was made at a later time than all before: its time, its id, and how many came since. */
  after: { at: number; id: string; count: number };
}

const checkpointsIn = listIn(z.tuple([z.number(), z.string(), z.number()]));

/** In their order. */
function placesIn(database: Database, schema: string): Place[] {
  const from = `SELECT seq, id, created_at FROM ${schema}.checkpoints ORDER BY seq`;
  const rows = checkpointsIn(database.prepare(asList("seq, id, created_at", from)).all([]));
  let after = { at: Number.NEGATIVE_INFINITY, id: "", count: 0 };
  return rows.map(([seq, id, at]) => {
    after = at > after.at ? { at, id, count: 0 } : { ...after, count: after.count + 1 };
    return { seq, id, after };
  });
}

function byPlace(one: Place, other: Place): number {
  const byId = (first: string, second: string) => (first < second ? -1 : Number(first > second));
  return (
    one.after.at - other.after.at ||
    byId(one.after.id, other.after.id) ||
    one.after.count - other.after.count ||
    byId(one.id, other.id)
  );
}

const folderRows = z.array(z.object({ own: textColumn }));
const fileRows = z.array(z.object({ folder: textColumn, path: textColumn }));

/** @param own folder of the conversation */
function mayComeBack(own: string, folder: string, path: string): boolean {
  const whole = join(folder, path);
  if (isAbsolute(path) || !isBelow(own, folder) || !isBelow(folder, whole)) return false;
  return !decidesWhatRuns(whole) && !isSecretPath(whole);
}

/** Or the same folder. */
function isBelow(above: string, path: string): boolean {
  const way = relative(above, path);
  return isAbsolute(above) && isAbsolute(path) && !isAbsolute(way) && way.split(sep)[0] !== "..";
}

/** Numbers stay free of each other while they change: each goes beyond the last one first. */
function renumber(database: Database, order: readonly { seq: number }[], last: number): void {
  const columns = [
    ["checkpoints", "seq"],
    ["checkpoint_files", "checkpoint_seq"],
    ["checkpoint_limits", "checkpoint_seq"],
    ["checkpoint_manifests", "checkpoint_seq"],
  ];
  const moves = columns.map(([table, column]) =>
    database.prepare(`UPDATE main.${table} SET ${column} = ?1 WHERE ${column} = ?2`),
  );
  const move = (to: number, from: number) => {
    for (const statement of moves) statement.run([to, from]);
  };
  for (const [place, { seq }] of order.entries()) move(last + place + 1, seq);
  for (const place of order.keys()) move(place + 1, last + place + 1);
}
