import { isUtf8 } from "node:buffer";
import { z } from "zod";
import type { SqlValue } from "./database.ts";

/** libsql cuts a text that it reads at its first NUL, and commands do write NULs: as bytes it stays whole. */
export function toTextColumn(text: string): SqlValue {
  return text.includes("\0") ? Buffer.from(text, "utf8") : text;
}

/**
 * How a statement reads a column of text, for `textColumn`. One damaged byte makes a text that is no UTF-8, and at such a
 * text libsql ends the whole process: none is read other than as its bytes.
 */
export const bytesOf = (column: string, name = column.split(".").at(-1)): string =>
  `CAST(${column} AS BLOB) AS ${name}`;

/** A text that was read with `bytesOf`. Bytes that are none are refused, as other damage is. */
export const textColumn = z.instanceof(ArrayBuffer).transform((bytes, context): string => {
  const buffer = Buffer.from(bytes);
  if (isUtf8(buffer)) return buffer.toString("utf8");
  context.addIssue({ code: "custom", message: "The bytes are no text." });
  return z.NEVER;
});

/** What was written as JSON. */
export const jsonColumn = textColumn.transform((json): unknown => JSON.parse(json));

/**
 * All rows of a query as one value, for `listIn`: libsql hands values over one by one, which would take most of the time.
 * @param values of each row, as SQL @param from as SQL
 */
export const asList = (values: string, from: string): string =>
  `SELECT CAST(json_group_array(json_array(${values})) AS BLOB) AS list FROM (${from})`;

/** @param shape of one row, a tuple in the order of its values */
export function listIn<T>(shape: z.ZodType<T>): (rows: readonly unknown[]) => T[] {
  const one = z.tuple([z.object({ list: jsonColumn.pipe(z.array(shape)) })]);
  return (rows) => one.parse(rows)[0].list;
}

/** Of characters. */
const halves = /\p{Cs}/gu;

const listRows = z.tuple([z.object({ list: z.instanceof(ArrayBuffer) })]);

/**
 * As `listIn`, where one damaged row must not hide the others: `wholeText` and `shownText` say what becomes of a text with a
 * damaged byte. Rows that do not have the shape are left out.
 */
export function readableIn<T>(shape: z.ZodType<T>): (rows: readonly unknown[]) => T[] {
  const all = z.array(shape);
  return (rows) => {
    const found = textsIn(Buffer.from(listRows.parse(rows)[0].list));
    const parsed = all.safeParse(found);
    if (parsed.success) return parsed.data;
    return found.flatMap((row) => {
      const one = shape.safeParse(row);
      return one.success ? [one.data] : [];
    });
  };
}

/** A text that is of use only as it was written: an id, a path, a kind. */
export const wholeText = z.string().refine(isWhole);
/** A text for the eye: � stands for what is damaged. */
export const shownText = z.string().overwrite(shown);

/** What stands for a damaged byte until it is known who reads the text: nothing in UTF-8 becomes half a character. */
const damaged = "\udfff";

/** Of a text that `readableIn` gave: whether no byte of it is damaged. */
export function isWhole(text: string): boolean {
  return text.search(halves) < 0;
}

export function shown(text: string): string {
  return text.replaceAll(halves, "\ufffd");
}

/** JSON as SQLite wrote it, whatever bytes its texts have. */
function textsIn(json: Buffer): unknown[] {
  const list = z.array(z.unknown());
  if (isUtf8(json)) return list.parse(JSON.parse(json.toString("utf8")));
  // Each byte as one character: its signs and numbers are ASCII, and its texts are read one by one.
  return list.parse(
    JSON.parse(json.toString("latin1"), (_, value: unknown) =>
      typeof value === "string" ? textIn(Buffer.from(value, "latin1")) : value,
    ),
  );
}

function textIn(bytes: Buffer): string {
  const text = bytes.toString("utf8");
  return isUtf8(bytes) ? text : text.replaceAll("\ufffd", damaged);
}
