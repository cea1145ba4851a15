import { McpError } from "@modelcontextprotocol/sdk/types.js";
import { z } from "zod";

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
/** Deeper than this nobody nests; whatever goes through it could fail. */
const maxDepth = 100;

/** Every page of a server's list. */
export async function readList<T>({ key, schema, identity, ask }: ListRequest<T>): Promise<ServerList<T>> {
  const all = new Map<string, T>();
  const read = new Set<Cursor>();
  const leftOut = new Set<string>();
  let cursor: Cursor | undefined;
  for (let pages = 0; pages < maxPages; pages++) {
    const answer = await askFrom(cursor, ask);
    // A list alone is taken for the content of an answer.
    const page = answer[key] ?? answer.content;
    const items: unknown[] = typeof page === "object" && page !== null ? Object.values(page) : [];
    for (const item of items) {
      const parsed = isTooDeep(item) ? null : schema.safeParse(item);
      if (parsed?.success) all.set(identity(parsed.data), parsed.data);
      else leftOut.add(`${nameOf(item)}: ${parsed ? whyOf(parsed.error) : "its input schema goes too deep"}`);
    }
    const { nextCursor } = answer;
    if (!isCursor(nextCursor) || read.has(nextCursor)) break;
    read.add(nextCursor);
    cursor = nextCursor;
  }
  return { items: [...all.values()], leftOut: [...leftOut] };
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

const whyOf = ({ issues }: z.ZodError): string =>
  issues
    .map(({ path, message }) => (path.length === 0 ? message : `its ${path.join(".")} cannot be read`))
    .join(", ");

function nameOf(item: unknown): string {
  const named = z.object({ name: z.string().min(1) }).safeParse(item);
  return named.success ? named.data.name : "one without a name";
}
