import { z } from "zod";

export interface ListRequest<T> {
  /** Where the list stands in an answer. */
  key: string;
  schema: z.ZodType<T>;
  /** What two entries must not share: each is listed once, as it stands there last. */
  identity(item: T): string;
  /** Asks for one page. */
  ask(params: { cursor?: string }): Promise<Readonly<Record<string, unknown>>>;
  /** Told once of an entry that breaks the rules, and why: it must not take the others with it. */
  onLeftOut(why: string): void;
}

/** A server whose pages never end is not read for ever. */
const maxPages = 100;
/** Deeper than this nobody nests; whatever goes through it could fail. */
const maxDepth = 100;

/** Every page of a server's list. */
export async function readList<T>({ key, schema, identity, ask, onLeftOut }: ListRequest<T>): Promise<T[]> {
  const all = new Map<string, T>();
  const read = new Set<string>();
  const leftOut = new Set<string>();
  let cursor: string | undefined;
  for (let pages = 0; pages < maxPages; pages++) {
    const answer = await ask(cursor === undefined ? {} : { cursor });
    const page = answer[key];
    const items: unknown[] = typeof page === "object" && page !== null ? Object.values(page) : [];
    for (const item of items) {
      const parsed = isTooDeep(item) ? null : schema.safeParse(item);
      if (parsed?.success) all.set(identity(parsed.data), parsed.data);
      else leftOut.add(`${nameOf(item)}: ${parsed ? whyOf(parsed.error) : "its input schema goes too deep"}`);
    }
    const { nextCursor } = answer;
    if (typeof nextCursor !== "string" || nextCursor === "" || read.has(nextCursor)) break;
    read.add(nextCursor);
    cursor = nextCursor;
  }
  for (const why of leftOut) onLeftOut(why);
  return [...all.values()];
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
