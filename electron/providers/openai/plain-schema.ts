import { geminiSchema } from "../gemini/gemini-schema.ts";

/** What servers that turn schemas into grammars stumble over. */
const bounds: ReadonlySet<string> = new Set([
  "format",
  "minimum",
  "maximum",
  "minItems",
  "maxItems",
  "prefixItems",
]);

type Schema = Readonly<Record<string, unknown>>;

/** A tool's JSON Schema in the few keywords that every server knows: what it cannot say, the tool itself checks. */
export const plainSchema = (schema: Schema): Record<string, unknown> => withoutBounds(geminiSchema(schema));

function withoutBounds(schema: Schema): Record<string, unknown> {
  const plain = Object.entries(schema).flatMap(([keyword, value]): [string, unknown][] => {
    if (bounds.has(keyword)) return [];
    if (keyword === "anyOf" && Array.isArray(value)) return [[keyword, value.map(inner)]];
    if (keyword === "items") return [[keyword, inner(value)]];
    if (keyword !== "properties" || !isSchema(value)) return [[keyword, value]];
    return [[keyword, Object.fromEntries(Object.entries(value).map(([name, one]) => [name, inner(one)]))]];
  });
  return Object.fromEntries(plain);
}

const inner = (value: unknown): unknown => (isSchema(value) ? withoutBounds(value) : value);

const isSchema = (value: unknown): value is Schema =>
  typeof value === "object" && value !== null && !Array.isArray(value);
