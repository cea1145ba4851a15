import { expect, test } from "vitest";
import { inputSchema } from "../../../../electron/mcp/tools/input-schema.ts";

const ofProperty = (schema: unknown) =>
  inputSchema({ type: "object", properties: { a: schema } }).schema.properties;

test("what is a schema stays as it is", () => {
  const schema = {
    type: "object",
    properties: {
      path: { type: "string", description: "A path.", pattern: "^/", minLength: 1, format: "uri" },
      kind: { enum: ["a", null, 3], default: null, title: "Kind" },
      many: { type: ["array", "null"], items: { $ref: "#/$defs/one" }, uniqueItems: true },
      map: { type: "object", additionalProperties: { type: "number", exclusiveMinimum: 0 } },
      any: {},
      choice: { anyOf: [{ type: "string" }, { const: 1 }], "x-own": { as: [1] } },
    },
    required: ["path"],
    additionalProperties: false,
    $defs: { one: { type: "object", properties: { next: { $ref: "#/$defs/one" } } } },
  };
  expect(inputSchema(schema).schema).toEqual(schema);
});

// Bug: the model's API refused the schema, and with it every request of every conversation.
test.each<[string, unknown, unknown]>([
  ["a type that is none", { type: "file", description: "A file." }, { description: "A file." }],
  ...[
    ["int", "integer"],
    ["Int64", "integer"],
    ["float", "number"],
    ["STRING", "string"],
    ["str", "string"],
    ["bool", "boolean"],
    ["dict", "object"],
    ["None", "null"],
  ].map<[string, unknown, unknown]>(([word, type]) => [`the type ${word}`, { type: word }, { type }]),
  ["a list in Python's words", { type: "list" }, { type: "array", items: {} }],
  ["a list or nothing", { type: ["array", "null"] }, { type: ["array", "null"], items: {} }],
  ["a type that stands twice", { type: ["int", "integer", "null"] }, { type: ["integer", "null"] }],
  ["the type of draft 3 for all", { type: "any" }, {}],
  ["a list of types with one", { type: ["string", "datetime"] }, { type: ["string"] }],
  ["`required` of one property, as in draft 3", { type: "string", required: true }, { type: "string" }],
  ["true, which lets anything fit", true, {}],
  ["false, which lets nothing fit", false, { not: {} }],
  [
    "true and false within a schema",
    { anyOf: [true, { type: "str" }], allOf: [false], additionalProperties: false, items: true },
    { anyOf: [{}, { type: "string" }], allOf: [{ not: {} }], additionalProperties: false, items: true },
  ],
  ["a word in place of a schema", "string", {}],
  ["null in place of a schema", null, {}],
  ["no properties, as PHP writes them", { type: "object", properties: [] }, { type: "object" }],
  [
    "what drafts 3 and 4 want of an object",
    { type: "object", properties: { a: { type: "string", required: true }, b: { required: false } } },
    { type: "object", properties: { a: { type: "string" }, b: {} }, required: ["a"] },
  ],
  [
    "what drafts 3 to 7 call otherwise",
    {
      type: "int",
      divisibleBy: 2,
      extends: { type: "number" },
      dependencies: { a: ["b"], c: { required: ["d"] } },
    },
    {
      type: "integer",
      multipleOf: 2,
      allOf: [{ type: "number" }],
      dependentRequired: { a: ["b"] },
      dependentSchemas: { c: { required: ["d"] } },
    },
  ],
  ["an exclusive bound without a bound", { type: "integer", exclusiveMinimum: true }, { type: "integer" }],
  ["a bound that is written as text", { minimum: "1", maximum: "many" }, { minimum: 1 }],
  [
    "names and values that stand twice",
    { required: ["a", "a", 1], enum: ["x", "x", null, null] },
    { required: ["a"], enum: ["x", null] },
  ],
  [
    "the names of a schema",
    {
      $id: "https://a.example/b",
      $schema: "http://json-schema.org/draft-04/schema#",
      $anchor: "c",
      type: "string",
    },
    { type: "string" },
  ],
  ["a reference that leads nowhere", { $ref: "#/$defs/gone", description: "It." }, { description: "It." }],
  ["a reference to another address", { $ref: "https://a.example/b.json" }, {}],
  [
    "a pattern of other names",
    { patternProperties: { "^a": "string", "[": {} } },
    { patternProperties: { "^a": {} } },
  ],
  ["one example", { examples: "a" }, { examples: ["a"] }],
  ["an empty list of values", { type: "string", enum: [] }, { type: "string" }],
  ["an empty choice", { oneOf: [], type: "string" }, { type: "string" }],
  [
    "a bound that is a word for another one, as in draft 4",
    { type: "number", minimum: 1, exclusiveMinimum: true, maximum: 9, exclusiveMaximum: false },
    { type: "number", exclusiveMinimum: 1, maximum: 9 },
  ],
  [
    "a list by its places, as in draft 7",
    { type: "array", items: [{ type: "string" }, "number"], additionalItems: false },
    { type: "array", prefixItems: [{ type: "string" }, {}], items: false },
  ],
  ["a list of nobody knows what", { type: "array" }, { type: "array", items: {} }],
  ["lengths that are none", { type: "string", minLength: "3", maxLength: -1 }, { type: "string" }],
  ["a pattern that is none", { type: "string", pattern: "([a-z" }, { type: "string" }],
  ["a pattern of Python's", { type: "string", pattern: "(?P<year>\\d{4})" }, { type: "string" }],
  ["words that are none", { description: ["a", "b"], title: 3, format: null }, {}],
])("%s is mended, or left out", (_, given, schema) => {
  expect(ofProperty(given)).toEqual({ a: schema });
});

