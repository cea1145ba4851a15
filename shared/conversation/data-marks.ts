/** Words heard from the computer's own sound stand between these tags in a request: somebody else's text, as data. */
export const overheardTag = "overheard";

/** What a program or a page of somebody else says stands between these. */
export const outsideTag = "outside_data";

/** Between these Parley says that the text after it was spoken. */
export const spokenTag = "spoken";

/** `text` as data of `from`, which it cannot step out of. */
export function asOutsideData(text: string, from: string): string {
  return `<${outsideTag} from="${withoutMarks(from).replaceAll(/["\n]/g, "'")}">\n${withoutMarks(text)}\n</${outsideTag}>`;
}

/** Parley's own tags inside somebody else's words would let them pass for Parley's: their `<` becomes a `‹`. */
export function withoutMarks(text: string): string {
  return text.replaceAll(ownTag, "‹");
}

/** What people read: without the lines that only tell the model whose words these are. */
export const withoutTagLines = (text: string): string => text.replaceAll(tagLine, "");

const tagLine = new RegExp(
  `^</?(?:${[overheardTag, outsideTag, spokenTag].join("|")})(?: from="[^"\\n]*")?>(?:\\n|$)`,
  "gm",
);

/** `withoutMarks` of every text and name in somebody else's JSON, such as a schema. */
export function jsonWithoutMarks(json: unknown): unknown {
  if (typeof json === "string") return withoutMarks(json);
  if (Array.isArray(json)) return json.map(jsonWithoutMarks);
  return typeof json === "object" && json !== null ? recordWithoutMarks({ ...json }) : json;
}

/** @param record JSON */
export function recordWithoutMarks(record: Readonly<Record<string, unknown>>): Record<string, unknown> {
  return Object.fromEntries(
    Object.entries(record).map(([key, value]) => [withoutMarks(key), jsonWithoutMarks(value)]),
  );
}

/** What a reader does not see: with no picture, or drawn over the sign before. */
const unseen = "\\p{Cf}\\p{Mn}\\p{Default_Ignorable_Code_Point}";
/** With white space and invisible characters where a reader would look past them. */
const spelled = (tag: string) => [...tag].join(`[${unseen}]*`);
const ownTag = new RegExp(
  `[<＜﹤](?=[\\s${unseen}]*(?:[/／][\\s${unseen}]*)?(?:${[overheardTag, outsideTag, spokenTag].map(spelled).join("|")}))`,
  "giu",
);
