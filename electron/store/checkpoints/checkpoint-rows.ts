import { z } from "zod";
import { type CheckpointSummary, rewindPart } from "../../../shared/conversation/checkpoints.ts";
import { StoreError } from "../../agent/ports/ports.ts";
import type { Database } from "../database/database.ts";
import {
  asList,
  bytesOf,
  isWhole,
  readableIn,
  shownText,
  textColumn,
  wholeText,
} from "../database/text-column.ts";
import { isPromptRow } from "../messages/is-prompt.ts";

/** A row of `checkpoints`. `redo`: made by a redo, and so never what a later redo takes back. */
export interface Checkpoint extends Omit<CheckpointSummary, "kind" | "checkpointId"> {
  /** The order in which they were made. */
  seq: number;
  id: string;
  kind: "turn" | "manual" | "rewind" | "redo";
  /** Of a rewind: what it took back. */
  part: z.infer<typeof rewindPart>;
  /** Where the conversation's path ended when it was made; null: nowhere yet. */
  headMessageId: string | null;
  workingFolder: string;
}

export type NewCheckpoint = Pick<
  Checkpoint,
  "id" | "conversationId" | "messageId" | "kind" | "part" | "label" | "workingFolder" | "createdAt"
>;

const number = z.number();
const kind = z.enum(["turn", "manual", "rewind", "redo"]);
const row = z
  .tuple([
    number,
    wholeText,
    wholeText,
    // Of use to `headOf` alone, which looks whether they are whole.
    z.string().nullable(),
    z.string().nullable(),
    kind,
    rewindPart,
    shownText,
    shownText,
    number,
    number,
  ])
  .transform(([seq, id, conversationId, messageId, headMessageId, ...rest]): Checkpoint => {
    const [kind, part, label, workingFolder, createdAt, files] = rest;
    return {
      seq,
      id,
      conversationId,
      messageId,
      headMessageId,
      kind,
      part,
      label,
      workingFolder,
      createdAt,
      files,
    };
  });
const rowsIn = readableIn(row);
const idsIn = readableIn(z.tuple([wholeText]));
const headRows = z.array(z.object({ id: textColumn.nullable() }));
const countRows = z.array(z.object({ count: z.number() }));

const texts = "id, session_id, message_id, head_message_id, kind, part, label, working_folder";
const names = `seq, ${texts}, created_at, files`;
const columns = `seq, ${texts}, created_at,
  (SELECT count(*) FROM checkpoint_files WHERE checkpoint_seq = seq) AS files`;
/** What a command did that is not finished, or was cut off by a crash, is not known yet. */
const holdsFiles = `(EXISTS (SELECT 1 FROM checkpoint_files WHERE checkpoint_seq = seq)
  OR EXISTS (SELECT 1 FROM checkpoint_manifests WHERE checkpoint_seq = seq))`;
/** A turn whose commands changed nothing has nothing to go back to. */
const isWorthShowing = `(kind <> 'turn' OR ${holdsFiles})`;