test("names of arguments that no API takes are others for the model, and their own for the server", () => {
  const { schema, ownNames } = inputSchema({
    type: "object",
    properties: {
      $filter: { type: "string" },
      "ids[]": {},
      ids__: {},
      ["x".repeat(70)]: {},
      Überschrift: {},
    },
    required: ["$filter", "ids[]"],
  });
  const names = Object.keys(schema.properties ?? {});
  expect(names.every((name) => /^[\w.-]{1,64}$/.test(name))).toBe(true);
  expect(new Set(names).size).toBe(5);
  expect(names[0]).toBe("_filter");
  expect(names).toContain("ids__");
  expect(schema.required).toEqual([names[0], names[1]]);
  const given = Object.fromEntries(names.map((name, index) => [name, index]));
  expect(ownNames({ ...given, other: 9 })).toEqual({
    $filter: 0,
    "ids[]": 1,
    ids__: 2,
    ["x".repeat(70)]: 3,
    Überschrift: 4,
    other: 9,
  });
});

test.each<[string, Record<string, unknown>, Record<string, unknown>]>([
  ["of no type", { properties: { a: {} } }, { type: "object", properties: { a: {} } }],
  ["of an object or nothing", { type: ["object", "null"] }, { type: "object" }],
  ["of a dict", { type: "dict" }, { type: "object" }],
  [
    "that is a reference",
    { $ref: "#/definitions/In", definitions: { In: { type: "object", properties: { a: { type: "int" } } } } },
    {
      type: "object",
      properties: { a: { type: "integer" } },
      definitions: { In: { type: "object", properties: { a: { type: "integer" } } } },
    },
  ],
  ["that refers to itself", { $ref: "#" }, { type: "object" }],
  ["with a list of values", { type: "object", enum: [{}], not: { required: ["a"] } }, { type: "object" }],
])("a schema %s is one of arguments", (_, given, schema) => {
  expect(inputSchema(given).schema).toEqual(schema);
});

test("odd names within arguments have others, too, and only where the schema has them", () => {
  const filter = {
    type: "object",
    properties: { $eq: {}, "a b": { $ref: "#/$defs/node" } },
    required: ["$eq"],
  };
  const { schema, ownNames } = inputSchema({
    type: "object",
    properties: {
      "$.xgafv": { type: "string" },
      filters: { type: "array", items: filter },
      either: { anyOf: [{ type: "string" }, filter] },
      free: { type: "object" },
      map: { type: "object", additionalProperties: filter },
      again: { $ref: "#/properties/filters/items/properties/a%20b" },
    },
    $defs: { node: { type: "object", properties: { "@id": {}, next: { $ref: "#/$defs/node" } } } },
  });
  const mended = JSON.stringify(schema);
  expect(mended).not.toMatch(/"\$eq"|"@id"|"a b"|"\$\.xgafv"|a%20b/);
  expect(schema).toMatchObject({
    properties: {
      "_.xgafv": { type: "string" },
      filters: { items: { properties: { _eq: {}, a_b: {} }, required: ["_eq"] } },
      again: { $ref: "#/properties/filters/items/properties/a_b" },
    },
  });
  const node = (name: string) => ({ [name]: 1, next: { [name]: 2 } });
  const input = (eq: string, ab: string, id: string, x: string) => ({
    [x]: "1",
    filters: [{ [eq]: 1, [ab]: node(id) }],
    either: { [eq]: 2 },
    free: { _eq: 3, _id: 4 },
    map: { some: { [eq]: 5 } },
    again: node(id),
  });
  expect(ownNames(input("_eq", "a_b", "_id", "_.xgafv"))).toEqual(input("$eq", "a b", "@id", "$.xgafv"));
});

