/** The keywords that Gemini takes in a function's parameters; it answers others with an error. */
const kept = new Set([
  "type",
  "title",
  "description",
  "enum",
  "format",
  "items",
  "prefixItems",
  "minItems",
  "maxItems",
  "minimum",
  "maximum",
  "anyOf",
  "properties",
  "required",
]);

type Schema = Readonly<Record<string, unknown>>;

/** Formats that Gemini knows, by type; others it refuses. */
const formats: Readonly<Record<string, readonly string[]>> = {
  string: ["enum", "date-time"],
  number: ["float", "double"],
  integer: ["int32", "int64"],
};

/**
 * A tool's JSON Schema in Gemini's subset. What the subset cannot say is left out: the tool itself validates its input
 * anyway. References are written out.
 */
export function geminiSchema(schema: Schema): Record<string, unknown> {
  return subset(schema, { definitions: definitionsOf(schema), written: { count: 0, chars: 0 }, open: [] }, 0);
}

/** Deeper than any tool's input. */
const maxDepth = 12;
/** References that are written out in one schema: those that lead to each other would be millions. */
const maxReferences = 250;
/** UTF-16 units of JSON of what is written out: a schema stands in every request. */
const maxWrittenChars = 60_000;

interface References {
  definitions: Schema;
  written: { count: number; chars: number };
  /** The names that are being written out now, one within the other. */
  open: readonly string[];
}

function subset(schema: Schema, references: References, depth: number): Record<string, unknown> {
  if (depth > maxDepth) return {};
  const inner = (value: unknown) => (isSchema(value) ? subset(value, references, depth + 1) : {});
  if (typeof schema.$ref === "string") {
    const { $ref, ...beside } = schema;
    return { ...writtenOut($ref, references, depth), ...subset(beside, references, depth + 1) };
  }
  const result: Record<string, unknown> = {};
  for (const [keyword, value] of Object.entries(asAnyOf(schema))) {
    if (!kept.has(keyword)) continue;
    if (keyword === "properties" && isSchema(value)) result.properties = mapped(value, inner);
    else if ((keyword === "anyOf" || keyword === "prefixItems") && Array.isArray(value))
      result[keyword] = value.map(inner);
    else if (keyword === "items") {
      // No more than those of `prefixItems`: the subset cannot say so.
      if (value !== false) result.items = inner(value);
    } else if (keyword !== "format" || formats[String(schema.type)]?.includes(String(value)))
      result[keyword] = value;
  }
  // It refuses to want what a schema does not have, and empty values.
  if (Array.isArray(result.required)) {
    const known = isSchema(result.properties) ? result.properties : {};
    result.required = result.required.filter(
      (name) => typeof name === "string" && Object.hasOwn(known, name),
    );
  }
  if (Array.isArray(result.enum)) result.enum = result.enum.filter((value) => value !== "" && value !== null);
  for (const keyword of ["required", "enum"]) {
    const list = result[keyword];
    if (Array.isArray(list) && list.length === 0) delete result[keyword];
  }
  // A bound that is left out would let the model guess; an inclusive one of integers says the same.
  if (schema.type === "integer") {
    if (typeof schema.exclusiveMinimum === "number") result.minimum ??= schema.exclusiveMinimum + 1;
    if (typeof schema.exclusiveMaximum === "number") result.maximum ??= schema.exclusiveMaximum - 1;
    // The bounds that zod writes for "a safe integer" say nothing.
    if (result.minimum === Number.MIN_SAFE_INTEGER) delete result.minimum;
    if (result.maximum === Number.MAX_SAFE_INTEGER) delete result.maximum;
  }
  return result;
}

/** What refers to itself is written out once; inside of that it only says what kind of value it is. */
function writtenOut($ref: string, references: References, depth: number): Record<string, unknown> {
  const { definitions, written, open } = references;
  const name = $ref.slice($ref.lastIndexOf("/") + 1);
  const target = definitions[name];
  if (!isSchema(target)) return {};
  if (open.includes(name) || written.count >= maxReferences || written.chars >= maxWrittenChars)
    return target.type === "object" ? { type: "object" } : {};
  written.count++;
  written.chars += JSON.stringify(target).length;
  return subset(target, { ...references, open: [...open, name] }, depth + 1);
}

/** `oneOf`, `const` and lists of types in the words of the subset. */
function asAnyOf(schema: Schema): Schema {
  const { oneOf, const: only, type, ...rest } = schema;
  if (only !== undefined)
    return { ...rest, type: type ?? (only === null ? "null" : typeof only), enum: [only] };
  if (Array.isArray(oneOf)) return { ...rest, ...(type !== undefined && { type }), anyOf: oneOf };
  if (Array.isArray(type))
    return { description: rest.description, anyOf: type.map((one) => ({ ...rest, type: one })) };
  return schema;
}

function definitionsOf(schema: Schema): Schema {
  const definitions = schema.$defs ?? schema.definitions;
  return isSchema(definitions) ? definitions : {};
}

function mapped(schemas: Schema, change: (value: unknown) => unknown): Record<string, unknown> {
  return Object.fromEntries(Object.entries(schemas).map(([name, value]) => [name, change(value)]));
}

function isSchema(value: unknown): value is Schema {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}
