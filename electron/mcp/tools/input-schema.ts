import { createHash } from "node:crypto";

type Schema = Record<string, unknown>;

export interface InputSchema {
  schema: Schema;
  /** The arguments as the server names them. */
  ownNames(input: Readonly<Record<string, unknown>>): Record<string, unknown>;
}

/**
 * A server's schema as all model APIs take it. They refuse a request for one tool whose schema is none (JSON Schema 2020-12), or
 * whose arguments have odd names, and every later request with it. What cannot be mended is left out: the server checks what it gets.
 */
export function inputSchema(given: Readonly<Record<string, unknown>>): InputSchema {
  const { properties, required, ...rest } = fitting(mended(given));
  if (!isRecord(properties))
    return {
      schema: { ...rest, ...(required !== undefined && { required }) },
      ownNames: (input) => ({ ...input }),
    };
  const plain = plainNames(Object.keys(properties));
  const own = new Map([...plain].map(([name, other]) => [other, name]));
  const schema = {
    ...rest,
    properties: renamed(properties, plain),
    ...(Array.isArray(required) && { required: required.map((name: string) => plain.get(name) ?? name) }),
  };
  return { schema, ownNames: (input) => renamed(input, own) };
}

/** UTF-16 units of JSON: a schema stands in every request. */
const maxSchema = 60_000;
const maxSaid = 200;

/** A schema that is too long is cut to what its arguments are called. */
function fitting(schema: Schema): Schema {
  if (JSON.stringify(schema).length <= maxSchema) return schema;
  const description = "The whole schema is too long to be shown.";
  const { type, properties = {}, required } = schema;
  const named = Object.entries(isRecord(properties) ? properties : {}).map(([name, property]) => {
    const { type, description } = isRecord(property) ? property : {};
    const said = typeof description === "string" && { description: description.slice(0, maxSaid) };
    return [name, { ...(type !== undefined && { type }), ...said }];
  });
  const shallow = {
    type,
    properties: Object.fromEntries(named),
    ...(required !== undefined && { required }),
    description,
  };
  return JSON.stringify(shallow).length <= maxSchema ? shallow : { type, description };
}

const renamed = (values: Readonly<Record<string, unknown>>, names: ReadonlyMap<string, string>) =>
  Object.fromEntries(Object.entries(values).map(([name, value]) => [names.get(name) ?? name, value]));

const plainName = /^[\w.-]{1,64}$/;
const maxName = 64;
const hashLength = 8;

/** @returns another name for each that needs one, which no other has */
function plainNames(names: readonly string[]): ReadonlyMap<string, string> {
  const taken = new Set(names.filter((name) => plainName.test(name)));
  const plain = new Map<string, string>();
  for (const name of names) {
    if (plainName.test(name)) continue;
    const short = name.replaceAll(/[^\w.-]/g, "_").slice(0, maxName);
    const hash = createHash("sha256").update(name).digest("hex").slice(0, hashLength);
    const other =
      short === "" || taken.has(short) ? `${short.slice(0, maxName - hashLength - 1)}_${hash}` : short;
    taken.add(other);
    plain.set(name, other);
  }
  return plain;
}

const isRecord = (value: unknown): value is Record<string, unknown> =>
  typeof value === "object" && value !== null && !Array.isArray(value);

const types: readonly unknown[] = ["string", "number", "integer", "boolean", "object", "array", "null"];

/** How a keyword's value is read; undefined leaves it out. What is not here stays as it is. */
const keywords: Readonly<Record<string, (value: unknown) => unknown>> = {
  type: typeOf,
  enum: (value) => (Array.isArray(value) && value.length > 0 ? value : undefined),
  required: (value) => (Array.isArray(value) ? value.filter((name) => typeof name === "string") : undefined),
  ...each(["properties", "patternProperties", "$defs", "definitions", "dependentSchemas"], schemasByName),
  ...each(["anyOf", "oneOf", "allOf", "prefixItems"], listOfSchemas),
  ...each(
    ["items", "additionalProperties", "not", "contains", "propertyNames", "if", "then", "else"],
    schemaOf,
  ),
  ...each(["unevaluatedItems", "unevaluatedProperties"], schemaOf),
  ...each(["minimum", "maximum", "exclusiveMinimum", "exclusiveMaximum"], (value) =>
    typeof value === "number" ? value : undefined,
  ),
  multipleOf: (value) => (typeof value === "number" && value > 0 ? value : undefined),
  ...each(["minLength", "maxLength", "minItems", "maxItems", "minProperties", "maxProperties"], (value) =>
    typeof value === "number" && Number.isInteger(value) && value >= 0 ? value : undefined,
  ),
  ...each(["title", "description", "format", "$ref", "$id", "$anchor", "$comment"], (value) =>
    typeof value === "string" ? value : undefined,
  ),
  ...each(["uniqueItems", "deprecated", "readOnly", "writeOnly", "nullable"], (value) =>
    typeof value === "boolean" ? value : undefined,
  ),
  pattern: (value) => (typeof value === "string" && isPattern(value) ? value : undefined),
};

function each<T>(names: readonly string[], read: T): Record<string, T> {
  return Object.fromEntries(names.map((name) => [name, read]));
}

function mended(given: Readonly<Record<string, unknown>>): Schema {
  const read = Object.entries(asOfNow(given)).map(([keyword, value]) => [
    keyword,
    Object.hasOwn(keywords, keyword) ? keywords[keyword]?.(value) : value,
  ]);
  const schema: Schema = Object.fromEntries(read.filter(([, value]) => value !== undefined));
  // Some APIs want to know what is in every list.
  return schema.type === "array" && schema.items === undefined ? { ...schema, items: {} } : schema;
}

/** What older drafts say in other ways. */
function asOfNow(given: Readonly<Record<string, unknown>>): Schema {
  const schema = { ...given };
  if (Array.isArray(given.items)) {
    schema.prefixItems = given.items;
    schema.items = given.additionalItems;
    delete schema.additionalItems;
  }
  for (const [bound, exclusive] of [
    ["minimum", "exclusiveMinimum"],
    ["maximum", "exclusiveMaximum"],
  ] as const) {
    if (given[exclusive] !== true) continue;
    schema[exclusive] = given[bound];
    delete schema[bound];
  }
  return schema;
}

/** What is no schema says nothing: anything fits. */
function schemaOf(value: unknown): unknown {
  if (value === undefined || typeof value === "boolean") return value;
  return isRecord(value) ? mended(value) : {};
}

function schemasByName(value: unknown): unknown {
  if (!isRecord(value)) return undefined;
  return Object.fromEntries(Object.entries(value).map(([name, schema]) => [name, schemaOf(schema)]));
}

function listOfSchemas(value: unknown): unknown {
  return Array.isArray(value) && value.length > 0 ? value.map(schemaOf) : undefined;
}

function typeOf(value: unknown): unknown {
  if (!Array.isArray(value)) return types.includes(value) ? value : undefined;
  const known = value.filter((one, index) => types.includes(one) && value.indexOf(one) === index);
  return known.length > 0 ? known : undefined;
}

function isPattern(text: string): boolean {
  try {
    new RegExp(text);
    return true;
  } catch {
    return false;
  }
}
