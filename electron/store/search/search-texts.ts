import { z } from "zod";
import { textBlock } from "../../../shared/conversation/messages.ts";
import type { Database } from "../database/database.ts";
import { bytesOf, textColumn } from "../database/text-column.ts";

const blockRows = z.array(z.object({ json: textColumn.catch("") }));
const outputRows = z.array(z.object({ output: textColumn.catch("") }));

/** The texts that are searched, from the database that the index can read: empty where there is none, or none that can be read. */
export function searchTextsOf(index: Database) {
  const selectText = index.prepare(
    `SELECT ${bytesOf("json")} FROM blocks WHERE message_id = ? AND type = 'text' ORDER BY seq`,
  );
  const selectOutput = index.prepare(
    `SELECT ${bytesOf("output")} FROM tool_calls WHERE session_id = ? AND tool_use_id = ?`,
  );
  return {
    ofMessage: (messageId: string): string =>
      blockRows
        .parse(selectText.all([messageId]))
        .map(({ json }) => textIn(json))
        .join("\n\n"),
    ofCall: (sessionId: string, toolUseId: string): string =>
      outputRows.parse(selectOutput.all([sessionId, toolUseId]))[0]?.output ?? "",
  };
}

/** One damaged row must not keep all after it from being found. */
function textIn(json: string): string {
  try {
    return textBlock.parse(JSON.parse(json)).text;
  } catch {
    return "";
  }
}