/** The table `checkpoints`. All methods throw StoreError. */
export function checkpointRows(database: Database) {
  const insert = database.prepare(`
    INSERT INTO checkpoints (id, session_id, message_id, head_message_id, kind, part, label, working_folder, created_at)
    VALUES (?, ?, ?, (SELECT head_message_id FROM sessions WHERE id = ?), ?, ?, ?, ?, ?)`);
  const select = (rest: string) => {
    const statement = database.prepare(asList(names, `SELECT ${columns} FROM checkpoints ${rest}`));
    return (...values: (string | number)[]) => database.guard(() => rowsIn(statement.all(values)));
  };
  const byId = select("WHERE id = ?");
  const newest = select("WHERE session_id = ? ORDER BY seq DESC LIMIT 1");
  const shown = select(`WHERE session_id = ? AND ${isWorthShowing} ORDER BY seq DESC LIMIT ?`);
  const all = select("WHERE session_id = ? ORDER BY seq DESC");
  const lastRewind = select(
    "WHERE session_id = ? AND kind = 'rewind' AND is_taken_back = 0 ORDER BY seq DESC LIMIT 1",
  );
  const lastGoing = select("WHERE session_id = ? AND kind IN ('rewind', 'redo') ORDER BY seq DESC LIMIT 1");
  const cutOff = database.prepare(
    asList(
      "session_id",
      `SELECT session_id FROM checkpoints JOIN checkpoint_manifests ON checkpoint_seq = seq
       UNION SELECT session_id FROM checkpoints WHERE seq IN (SELECT max(seq) FROM checkpoints GROUP BY session_id)
         AND EXISTS (SELECT 1 FROM checkpoint_files WHERE checkpoint_seq = seq AND kind_after IS NULL)
       UNION SELECT session_id FROM checkpoints
         WHERE seq = (SELECT max(seq) FROM checkpoints) AND kind IN ('rewind', 'redo')`,
    ),
  );
  const takeBack = database.prepare("UPDATE checkpoints SET is_taken_back = 1 WHERE seq = ?");
  const firstOf = select(
    `WHERE session_id = ? AND message_id = ? AND kind = 'turn' AND ${isWorthShowing} ORDER BY seq LIMIT 1`,
  );
  const firstAfter = select(`
    WHERE session_id = ? AND ${holdsFiles}
      AND created_at >= (SELECT created_at FROM messages WHERE id = ?) ORDER BY seq LIMIT 1`);
  const parent = database.prepare(`SELECT ${bytesOf("parent_id", "id")} FROM messages WHERE id = ?`);
  const leaving = database.prepare(`
    WITH RECURSIVE
      now (id) AS (
        SELECT head_message_id FROM sessions WHERE id = ?
        UNION ALL SELECT parent_id FROM messages JOIN now USING (id) WHERE parent_id IS NOT NULL),
      goal (id) AS (
        SELECT ? UNION ALL SELECT parent_id FROM messages JOIN goal USING (id) WHERE parent_id IS NOT NULL)
    SELECT count(*) AS count FROM now JOIN messages USING (id)
    WHERE ${isPromptRow} AND id NOT IN (SELECT id FROM goal WHERE id IS NOT NULL)`);

  return {
    insert(made: NewCheckpoint): Checkpoint {
      const { id, conversationId, messageId, kind, part, label, workingFolder, createdAt } = made;
      insert.run([
        id,
        conversationId,
        messageId,
        conversationId,
        kind,
        part,
        label,
        workingFolder,
        createdAt,
      ]);
      const [kept] = byId(id);
      if (!kept) throw new Error(`Checkpoint ${id} was not kept.`);
      return kept;
    },
    byId: (id: string) => byId(id)[0],
    newest: (conversationId: string) => newest(conversationId)[0],
    /** Newest first, without turns that changed nothing. */
    list: (conversationId: string, limit: number) => shown(conversationId, limit),
    all: (conversationId: string) => all(conversationId),
    /** The rewind that a redo takes back. */
    lastRewind: (conversationId: string) => lastRewind(conversationId)[0],
    /** Conversations in which the death of the process may have cut off a call or a rewind. */
    cutOff: () => database.guard(() => idsIn(cutOff.all([])).map(([id]) => id)),
    /** The rewind or redo that was made last. */
    lastGoing: (conversationId: string) => lastGoing(conversationId)[0],
    takeBack: (seq: number) => takeBack.run([seq]),
    /** The first one of the turn of this prompt, or the first that holds files after it. */
    atMessage: (conversationId: string, messageId: string) =>
      firstOf(conversationId, messageId)[0] ?? firstAfter(conversationId, messageId)[0],
    /** Where the conversation's path ended before its turn, or when it was made by hand or by a rewind. */
    headOf({ kind, messageId, headMessageId }: Checkpoint): string | null {
      const isOfTurn = kind === "turn" && messageId !== null;
      if (!isWhole((isOfTurn ? messageId : headMessageId) ?? "")) throw headIsDamaged(database.file);
      if (!isOfTurn) return headMessageId;
      return database.guard(() => headRows.parse(parent.all([messageId]))[0]?.id ?? null);
    },
    /** How many prompts of the shown path are not on the one that ends with `headMessageId`. */
    promptsLeaving: (conversationId: string, headMessageId: string | null) =>
      countRows.parse(leaving.all([conversationId, headMessageId]))[0]?.count ?? 0,
  };
}

const headIsDamaged = (file: string) =>
  new StoreError(
    "corrupt",
    `Where the conversation stood at this checkpoint is damaged in ${file}.`,
    "Rewind its files alone, or to another checkpoint.",
  );

export type CheckpointRows = ReturnType<typeof checkpointRows>;

export function summaryOf(checkpoint: Checkpoint): CheckpointSummary {
  const { id, conversationId, messageId, kind, label, createdAt, files } = checkpoint;
  return {
    checkpointId: id,
    conversationId,
    messageId,
    kind: kind === "redo" ? "rewind" : kind,
    label,
    createdAt,
    files,
  };
}
