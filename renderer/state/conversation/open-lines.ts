import type { TranscriptItem } from "../../../shared/conversation/transcript.ts";
import { Store } from "../store.ts";
import { transcriptRows } from "./transcript-rows.ts";

/** The line of a group of calls. @param key of the group */
export const groupLine = (key: string): string => `group ${key}`;

/** The lines that a call stands in, outermost first: that of its group, where it has one, and its own. */
export function linesOf(key: string, items: readonly TranscriptItem[]): string[] {
  const group = transcriptRows(items).find(
    (row) => row.kind === "group" && row.calls.some((call) => call.key === key),
  );
  return group ? [groupLine(group.key), key] : [key];
}

/** Which lines of a conversation are opened, for as long as the window is there. null: nobody has said. */
export class OpenLines {
  readonly #lines = new Map<string, Store<boolean | null>>();

  /** @param key of the line, in its conversation */
  of(conversationId: string, key: string): Store<boolean | null> {
    const name = `${conversationId}\n${key}`;
    const known = this.#lines.get(name);
    if (known) return known;
    const line = new Store<boolean | null>(null);
    this.#lines.set(name, line);
    return line;
  }
}
