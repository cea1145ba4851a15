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
      any: true,
      choice: { anyOf: [{ type: "string" }, { const: 1 }], "x-own": { as: [1] } },
    },
    required: ["path"],
    additionalProperties: false,
    $defs: { one: { type: "object", properties: { next: { $ref: "#/$defs/one" } } } },
  };
  expect(inputSchema(schema).schema).toEqual(schema);
});

// Bug: the model's API refused the schema, and with it every request of every conversation.
test.each([
  ["a type that is none", { type: "file", description: "A file." }, { description: "A file." }],
  ["a type in Python's words", { type: "None" }, {}],
  ["a list of types with one", { type: ["string", "datetime"] }, { type: ["string"] }],
  ["`required` of one property, as in draft 3", { type: "string", required: true }, { type: "string" }],
  ["a word in place of a schema", "string", {}],
  ["null in place of a schema", null, {}],
  ["no properties, as PHP writes them", { type: "object", properties: [] }, { type: "object" }],
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
