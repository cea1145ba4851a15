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
  const whole = fitting(mended(atTop(given)));
  const schema = withoutLooseEnds(whole, whole);
  const plain = plainNames(new Set(namesIn(schema)));
  if (plain.size === 0) return { schema, ownNames: (input) => ({ ...input }) };
  return { schema: renamed(schema, plain), ownNames: (input) => withOwnNames(input, schema, plain) };
}

/** The arguments are an object, whatever else the schema says of them: the APIs take nothing else there. */
function atTop(given: Schema): Schema {
  const { $ref: _, enum: __, const: ___, not: ____, ...rest } = resolved(given, given);
  return { ...rest, type: "object" };
}

/** With what it refers to, and what that refers to in turn. */
function resolved(schema: Schema, root: Schema): Schema {
  const found = new Set<unknown>([root]);
  const parts = [schema];
  let target = referred(schema.$ref, root);
  while (isRecord(target) && !found.has(target)) {
    found.add(target);
    parts.push(target);
    target = referred(target.$ref, root);
  }
  return Object.fromEntries(parts.toReversed().flatMap((part) => Object.entries(part)));
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
    return [name, mended({ ...(type !== undefined && { type }), ...said })];
  });
  const shallow = {
    type,
    properties: Object.fromEntries(named),
    ...(required !== undefined && { required }),
    description,
  };
  return JSON.stringify(shallow).length <= maxSchema ? shallow : { type, description };
}

const plainName = /^[\w.-]{1,64}$/;
const maxName = 64;
const hashLength = 8;

