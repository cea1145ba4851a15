import { z } from "zod";
import type { SqlValue } from "./database.ts";

/** libsql cuts a text that it reads at its first NUL, and commands do write NULs: as bytes it stays whole. */
export function toTextColumn(text: string): SqlValue {
  return text.includes("\0") ? Buffer.from(text, "utf8") : text;
}

/** What `toTextColumn` wrote, as it was. */
export const textColumn = z
  .union([z.string(), z.instanceof(ArrayBuffer)])
  .transform((value) => (typeof value === "string" ? value : Buffer.from(value).toString("utf8")));
