import { describe, expect, test } from "vitest";
import { claudeRefusals, geminiRefusals } from "../../fakes/model-server/wire-rules.ts";
import { images, png } from "../../fixtures/images.ts";

/** What the fakes refuse is what the real APIs refuse: no kinder, and no harder. */

const schemaWords =
  "tools.0.custom.input_schema: JSON schema is invalid. It must match JSON Schema draft 2020-12 (https://json-schema.org/draft/2020-12). Learn more about tool use at https://docs.claude.com/en/docs/tool-use.";
const keyWords =
  "tools.0.custom.input_schema.properties: Property keys should match pattern '^[a-zA-Z0-9_.-]{1,64}$'";

const withTool = (tool: object) => ({
  messages: [{ role: "user", content: "Hi" }],
  tools: [{ name: "look", description: "Looks.", input_schema: { type: "object" }, ...tool }],
});
const withSchema = (schema: object) => withTool({ input_schema: { type: "object", ...schema } });
const property = (schema: unknown) => withSchema({ properties: { one: schema } });

describe("the Messages API", () => {
  test.each<[string, unknown, string]>([
    ["a key with a $", withSchema({ properties: { "$.xgafv": {} } }), keyWords],
    ["a key with a space", withSchema({ properties: { "file name": {} } }), keyWords],
    ["a long key", withSchema({ properties: { ["k".repeat(65)]: {} } }), keyWords],
    ["an empty key", withSchema({ properties: { "": {} } }), keyWords],
    ["a bound of draft 4", property({ type: "integer", exclusiveMinimum: true }), schemaWords],
    ["a type that is none", property({ type: "int" }), schemaWords],
    ["types that are none", property({ type: ["string", "any"] }), schemaWords],
    ["items of draft 7", property({ type: "array", items: [{ type: "string" }] }), schemaWords],
    ["required of draft 3", property({ type: "string", required: true }), schemaWords],
    ["a schema that is a word", property("string"), schemaWords],
    ["a null where a schema belongs", property({ type: "array", items: null }), schemaWords],
    ["an empty choice", property({ anyOf: [] }), schemaWords],
    ["a length below zero", property({ type: "string", minLength: -1 }), schemaWords],
    ["deep inside", property({ anyOf: [{ properties: { two: { type: "Float" } } }] }), schemaWords],
    [
      "a choice at the top",
      withSchema({ oneOf: [{ required: ["one"] }] }),
      "tools.0.custom.input_schema: input_schema does not support oneOf, allOf, or anyOf at the top level",
    ],
    [
      "an input that is no object",
      withTool({ input_schema: { type: "array" } }),
      "tools.0.custom.input_schema.type: Input should be 'object'",
    ],
    [
      "a name with a dot",
      withTool({ name: "a.b" }),
      "tools.0.custom.name: String should match pattern '^[a-zA-Z0-9_-]{1,128}$'",
    ],
    [
      "a description that is null",
      withTool({ description: null }),
      "tools.0.custom.description: Input should be a valid string",
    ],
    [
      "a field that it does not know",
      withTool({ title: "Look" }),
      "tools.0.custom.title: Extra inputs are not permitted",
    ],
  ])("refuses a tool with %s", (_, request, words) => {
    expect(claudeRefusals(request)).toEqual([words]);
  });

  test.each<[string, unknown]>([
    ["a schema that says yes or no", property(true)],
    ["what no tool needs", property({ type: ["string", "null"], default: null, "x-own": 1, $comment: "so" })],
    ["keys with signs that it takes", withSchema({ properties: { "a.b-c_D1": { type: "string" } } })],
    ["keys below the top as they are", property({ type: "object", properties: { "$.x": {} } })],
    [
      "references",
      withSchema({ $defs: { a: { type: "string" } }, properties: { one: { $ref: "#/$defs/a" } } }),
    ],
    ["bounds of this draft", property({ type: "integer", exclusiveMinimum: 0, multipleOf: 2 })],
  ])("takes a tool with %s", (_, request) => {
    expect(claudeRefusals(request)).toEqual([]);
  });

  test("names the first of several tools that it refuses, and two of one name", () => {
    const tool = { name: "look", input_schema: { type: "object", properties: { "a b": {} } } };
    const found = claudeRefusals({ tools: [{ ...tool, input_schema: { type: "object" } }, tool, tool] });
    expect(found).toEqual([keyWords.replace("tools.0", "tools.1"), "tools: Tool names must be unique."]);
  });

  const image = (media_type: string, bytes: Buffer) => ({
    type: "image",
    source: { type: "base64", media_type, data: bytes.toString("base64") },
  });
  const sent = (...content: object[]) => ({ messages: [{ role: "user", content }] });
  const at = "messages.0.content.0.image.source.base64";

  test.each<[string, object, string]>([
    [
      "other bytes than it is called",
      image("image/png", images.jpeg),
      `${at}.data: Image does not match the provided media type image/png`,
    ],
    [
      "a kind that none takes",
      image("image/tiff", images.png),
      `${at}.media_type: Input should be 'image/jpeg', 'image/png', 'image/gif' or 'image/webp'`,
    ],
    [
      "8001 pixels",
      image("image/png", png(10, 8001)),
      `${at}.data: At least one of the image dimensions exceed max allowed size: 8000 pixels`,
    ],
    ["no end", image("image/png", images.png.subarray(0, -20)), `${at}.data: Could not process image`],
    ["no image", image("image/png", Buffer.from("hi")), `${at}.data: Could not process image`],
  ])("refuses an image with %s, in a result, too", (_, block, words) => {
    expect(claudeRefusals(sent(block))).toEqual([words]);
    const result = { type: "tool_result", tool_use_id: "t", content: [block] };
    expect(claudeRefusals(sent(result))).toEqual([words.replace("0.image", "0.tool_result.content.0.image")]);
  });

  test("refuses base64 with line breaks, and too much of it", () => {
    const broken = image("image/png", images.png);
    broken.source.data = broken.source.data.replace(/(.{20})/, "$1\n");
    expect(claudeRefusals(sent(broken))).toEqual([`${at}.data: Could not process image`]);
    const large = image("image/png", Buffer.alloc(4_000_000));
    expect(claudeRefusals(sent(large))).toEqual([
      `${at}: image exceeds 5 MB maximum: 5333336 bytes > 5242880 bytes`,
    ]);
  });

  test("from the 21st image on takes none of more than 2000 pixels", () => {
    const wide = image("image/png", png(2001, 10));
    const small = image("image/png", images.png);
    expect(claudeRefusals(sent(...Array(20).fill(wide)))).toEqual([]);
    expect(claudeRefusals(sent(wide, ...Array(20).fill(small)))).toEqual([
      `${at}.data: At least one of the image dimensions exceed max allowed size for many-image requests: 2000 pixels`,
    ]);
  });

  test.each<[object, string]>([
    [{ type: "text", text: "" }, "messages: text content blocks must be non-empty"],
    [{ type: "text", text: " \n" }, "messages: text content blocks must contain non-whitespace text"],
    [
      { type: "text", text: "", cache_control: { type: "ephemeral" } },
      "messages.0.content.0.text: cache_control cannot be set for empty text blocks",
    ],
  ])("refuses the text %j", (block, words) => {
    expect(claudeRefusals(sent(block))).toEqual([words]);
  });
});

