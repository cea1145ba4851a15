import { z } from "zod";
import { jsonIn } from "../json-in.ts";

/**
 * Calls that a model wrote as text, as small models do, or where a server does not know their form: the whole reply is
 * `{"name": …, "arguments": …}`, a list of those, or each between `<tool_call>` and `</tool_call>`, in a block of code or not;
 * calls between tags also end a reply that says something first.
 */
export interface TextCall {
  name: string;
  input: unknown;
}

export const callTag = "<tool_call>";
/** How the JSON of a call begins, without its spaces. */
const heads = ['{"name":', '{"function":', '{"type":"function"', '{"arguments":', '{"parameters":', '{"id":'];
const longestHead = Math.max(...heads.map(({ length }) => length));

/** Whether calls may come of a text that begins so. */
export function mayBecomeCalls(text: string): boolean {
  const start = text.trimStart();
  if (/^`{0,3}$|^```[\w-]*\s*$/.test(start)) return true;
  const inside = start.replace(/^```[\w-]*\s*/, "");
  if (callTag.startsWith(inside)) return true;
  const json = inside.startsWith(callTag) ? inside.slice(callTag.length) : inside;
  const begun = json.slice(0, 200).replace(/\s/g, "").replace(/^\[/, "").slice(0, longestHead);
  return heads.some((head) => head.startsWith(begun) || begun.startsWith(head));
}

const args = z.union([
  z.record(z.string(), z.unknown()),
  z.string().transform(jsonIn).pipe(z.record(z.string(), z.unknown())),
]);
const plain = z.strictObject({
  type: z.literal("function").optional(),
  id: z.string().optional(),
  name: z.string(),
  arguments: args.optional(),
  parameters: args.optional(),
  input: args.optional(),
});
const wrapped = z.strictObject({
  type: z.literal("function").optional(),
  id: z.string().optional(),
  function: plain,
});
const written = z.union([plain, wrapped.transform(({ function: called }) => called)]);

/** @returns the calls; null where the text is none, or names a tool that was not offered */
export function callsInText(text: string, offered: ReadonlySet<string>): TextCall[] | null {
  const begun = text.trim().replace(/^```[\w-]*\s*/, "");
  const inside = begun.endsWith("```") ? begun.slice(0, -3).trimEnd() : begun;
  const parts = inside.startsWith(callTag) ? inside.split(callTag).slice(1).map(withoutEnd) : [inside];
  const calls = parts.flatMap((part) => [jsonIn(part)].flat()).map((json) => written.safeParse(json).data);
  if (calls.length === 0) return null;
  const made = calls.flatMap((call): TextCall[] => {
    const input = call?.arguments ?? call?.parameters ?? call?.input;
    return call && input !== undefined && offered.has(call.name) ? [{ name: call.name, input }] : [];
  });
  return made.length === calls.length ? made : null;
}

const withoutEnd = (part: string) => part.replace(/<\/tool_call>\s*$/, "").trim();