/** @returns another name for each that needs one, which no other has */
function plainNames(names: ReadonlySet<string>): ReadonlyMap<string, string> {
  const taken = new Set([...names].filter((name) => plainName.test(name)));
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

/** The names of all arguments, at whatever depth. */
function namesIn(schema: Schema): string[] {
  const own = isRecord(schema.properties) ? Object.keys(schema.properties) : [];
  return [...own, ...schemasIn(schema).flatMap(namesIn)];
}

function renamed(given: Schema, plain: ReadonlyMap<string, string>): Schema {
  const other = (name: string) => plain.get(name) ?? name;
  const names = (value: unknown) => (Array.isArray(value) ? value.map(other) : value);
  const keys = (value: Schema) =>
    Object.fromEntries(Object.entries(value).map(([name, one]) => [other(name), one]));
  const schema = withInner(given, (inner) => renamed(inner, plain));
  return Object.fromEntries(
    Object.entries(schema).map(([keyword, value]) => {
      if (keyword === "required") return [keyword, names(value)];
      if (keyword === "$ref") return [keyword, renamedReference(String(value), plain)];
      if (!isRecord(value)) return [keyword, value];
      if (keyword === "properties" || keyword === "dependentSchemas") return [keyword, keys(value)];
      return [keyword, keyword === "dependentRequired" ? keys(mapped(value, names)) : value];
    }),
  );
}

/** Only what stands behind these is an argument's name: definitions keep theirs. */
function renamedReference($ref: string, plain: ReadonlyMap<string, string>): string {
  let keyword = "";
  return $ref
    .split("/")
    .map((step) => {
      const isArgument = keyword === "properties" || keyword === "dependentSchemas";
      keyword = byName.includes(keyword) ? "" : step;
      return (isArgument && plain.get(unescaped(step))) || step;
    })
    .join("/");
}

/** What the model calls by other names, as the server calls it: only where the schema has an argument of that name. */
function withOwnNames(
  input: Readonly<Record<string, unknown>>,
  schema: Schema,
  plain: ReadonlyMap<string, string>,
): Record<string, unknown> {
  const own = new Map([...plain].map(([name, other]) => [other, name]));
  const read = (value: unknown, schemas: readonly Schema[]): unknown => {
    if (Array.isArray(value)) {
      return value.map((one, place) => read(one, withChoices(schemas.map(itemAt(place)), schema)));
    }
    return isRecord(value) ? readObject(value, schemas) : value;
  };
  const readObject = (value: Readonly<Record<string, unknown>>, schemas: readonly Schema[]) =>
    Object.fromEntries(
      Object.entries(value).map(([name, one]) => {
        const ownName = own.get(name);
        const isMeant =
          ownName !== undefined && schemas.some((option) => propertyOf(option, ownName) !== undefined);
        const key = isMeant ? ownName : name;
        const inner = schemas.map((option) => propertyOf(option, key) ?? othersOf(option));
        return [key, read(one, withChoices(inner, schema))];
      }),
    );
  return readObject(input, withChoices(schema, schema));
}

const propertyOf = ({ properties }: Schema, name: string): unknown =>
  isRecord(properties) && Object.hasOwn(properties, name) ? properties[name] : undefined;

/** What an object's further properties may be. A pattern is not tried: it is the server's, and may be a slow one. */
const othersOf = ({ patternProperties, additionalProperties, unevaluatedProperties }: Schema): unknown[] => [
  ...valuesOf(patternProperties),
  additionalProperties,
  unevaluatedProperties,
];

const itemAt =
  (place: number) =>
  ({ prefixItems, items, contains, unevaluatedItems }: Schema): unknown[] => [
    (Array.isArray(prefixItems) ? prefixItems[place] : undefined) ?? items,
    contains,
    unevaluatedItems,
  ];

const valuesOf = (value: unknown): unknown[] => (isRecord(value) ? Object.values(value) : []);

/** A schema, or several, with their choices, and what they refer to: each may say what a value's arguments are called. */
function withChoices(given: unknown, root: Schema): Schema[] {
  const found = new Set<Schema>();
  const left = [given];
  // It grows meanwhile: a call for each reference would be too many within each other.
  for (const one of left) {
    if (Array.isArray(one)) left.push(...one);
    if (!isRecord(one) || found.has(one)) continue;
    found.add(one);
    const { $ref, anyOf, oneOf, allOf, if: condition, then, else: otherwise, dependentSchemas } = one;
    left.push(referred($ref, root), anyOf, oneOf, allOf, condition, then, otherwise);
    left.push(...valuesOf(dependentSchemas));
  }
  return [...found];
}

/** Where a reference leads within its schema; undefined: nowhere. */
function referred($ref: unknown, root: Schema): unknown {
  if (typeof $ref !== "string" || !/^#(?:\/|$)/.test($ref)) return undefined;
  const steps = $ref.split("/").slice(1).map(unescaped);
  return steps.reduce<unknown>((value, step) => {
    if (Array.isArray(value)) return value[Number(step)];
    return isRecord(value) && Object.hasOwn(value, step) ? value[step] : undefined;
  }, root);
}

/** A step of a JSON Pointer in an address (RFC 6901, section 6). */
function unescaped(step: string): string {
  const plain = step.replaceAll("~1", "/").replaceAll("~0", "~");
  try {
    return decodeURIComponent(plain);
  } catch {
    return plain;
  }
}

/** APIs refuse a reference that leads nowhere, and ask no other address. */
function withoutLooseEnds(given: Schema, root: Schema): Schema {
  const { $ref, ...schema } = withInner(given, (inner) => withoutLooseEnds(inner, root));
  const target = referred($ref, root);
  return isRecord(target) || typeof target === "boolean" ? { ...schema, $ref } : schema;
}

const isRecord = (value: unknown): value is Record<string, unknown> =>
  typeof value === "object" && value !== null && !Array.isArray(value);

/** Keywords with schemas by name, in a list, and one. */
const byName = ["properties", "patternProperties", "$defs", "definitions", "dependentSchemas"];
const inList = ["anyOf", "oneOf", "allOf", "prefixItems"];
const single = [
  ...["items", "additionalProperties", "not", "contains", "propertyNames", "if", "then", "else"],
  ...["unevaluatedItems", "unevaluatedProperties", "contentSchema"],
];

/** The types by their names, and by what servers call them in the words of their languages. */
const types: Readonly<Record<string, string>> = {
  ...each(["integer", "int", "int32", "int64", "long", "uint", "bigint"], "integer"),
  ...each(["number", "float", "double", "decimal", "numeric"], "number"),
  ...each(["string", "str", "text", "char"], "string"),
  ...each(["boolean", "bool"], "boolean"),
  ...each(["object", "dict", "map", "record", "hash"], "object"),
  ...each(["array", "list", "tuple", "set"], "array"),
  ...each(["null", "none", "nil"], "null"),
};

/** How a keyword's value is read; undefined leaves it out. What is not here stays as it is. */
const keywords: Readonly<Record<string, (value: unknown) => unknown>> = {
  type: typeOf,
  enum: (value) => (Array.isArray(value) && value.length > 0 ? distinct(value) : undefined),
  required: (value) => (Array.isArray(value) ? namesOf(value) : undefined),
  dependentRequired: (value) => (isRecord(value) ? mapped(value, namesOf) : undefined),
  ...each(byName, schemasByName),
  ...each(inList, listOfSchemas),
  ...each(single, schemaOf),
  ...each(["minimum", "maximum", "exclusiveMinimum", "exclusiveMaximum"], numberOf),
  multipleOf: (value) => ((numberOf(value) ?? 0) > 0 ? numberOf(value) : undefined),
  ...each(
    [
      ...["minLength", "maxLength", "minItems", "maxItems", "minProperties", "maxProperties"],
      ...["minContains", "maxContains"],
    ],
    (value) => (typeof value === "number" && Number.isInteger(value) && value >= 0 ? value : undefined),
  ),
  ...each(
    ["title", "description", "format", "$ref", "$comment", "contentEncoding", "contentMediaType"],
    (value) => (typeof value === "string" ? value : undefined),
  ),
  ...each(["uniqueItems", "deprecated", "readOnly", "writeOnly", "nullable"], (value) =>
    typeof value === "boolean" ? value : undefined,
  ),
  examples: (value) => (Array.isArray(value) ? value : [value]),
  pattern: (value) => (typeof value === "string" && isPattern(value) ? value : undefined),
  patternProperties: (value) => {
    const entries = Object.entries(isRecord(value) ? value : {}).filter(([name]) => isPattern(name));
    return schemasByName(Object.fromEntries(entries));
  },
  // What the schema is called, and in which dialect: references to such names lead nowhere here.
  ...each(["$schema", "$id", "$anchor", "$dynamicAnchor", "$dynamicRef"], () => undefined),
  ...each(["$recursiveRef", "$recursiveAnchor", "$vocabulary"], () => undefined),
};

/** The same schema, with each one in it changed. */
function withInner(schema: Schema, change: (inner: Schema) => Schema): Schema {
  const one = (value: unknown) => (isRecord(value) ? change(value) : value);
  return Object.fromEntries(
    Object.entries(schema).map(([keyword, value]) => {
      if (byName.includes(keyword) && isRecord(value)) return [keyword, mapped(value, one)];
      if (inList.includes(keyword) && Array.isArray(value)) return [keyword, value.map(one)];
      return [keyword, single.includes(keyword) ? one(value) : value];
    }),
  );
}

function schemasIn(schema: Schema): Schema[] {
  const found: Schema[] = [];
  withInner(schema, (inner) => {
    found.push(inner);
    return inner;
  });
  return found;
}

function each<T>(names: readonly string[], read: T): Record<string, T> {
  return Object.fromEntries(names.map((name) => [name, read]));
}

const mapped = (values: Schema, change: (value: unknown) => unknown): Schema =>
  Object.fromEntries(Object.entries(values).map(([name, value]) => [name, change(value)]));

function mended(given: Readonly<Record<string, unknown>>): Schema {
  const read = Object.entries(asOfNow(given)).map(([keyword, value]) => [
    keyword,
    Object.hasOwn(keywords, keyword) ? keywords[keyword]?.(value) : value,
  ]);
  const schema: Schema = Object.fromEntries(read.filter(([, value]) => value !== undefined));
  // Some APIs want to know what is in every list.
  const isList = [schema.type].flat().includes("array");
  return isList && schema.items === undefined ? { ...schema, items: {} } : schema;
}

/** What drafts 3 to 7 say in other ways. */
function asOfNow(given: Schema): Schema {
  const { divisibleBy, extends: base, dependencies, ...schema } = given;
  if (divisibleBy !== undefined) schema.multipleOf ??= divisibleBy;
  if (base !== undefined) schema.allOf = [schema.allOf ?? [], base].flat();
  for (const [name, one] of Object.entries(isRecord(dependencies) ? dependencies : {})) {
    const keyword = Array.isArray(one) ? "dependentRequired" : "dependentSchemas";
    const known = schema[keyword];
    schema[keyword] = { ...(isRecord(known) && known), [name]: one };
  }
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
  const wanted = Object.entries(isRecord(given.properties) ? given.properties : {}).flatMap(([name, one]) =>
    isRecord(one) && one.required === true ? [name] : [],
  );
  if (wanted.length > 0) schema.required = [given.required ?? [], wanted].flat();
  return schema;
}

/** What is no schema says nothing: anything fits. */
function schemaOf(value: unknown): unknown {
  if (value === undefined || typeof value === "boolean") return value;
  return isRecord(value) ? mended(value) : {};
}

/** The same in words that every API knows: not all of them take true and false. */
function objectOf(value: unknown): Schema {
  if (value === false) return { not: {} };
  return isRecord(value) ? mended(value) : {};
}

function schemasByName(value: unknown): unknown {
  return isRecord(value) ? mapped(value, objectOf) : undefined;
}

function listOfSchemas(value: unknown): unknown {
  return Array.isArray(value) && value.length > 0 ? value.map(objectOf) : undefined;
}

/** Undefined for what no JSON Schema knows. */
function typeOf(value: unknown): unknown {
  const known = [value].flat().flatMap((word: unknown) => {
    const plain = typeof word === "string" ? word.trim().toLowerCase() : "";
    return (Object.hasOwn(types, plain) ? types[plain] : undefined) ?? [];
  });
  if (known.length === 0) return undefined;
  return Array.isArray(value) ? distinct(known) : known[0];
}

/** Whether arguments may be what a schema says: an object, where it says anything. */
export function isForArguments({ type }: Readonly<Record<string, unknown>>): boolean {
  const known = typeOf(type);
  return known === undefined || [known].flat().includes("object");
}

function numberOf(value: unknown): number | undefined {
  const number = typeof value === "string" && value.trim() !== "" ? Number(value) : value;
  return typeof number === "number" && Number.isFinite(number) ? number : undefined;
}

const namesOf = (value: unknown): unknown[] =>
  Array.isArray(value) ? distinct(value.filter((name) => typeof name === "string")) : [];

const distinct = (values: readonly unknown[]): unknown[] => [
  ...new Map(values.map((value) => [JSON.stringify(value), value])).values(),
];

/** As JSON Schema wants them read. */
function isPattern(text: string): boolean {
  try {
    new RegExp(text, "u");
    return true;
  } catch {
    return false;
  }
}
