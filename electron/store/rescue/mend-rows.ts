import { z } from "zod";
import type { Database } from "../database/database.ts";
import { asList, bytesOf, listIn, readableIn, shownText } from "../database/text-column.ts";

/** A message of which only its place and its words are left. */
export interface LostMessage {
  id: string;
  sessionId: string;
  parentId: string | null;
  position: number;
  role: string;
  origin: string | null;
  createdAt: number;
}

/** A conversation of which only messages are left. */
export interface LostSession {
  id: string;
  /** Its first prompt. */
  promptId: string;
  model: string;
  createdAt: number;
  updatedAt: number;
}

const textsIn = readableIn(z.tuple([shownText]));
const headRows = z.array(z.object({ head: z.instanceof(ArrayBuffer).nullable() }));
const nodesIn = listIn(
  z
    .tuple([z.string(), z.string().nullable(), z.number(), z.number()])
    .transform(([id, parentId, position, createdAt]) => ({ id, parentId, position, createdAt })),
);
type Node = ReturnType<typeof nodesIn>[number];

const titleChars = 48;

/** Makes its row anew, with the first words for a title. Its head comes with its path. */
export function rebuildSession(
  database: Database,
  { id, promptId, model, createdAt, updatedAt }: LostSession,
  workingFolder: string,
): void {
  const select = database.prepare(
    asList(
      "text",
      `SELECT json ->> 'text' AS text FROM blocks
       WHERE message_id = ? AND type = 'text' AND json_valid(json) AND json ->> 'text' <> '' ORDER BY seq LIMIT 1`,
    ),
  );
  const [[text] = [""]] = textsIn(select.all([promptId]));
  const [line = ""] = text.trim().split("\n");
  const title = [...line].slice(0, titleChars).join("");
  database
    .prepare(
      `INSERT INTO sessions (id, title, model, working_folder, created_at, updated_at) VALUES (?, ?, ?, ?, ?, ?)`,
    )
    .run([id, title, model, workingFolder, createdAt, updatedAt]);
}

/** Makes its row anew; its parent comes with its path. */
export function rebuildMessage(
  database: Database,
  { id, sessionId, parentId, position, role, origin, createdAt }: LostMessage,
): void {
  database
    .prepare(
      `INSERT OR IGNORE INTO messages (id, session_id, parent_id, position, role, origin, created_at)
       VALUES (?, ?, ?, ?, ?, ?, ?)`,
    )
    .run([id, sessionId, parentId, position, role, origin, createdAt]);
}

const notIn = (column: string, table: string, key = "id") => `${column} NOT IN (SELECT ${key} FROM ${table})`;

/** What belongs to what was lost. */
export function removeStrays(database: Database): void {
  const orphan = database.prepare(
    `DELETE FROM sessions WHERE parent_session_id IS NOT NULL AND ${notIn("parent_session_id", "sessions")}`,
  );
  while (orphan.run([]) > 0);
  for (const [table, stray] of [
    ["messages", notIn("session_id", "sessions")],
    ["blocks", notIn("message_id", "messages")],
    ["tool_calls", `${notIn("session_id", "sessions")} OR ${notIn("message_id", "messages")}`],
    ["inputs", notIn("session_id", "sessions")],
    ["partials", notIn("session_id", "sessions")],
    ["events", notIn("session_id", "sessions")],
    ["meeting_lines", notIn("session_id", "sessions")],
    ["meeting_asks", notIn("line_seq", "meeting_lines", "seq")],
    ["checkpoints", notIn("session_id", "sessions")],
    ["checkpoint_files", notIn("checkpoint_seq", "checkpoints", "seq")],
    ["checkpoint_limits", notIn("checkpoint_seq", "checkpoints", "seq")],
    ["checkpoint_manifests", notIn("checkpoint_seq", "checkpoints", "seq")],
    ["large_file_stats", notIn("hash", "large_files", "hash")],
  ] as const) {
    database.exec(`DELETE FROM ${table} WHERE ${stray}`);
  }
}

interface PathOptions {
  /** Where the path ended. */
  head: string | null;
  /** The conversation went on since then, before what it had was there. */
  newSince: number | null;
}

/** A message whose parent was lost goes on after the one before, and a path without its end ends at the newest. */
export function mendPath(database: Database, sessionId: string, { head, newSince }: PathOptions): void {
  const select = database.prepare(
    asList(
      "id, parent_id, position, created_at",
      "SELECT * FROM messages WHERE session_id = ? ORDER BY created_at, position",
    ),
  );
  const nodes = nodesIn(select.all([sessionId]));
  const known = new Map(nodes.map((node) => [node.id, node]));
  const parents = new Map(nodes.map((node) => [node.id, node.parentId]));
  const isNew = ({ createdAt }: Node) => newSince !== null && createdAt >= newSince;
  const newestOf = (some: readonly Node[]) => some.at(-1)?.id ?? null;
  const oldEnd = head !== null && known.has(head) ? head : newestOf(nodes.filter((node) => !isNew(node)));
  for (const [at, node] of nodes.entries()) {
    const { id, parentId, position } = node;
    if (parentId === null && isNew(node)) parents.set(id, oldEnd);
    if (parentId === null || known.has(parentId)) continue;
    parents.set(id, newestOf(nodes.slice(0, at).filter((other) => other.position < position)));
  }
  const change = database.prepare("UPDATE messages SET parent_id = ?, position = ? WHERE id = ?");
  for (const [id, place] of placesOf(parents)) {
    const parent = parents.get(id) ?? null;
    const node = known.get(id);
    if (node?.position !== place || node.parentId !== parent) change.run([parent, place, id]);
  }
  const selectHead = database.prepare(
    `SELECT ${bytesOf("head_message_id", "head")} FROM sessions WHERE id = ?`,
  );
  const bytes = headRows.parse(selectHead.all([sessionId]))[0]?.head ?? null;
  const current = bytes && Buffer.from(bytes).toString("utf8");
  if (current !== null && known.has(current)) return;
  database.prepare("UPDATE sessions SET head_message_id = ? WHERE id = ?").run([oldEnd, sessionId]);
}

/** How far each is from the first. */
function placesOf(parents: ReadonlyMap<string, string | null>): Map<string, number> {
  const children = new Map<string | null, string[]>();
  for (const [id, parent] of parents) {
    const others = children.get(parent);
    if (others) others.push(id);
    else children.set(parent, [id]);
  }
  const places = new Map<string, number>();
  let level = children.get(null) ?? [];
  for (let place = 0; level.length > 0; place++) {
    for (const id of level) places.set(id, place);
    level = level.flatMap((id) => children.get(id) ?? []);
  }
  return places;
}
