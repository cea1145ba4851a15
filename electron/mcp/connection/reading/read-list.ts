import { z } from "zod";

export interface ListRequest<T> {
  /** Such as `tools/list`. */
  method: string;
  /** Where the list stands in an answer. */
  key: string;
  schema: z.ZodType<T>;
  /** Asks for one page. */
  ask(params: { cursor?: string }): Promise<Readonly<Record<string, unknown>>>;
  /** Told of an entry that breaks the rules, and why: it must not take the others with it. */
  onLeftOut(why: string): void;
}

/** A server whose pages never end is not read for ever. */
const maxPages = 100;
/** Deeper than this nobody nests; whatever goes through it could fail. */
const maxDepth = 100;

/** Every page of a server's list. Many servers write null for what they do not have: that is read as left out. */
export async function readList<T>({ method, key, schema, ask, onLeftOut }: ListRequest<T>): Promise<T[]> {
  const all: T[] = [];
  const read = new Set<string>();
  let cursor: string | undefined;
  for (let pages = 0; pages < maxPages; pages++) {
    const answer = await ask(cursor === undefined ? {} : { cursor });
    for (const item of z.array(z.unknown()).parse(answer[key] ?? [])) {
      const parsed = isTooDeep(item) ? null : schema.safeParse(withoutNulls(item));
      if (parsed?.success) all.push(parsed.data);
      else
        onLeftOut(`${method}: ${nameOf(item)}${parsed ? z.prettifyError(parsed.error) : "it goes too deep"}`);
    }
    const { nextCursor } = answer;
    if (typeof nextCursor !== "string" || nextCursor === "" || read.has(nextCursor)) break;
    read.add(nextCursor);
    cursor = nextCursor;
  }
  return all;
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

/** Levels of an entry where a null is nothing. Below them it may be the default of an argument. */
const nullLevels = 3;

function withoutNulls(value: unknown, levels = nullLevels): unknown {
  if (levels === 0 || typeof value !== "object" || value === null) return value;
  if (Array.isArray(value)) return value.map((one) => withoutNulls(one, levels - 1));
  const given = Object.entries(value).filter(([, one]) => one !== null);
  return Object.fromEntries(given.map(([name, one]) => [name, withoutNulls(one, levels - 1)]));
}

function nameOf(item: unknown): string {
  const named = z.object({ name: z.string() }).safeParse(item);
  return named.success ? `${named.data.name}: ` : "";
}
