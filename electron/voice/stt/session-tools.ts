import type { Client } from "@modelcontextprotocol/sdk/client/index.js";
import { z } from "zod";
import { sttTool } from "../../../shared/voice/stt.ts";

export type ToolKey = keyof typeof sttTool;

/** What of a tool's description is of use. */
const listedTool = z.looseObject({
  name: z.string(),
  inputSchema: z
    .looseObject({ properties: z.record(z.string(), z.unknown()).optional().catch(undefined) })
    .catch({}),
});
export type ListedTool = z.infer<typeof listedTool>;
const toolPage = z.looseObject({
  tools: z.array(z.unknown()),
  nextCursor: z.string().nullish().catch(undefined),
});
/** A server whose pages never end is not read for ever. */
const maxPages = 100;

/** The tools of every page. One that cannot be read does not take the others with it. */
export async function listTools(client: Client): Promise<ListedTool[]> {
  const all: ListedTool[] = [];
  let params = {};
  for (let pages = 0; pages < maxPages; pages++) {
    const { tools, nextCursor } = await client.request({ method: "tools/list", params }, toolPage);
    all.push(...tools.flatMap((tool) => listedTool.safeParse(tool).data ?? []));
    if (nextCursor === undefined || nextCursor === null) break;
    params = { cursor: nextCursor };
  }
  return all;
}

/** A tool is found by the ending of its name. */
export const toolFor = (key: ToolKey, tools: readonly ListedTool[]): ListedTool | undefined =>
  tools.find(({ name }) => name.endsWith(sttTool[key]));

/** What some servers call the number that is asked from. */
const otherNames: Readonly<Record<string, readonly string[]>> = {
  since_seq: ["since", "after_seq", "from_seq", "cursor"],
};
const letters = (name: string) => name.replaceAll("_", "").toLowerCase();

/** The arguments that the tool takes, by the names and of the types that it has for them. */
export function argumentsFor(
  { inputSchema: { properties } }: ListedTool,
  args: Readonly<Record<string, unknown>>,
): Record<string, unknown> {
  const given = Object.entries(args).filter(([, value]) => value !== undefined);
  // It does not say which it takes.
  if (properties === undefined) return Object.fromEntries(given);
  return Object.fromEntries(
    given.flatMap(([name, value]) => {
      const own = nameIn(properties, name);
      return own === undefined ? [] : [[own, valueFor(properties[own], value)]];
    }),
  );
}

function nameIn(properties: Readonly<Record<string, unknown>>, name: string): string | undefined {
  const find = (one: string) => Object.keys(properties).find((own) => letters(own) === letters(one));
  // Of another type it is something else, such as a page or a time.
  const others = (otherNames[name] ?? []).map(find).filter((own) => own !== undefined);
  return find(name) ?? others.find((own) => mayBeNumber(typesIn(properties[own])));
}

/** Whether the server can be asked for what comes after a number: where it cannot, its numbers mean nothing to us. */
export const canGoOn = (updates: ListedTool | undefined): boolean =>
  updates !== undefined && Object.keys(argumentsFor(updates, { since_seq: 0 })).length > 0;

const typed = z.object({
  type: z
    .union([z.string(), z.array(z.string())])
    .optional()
    .catch(undefined),
  anyOf: z.array(z.unknown()).optional().catch(undefined),
});

/** Digits as a number, where the server takes no text: an id is text to us, whatever it was. */
function valueFor(schema: unknown, value: unknown): unknown {
  if (typeof value !== "string" || !/^\d{1,15}$/.test(value)) return value;
  const types = typesIn(schema);
  return types.length > 0 && mayBeNumber(types) && !types.includes("string") ? Number(value) : value;
}

/** Also where there are none: it does not say. */
const mayBeNumber = (types: readonly string[]) =>
  types.length === 0 || types.some((type) => type === "integer" || type === "number");

function typesIn(schema: unknown): string[] {
  const { type = [], anyOf = [] } = typed.safeParse(schema).data ?? {};
  return [type, ...anyOf.map(typesIn)].flat();
}
