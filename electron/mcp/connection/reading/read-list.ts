import { McpError } from "@modelcontextprotocol/sdk/types.js";
import { z } from "zod";
import { maxNameChars } from "./listed.ts";

export interface ListRequest<T> {
  /** Where the list stands in an answer. */
  key: string;
  schema: z.ZodType<T>;
  /** What two entries must not share: each is listed once, as it stands there last. */
  identity(item: T): string;
  /** Asks for one page. */
  ask(params: { cursor?: Cursor }): Promise<Readonly<Record<string, unknown>>>;
}

/** Some servers count their pages in numbers. */
type Cursor = string | number;

export interface ServerList<T> {
  items: readonly T[];
  /** Entries that break the rules, each once, and why: they must not take the others with them. */
  leftOut: readonly string[];
}

/** A server whose pages never end is not read for ever. */
const maxPages = 100;
/** Entries of all pages. */
const maxEntries = 2000;
/** UTF-16 units of JSON: of one entry, and of all together. */
const maxEntryChars = 500_000;
const maxListChars = 5_000_000;
/** Entries that are left out, one by one; of the others it is only said how many there are. */
const maxNamed = 50;
/** Deeper than this nobody nests; whatever goes through it could fail. */
const maxDepth = 100;

/** Every page of a server's list, up to its limits. */
export async function readList<T>({ key, schema, identity, ask }: ListRequest<T>): Promise<ServerList<T>> {
  const all = new Map<string, T>();
  const read = new Set<Cursor>();
  const leftOut = new Set<string>();
  let entries = 0;
  let chars = 0;
  let cursor: Cursor | undefined;
  for (let pages = 0; pages < maxPages; pages++) {
    const answer = await askFrom(cursor, ask);
    const { nextCursor } = answer;
    const isLast = !isCursor(nextCursor) || read.has(nextCursor);
    // A list alone is taken for the content of an answer.
    const page = answer[key] ?? answer.content;
    const items: unknown[] = typeof page === "object" && page !== null ? Object.values(page) : [];
    for (const [place, item] of items.entries()) {
      const isDeep = isTooDeep(item);
      const size = isDeep ? 0 : JSON.stringify(item).length;
      entries++;
      chars += size;
      if (entries > maxEntries || chars > maxListChars) {
        const most = entries > maxEntries ? `${maxEntries}` : `${maxListChars} characters`;
        const others = `${items.length - place} further entries${isLast ? "" : ", and further pages"}`;
        return {
          items: [...all.values()],
          leftOut: [...named(leftOut), `${others}: up to ${most} are read`],
        };
      }
      const parsed = isDeep || size > maxEntryChars ? null : schema.safeParse(item);
      if (parsed?.success) all.set(identity(parsed.data), parsed.data);
      else if (parsed) leftOut.add(`${nameOf(item)}: ${whyOf(parsed.error)}`);
      else if (isDeep) leftOut.add(`${nameOf(item)}: its input schema goes too deep`);
      else leftOut.add(`${nameOf(item)}: it has ${size} characters; up to ${maxEntryChars} are read`);
    }
    if (isLast) break;
    read.add(nextCursor);
    cursor = nextCursor;
  }
  return { items: [...all.values()], leftOut: named(leftOut) };
}

function named(leftOut: ReadonlySet<string>): string[] {
  const others = leftOut.size - maxNamed;
  return [...[...leftOut].slice(0, maxNamed), ...(others > 0 ? [`${others} others`] : [])];
}

/** Nothing, zero and less are no next page. */
const isCursor = (value: unknown): value is Cursor =>
  typeof value === "number" ? value > 0 : typeof value === "string" && value !== "";

/** A number goes back as it came. Where that is refused, as the protocol has it, it goes back as text. */
async function askFrom<T>(cursor: Cursor | undefined, ask: ListRequest<T>["ask"]) {
  if (cursor === undefined) return await ask({});
  try {
    return await ask({ cursor });
  } catch (error) {
    if (typeof cursor === "string" || !(error instanceof McpError)) throw error;
    return await ask({ cursor: String(cursor) });
  }
}

function isTooDeep(item: unknown): boolean {
  let level = [item];
  for (let depth = 0; level.length > 0; depth++) {
    if (depth > maxDepth) return true;
    level = level.flatMap((value) =>
      typeof value === "object" && value !== null ? Object.values(value) : [],
    );
  }
  return false;
}

const whyOf = ({ issues }: z.ZodError): string => issues.map(faultOf).join(", ");

function faultOf({ path, message, ...issue }: z.core.$ZodIssue): string {
  if (path.length === 0) return message;
  const isTooLong = issue.code === "too_big";
  return `its ${path.join(".")} ${isTooLong ? `is longer than ${issue.maximum} characters` : "cannot be read"}`;
}

function nameOf(item: unknown): string {
  const { data = "" } = z
    .object({ name: z.string() })
    .transform(({ name }) => name)
    .safeParse(item);
  if (data === "") return "one without a name";
  return data.length > maxNameChars ? `${data.slice(0, maxNameChars)}…` : data;
}