describe("Gemini", () => {
  const user = { role: "user", parts: [{ text: "Hi" }] };
  const declaring = (...functionDeclarations: object[]) => ({
    contents: [user],
    tools: [{ functionDeclarations }],
  });
  const taking = (parametersJsonSchema: object) => declaring({ name: "look", parametersJsonSchema });
  const at = "tools[0].function_declarations[0]";

  test.each<[string, unknown, string]>([
    [
      "a name with a space",
      declaring({ name: "a b" }),
      `* GenerateContentRequest.${at}.name: Invalid function name.`,
    ],
    [
      "a name of 65 signs",
      declaring({ name: "a".repeat(65) }),
      `* GenerateContentRequest.${at}.name: Invalid function name.`,
    ],
    ["a name twice", declaring({ name: "a" }, { name: "a" }), "Duplicate function declaration found: a"],
    [
      "a keyword that it does not know",
      taking({ type: "object", properties: { one: { type: "string", const: "a" } } }),
      `Invalid JSON payload received. Unknown name "const" at '${at}.parameters.properties[one]': Cannot find field.`,
    ],
    [
      "a list of types",
      taking({ type: ["object", "null"] }),
      `Invalid JSON payload received. Unknown name "type" at '${at}.parameters': Proto field is not repeating, cannot start list.`,
    ],
    [
      "a list of nothing",
      taking({ type: "object", properties: { one: { type: "array" } } }),
      `* GenerateContentRequest.${at}.parameters.properties[one].items: missing field.`,
    ],
    [
      "what is required and not there",
      taking({ type: "object", properties: {}, required: ["one"] }),
      `* GenerateContentRequest.${at}.parameters.required[0]: property is not defined`,
    ],
    ["another role", { contents: [{ ...user, role: "function" }] }, "Please use a valid role: user, model."],
    [
      "the model's turn at the end",
      { contents: [user, { role: "model", parts: [{ text: "Ho" }] }] },
      "Please ensure that multiturn requests ends with a user role or a function response.",
    ],
    [
      "a call after none of the user's",
      { contents: [{ role: "model", parts: [{ functionCall: { name: "look" } }] }, user] },
      "Please ensure that function call turn comes immediately after a user turn or after a function response turn.",
    ],
    [
      "a response to no call",
      { contents: [{ role: "user", parts: [{ functionResponse: { name: "look" } }] }] },
      "Please ensure that function response turn comes immediately after a function call turn.",
    ],
  ])("refuses %s", (_, request, words) => {
    const [refused = "", ...others] = geminiRefusals(request);
    expect(refused.startsWith(words)).toBe(true);
    expect(others).toEqual([]);
  });

  test("takes what Parley's subset says", () => {
    const schema = {
      type: "object",
      properties: {
        one: { anyOf: [{ type: "string", enum: ["a"] }, { type: "null" }] },
        two: { type: "array", items: {} },
      },
      required: ["one"],
    };
    expect(geminiRefusals(taking(schema))).toEqual([]);
  });
});
