import { z } from "zod";
import type { Database } from "../database/database.ts";

/** Tables whose rows a back-up has, whole. */
export const backedUpTables = [
  "sessions",
  "messages",
  "blocks",
  "tool_calls",
  "inputs",
  "meeting_lines",
  "meeting_asks",
  "draft_files",
] as const;

/** Those that it has where checkpoints are wanted. */
export const checkpointTableNames = [
  "checkpoints",
  "checkpoint_files",
  "checkpoint_limits",
  "file_blobs",
  "large_files",
] as const;

/**
 * Those that it never has: what says how far work has come on this computer, what the user vouched for (in `events`), and
 * half a reply, which the running Parley goes on with.
 */
export const leftOutTables = [
  "schema_version",
  "events",
  "partials",
  "search_source",
  "to_index",
  "checkpoint_manifests",
  "file_blob_prunes",
  "large_file_stats",
  "content_seals",
] as const;

/** How much may run without asking is not handed on. */
const leftOutColumns: ReadonlySet<string> = new Set(["permission_mode"]);

const nameRows = z.array(z.object({ name: z.string() }));

/** What of a table is handed on, as SQL names it. @param except further ones that are not */
export function columnsOf(database: Database, table: string, except: readonly string[] = []): string[] {
  const rows = nameRows.parse(database.prepare("SELECT name FROM pragma_table_info(?)").all([table]));
  return rows.map(({ name }) => name).filter((name) => !leftOutColumns.has(name) && !except.includes(name));
}