test("a reference to a definition that is called as an odd argument still leads there", () => {
  const { schema } = inputSchema({
    type: "object",
    properties: { "my item": { $ref: "#/$defs/my item" }, properties: { properties: { "a b": {} } } },
    allOf: [{ $ref: "#/properties/properties/properties/a b" }],
    $defs: { "my item": { type: "string" } },
  });
  expect(schema).toEqual({
    type: "object",
    properties: { my_item: { $ref: "#/$defs/my item" }, properties: { properties: { a_b: {} } } },
    allOf: [{ $ref: "#/properties/properties/properties/a_b" }],
    $defs: { "my item": { type: "string" } },
  });
});

// Their ways, taken for ones of this schema, would lead to something else.
test.each(["b.json", "/b", "b.json#/$defs/one", "https:/$defs/one", "#one/$defs/one", "a/$defs/one"])(
  "a reference to another schema, %s, is none to this one",
  ($ref) => {
    const $defs = { one: { type: "string" } };
    expect(inputSchema({ type: "object", properties: { a: { $ref } }, $defs }).schema).toEqual({
      type: "object",
      properties: { a: {} },
      $defs,
    });
    const In = { one: { type: "object", properties: { "a b": {} } } };
    expect(inputSchema({ $ref, $defs: In }).schema).not.toHaveProperty("properties");
    const { ownNames } = inputSchema({ type: "object", properties: { a: { $ref } }, $defs: In });
    expect(ownNames({ a: { a_b: 1 } })).toEqual({ a: { a_b: 1 } });
  },
);

test("a schema that refers to a reference is what that refers to", () => {
  const B = { type: "object", properties: { a: {} }, required: ["a"] };
  const { schema } = inputSchema({ $ref: "#/$defs/A", $defs: { A: { $ref: "#/$defs/B" }, B } });
  expect(schema).toEqual({ ...B, $defs: { A: { $ref: "#/$defs/B" }, B } });
});

const inner = { type: "object", properties: { "a b": {} } };
test.each<[string, object, (name: string) => Record<string, unknown>]>([
  ["patterns", { patternProperties: { "^x": inner } }, (name) => ({ x: { [name]: 1 } })],
  ["what else there may be", { unevaluatedProperties: inner }, (name) => ({ x: { [name]: 1 } })],
  ["dependencies", { dependencies: { x: inner } }, (name) => ({ x: 1, [name]: 2 })],
  ["a condition", { if: inner }, (name) => ({ [name]: 1 })],
  [
    "what a list holds",
    { properties: { l: { type: "array", contains: inner } } },
    (name) => ({ l: [{ [name]: 1 }] }),
  ],
])("odd names within %s reach the server as its own", (_, schema, input) => {
  expect(inputSchema({ type: "object", ...schema }).ownNames(input("a_b"))).toEqual(input("a b"));
});

test("arguments of many kinds within each other are read once each", () => {
  const kind = (name: string) => ({
    properties: { [`$${name}`]: {}, and: { type: "array", items: { $ref: "#/$defs/filter" } } },
  });
  const { ownNames } = inputSchema({
    type: "object",
    properties: { filter: { $ref: "#/$defs/filter" } },
    $defs: { filter: { anyOf: [..."abcdefgh"].map(kind) } },
  });
  const nested = (name: string) => {
    let filter: object = { [name]: 1 };
    for (let depth = 0; depth < 30; depth++) filter = { and: [filter] };
    return { filter };
  };
  expect(ownNames(nested("_h"))).toEqual(nested("$h"));
});

// Bug: the call failed, because of too many calls within each other.
test("odd names behind many references, each to the next, reach the server as its own", () => {
  const links = Array.from({ length: 1900 }, (_, at) => [at, { $ref: `#/$defs/${at + 1}` }]);
  const { ownNames } = inputSchema({
    type: "object",
    properties: { a: { $ref: "#/$defs/0" } },
    $defs: { ...Object.fromEntries(links), 1900: inner },
  });
  expect(ownNames({ a: { a_b: 1 } })).toEqual({ a: { "a b": 1 } });
});
