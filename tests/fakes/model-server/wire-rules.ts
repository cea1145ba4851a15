import { z } from "zod";
import { wholeImageFacts } from "../../../electron/files/image-file.ts";

/**
 * What the real APIs refuse of tools, texts and images, in their words: as they stand in reports of those who met them, and in
 * “Vision”, “Tool use” and “Errors” of the Claude documentation. Written apart from what Parley mends.
 */

const typeName = z.enum(["array", "boolean", "integer", "null", "number", "object", "string"]);
const count = z.number().int().nonnegative().optional();
const bound = z.number().optional();
const unique = (items: readonly string[]) => new Set(items).size === items.length;
const names = z.array(z.string()).refine(unique).optional();

/** The meta-schema of JSON Schema, draft 2020-12, but for the keywords that no tool has. */
const jsonSchema: z.ZodType = z.union([
  z.boolean(),
  z.looseObject({
    $id: z.string().optional(),
    $schema: z.string().optional(),
    $ref: z.string().optional(),
    $anchor: z
      .string()
      .regex(/^[A-Za-z_][-A-Za-z0-9._]*$/)
      .optional(),
    $comment: z.string().optional(),
    type: z.union([typeName, z.array(typeName).min(1).refine(unique)]).optional(),
    title: z.string().optional(),
    description: z.string().optional(),
    format: z.string().optional(),
    pattern: z.string().optional(),
    enum: z.array(z.unknown()).optional(),
    examples: z.array(z.unknown()).optional(),
    deprecated: z.boolean().optional(),
    readOnly: z.boolean().optional(),
    writeOnly: z.boolean().optional(),
    multipleOf: z.number().positive().optional(),
    maximum: bound,
    exclusiveMaximum: bound,
    minimum: bound,
    exclusiveMinimum: bound,
    maxLength: count,
    minLength: count,
    maxItems: count,
    minItems: count,
    maxContains: count,
    minContains: count,
    maxProperties: count,
    minProperties: count,
    uniqueItems: z.boolean().optional(),
    required: names,
    dependentRequired: z.record(z.string(), z.array(z.string())).optional(),
    get $defs() {
      return z.record(z.string(), jsonSchema).optional();
    },
    get definitions() {
      return z.record(z.string(), jsonSchema).optional();
    },
    get properties() {
      return z.record(z.string(), jsonSchema).optional();
    },
    get patternProperties() {
      return z.record(z.string(), jsonSchema).optional();
    },
    get dependentSchemas() {
      return z.record(z.string(), jsonSchema).optional();
    },
    get additionalProperties() {
      return jsonSchema.optional();
    },
    get unevaluatedProperties() {
      return jsonSchema.optional();
    },
    get propertyNames() {
      return jsonSchema.optional();
    },
    // A list of schemas here is of an earlier draft.
    get items() {
      return jsonSchema.optional();
    },
    get unevaluatedItems() {
      return jsonSchema.optional();
    },
    get contains() {
      return jsonSchema.optional();
    },
    get prefixItems() {
      return z.array(jsonSchema).min(1).optional();
    },
    get allOf() {
      return z.array(jsonSchema).min(1).optional();
    },
    get anyOf() {
      return z.array(jsonSchema).min(1).optional();
    },
    get oneOf() {
      return z.array(jsonSchema).min(1).optional();
    },
    get not() {
      return jsonSchema.optional();
    },
    get if() {
      return jsonSchema.optional();
    },
    // biome-ignore lint/suspicious/noThenProperty: it is a keyword of JSON Schema
    get then() {
      return jsonSchema.optional();
    },
    get else() {
      return jsonSchema.optional();
    },
  }),
]);

const record = z.record(z.string(), z.unknown());
const parts = z.array(record).catch([]);
const claudeRequest = z.looseObject({
  tools: z.array(record).catch([]),
  system: z.unknown().optional(),
  messages: z.array(z.looseObject({ content: z.unknown().optional() })).catch([]),
});

const toolFields = new Set(["type", "name", "description", "input_schema", "cache_control", "strict"]);

/** Empty where the Messages API would take it. Like the API, it names the first fault of the tools. */
export function claudeRefusals(json: unknown): string[] {
  const { tools, system, messages } = claudeRequest.parse(json);
  const faults = tools.flatMap((tool, index) => toolFaults(tool, `tools.${index}.custom`));
  const twice = new Set(tools.map(({ name }) => name)).size < tools.length;
  const blocks = messages.flatMap(({ content }, index) => {
    if (typeof content === "string")
      return [{ block: { type: "text", text: content }, at: `messages.${index}` }];
    return parts.parse(content).map((block, place) => ({ block, at: `messages.${index}.content.${place}` }));
  });
  const images = blocks.flatMap(({ block, at }) => imagesIn(block, at));
  return [
    ...faults.slice(0, 1),
    ...(twice ? ["tools: Tool names must be unique."] : []),
    ...parts.parse(system).flatMap((block, place) => textFaults(block, `system.${place}`, "system")),
    ...blocks.flatMap(({ block, at }) => textFaults(block, at, "messages")),
    ...images.flatMap(({ source, at }) => imageFaults(source, at, images.length)),
  ];
}

function toolFaults({ name, description, input_schema: input, ...rest }: z.infer<typeof record>, at: string) {
  const faults = Object.keys(rest)
    .filter((key) => !toolFields.has(key))
    .map((key) => `${at}.${key}: Extra inputs are not permitted`);
  if (typeof name !== "string" || !/^[a-zA-Z0-9_-]{1,128}$/.test(name))
    faults.push(`${at}.name: String should match pattern '^[a-zA-Z0-9_-]{1,128}$'`);
  if (description !== undefined && typeof description !== "string")
    faults.push(`${at}.description: Input should be a valid string`);
  const schemaAt = `${at}.input_schema`;
  const { data: schema } = record.safeParse(input);
  if (!schema) return [...faults, `${schemaAt}: Input should be a valid dictionary`];
  if (schema.type === undefined) faults.push(`${schemaAt}.type: Field required`);
  else if (schema.type !== "object") faults.push(`${schemaAt}.type: Input should be 'object'`);
  if (["oneOf", "allOf", "anyOf"].some((keyword) => keyword in schema))
    faults.push(`${schemaAt}: input_schema does not support oneOf, allOf, or anyOf at the top level`);
  const keys = Object.keys(record.catch({}).parse(schema.properties));
  if (keys.some((key) => !/^[a-zA-Z0-9_.-]{1,64}$/.test(key)))
    faults.push(`${schemaAt}.properties: Property keys should match pattern '^[a-zA-Z0-9_.-]{1,64}$'`);
  if (!jsonSchema.safeParse(schema).success)
    faults.push(
      `${schemaAt}: JSON schema is invalid. It must match JSON Schema draft 2020-12 (https://json-schema.org/draft/2020-12). Learn more about tool use at https://docs.claude.com/en/docs/tool-use.`,
    );
  return faults;
}

function textFaults(block: z.infer<typeof record>, at: string, where: string): string[] {
  if (block.type !== "text" || typeof block.text !== "string" || block.text.trim() !== "") return [];
  if (block.cache_control !== undefined)
    return [`${at}.text: cache_control cannot be set for empty text blocks`];
  return block.text === ""
    ? [`${where}: text content blocks must be non-empty`]
    : [`${where}: text content blocks must contain non-whitespace text`];
}

interface SentImage {
  source: z.infer<typeof record>;
  at: string;
}

/** Those of results, too. */
function imagesIn(block: z.infer<typeof record>, at: string): SentImage[] {
  if (block.type === "image")
    return [{ source: record.catch({}).parse(block.source), at: `${at}.image.source.base64` }];
  if (block.type !== "tool_result") return [];
  return parts
    .parse(block.content)
    .flatMap((inner, place) => imagesIn(inner, `${at}.tool_result.content.${place}`));
}

const mostChars = 5_242_880;
const mostPx = 8000;
/** More images than these, and none of them may have a longer side. */
const [few, mostPxOfMany] = [20, 2000];

function imageFaults({ media_type: type, data }: SentImage["source"], at: string, images: number): string[] {
  if (!["image/jpeg", "image/png", "image/gif", "image/webp"].includes(String(type)))
    return [`${at}.media_type: Input should be 'image/jpeg', 'image/png', 'image/gif' or 'image/webp'`];
  const base64 = String(data);
  if (base64.length > mostChars)
    return [`${at}: image exceeds 5 MB maximum: ${base64.length} bytes > ${mostChars} bytes`];
  const bytes = z.base64().safeParse(base64).success ? Buffer.from(base64, "base64") : Buffer.alloc(0);
  const facts = wholeImageFacts(bytes);
  if (!facts?.size) return [`${at}.data: Could not process image`];
  if (facts.type !== type)
    return [`${at}.data: Image does not match the provided media type ${String(type)}`];
  const side = Math.max(facts.size.width, facts.size.height);
  const tooLarge = `${at}.data: At least one of the image dimensions exceed max allowed size`;
  if (side > mostPx) return [`${tooLarge}: ${mostPx} pixels`];
  return images > few && side > mostPxOfMany
    ? [`${tooLarge} for many-image requests: ${mostPxOfMany} pixels`]
    : [];
}

const geminiRequest = z.looseObject({
  contents: z.array(z.looseObject({ role: z.unknown().optional(), parts })).catch([]),
  tools: z.array(z.looseObject({ functionDeclarations: z.array(record).catch([]) })).catch([]),
});

/** Keywords of its subset of JSON Schema. */
const geminiKeywords = new Set([
  ...["type", "title", "description", "enum", "format", "minimum", "maximum", "minItems", "maxItems"],
  ...["required", "items", "prefixItems", "anyOf", "properties"],
]);

/** Empty where Gemini would take the roles, the names of functions and their parameters. */
export function geminiRefusals(json: unknown): string[] {
  const { contents, tools } = geminiRequest.parse(json);
  const declared = tools.flatMap(({ functionDeclarations }, tool) =>
    functionDeclarations.map((one, place) => ({ one, at: `tools[${tool}].function_declarations[${place}]` })),
  );
  const refused = contents.some(({ role }) => role !== "user" && role !== "model")
    ? ["Please use a valid role: user, model."]
    : [];
  const [last] = contents.slice(-1);
  if (last?.role === "model")
    refused.push("Please ensure that multiturn requests ends with a user role or a function response.");
  for (const [index, { parts: sent }] of contents.entries()) {
    const before = contents[index - 1];
    const has = (kind: string) => sent.some((part) => kind in part);
    if (has("functionCall") && before?.role !== "user")
      refused.push(
        "Please ensure that function call turn comes immediately after a user turn or after a function response turn.",
      );
    if (has("functionResponse") && !before?.parts.some((part) => "functionCall" in part))
      refused.push("Please ensure that function response turn comes immediately after a function call turn.");
  }
  for (const { one, at } of declared) {
    if (typeof one.name !== "string" || !/^[A-Za-z_][\w.-]{0,63}$/.test(one.name))
      refused.push(
        `* GenerateContentRequest.${at}.name: Invalid function name. Must start with a letter or an underscore. Must be alphameric (a-z, A-Z, 0-9), underscores (_), dots (.) or dashes (-), with a maximum length of 64.`,
      );
    if (one.parametersJsonSchema !== undefined)
      refused.push(...subsetFaults(one.parametersJsonSchema, `${at}.parameters`));
  }
  const called = declared.map(({ one }) => one.name);
  const twice = called.find((name, index) => called.indexOf(name) !== index);
  return twice === undefined
    ? refused
    : [...refused, `Duplicate function declaration found: ${String(twice)}`];
}

function subsetFaults(value: unknown, at: string): string[] {
  const { data: schema } = record.safeParse(value);
  if (!schema)
    return [`Invalid value at '${at}' (type.googleapis.com/google.ai.generativelanguage.v1beta.Schema)`];
  const unknownName = (key: string, why: string) =>
    `Invalid JSON payload received. Unknown name "${key}" at '${at}': ${why}`;
  const faults = Object.keys(schema)
    .filter((key) => !geminiKeywords.has(key))
    .map((key) => unknownName(key, "Cannot find field."));
  if (Array.isArray(schema.type))
    faults.push(unknownName("type", "Proto field is not repeating, cannot start list."));
  else if (schema.type !== undefined && !typeName.safeParse(schema.type).success)
    faults.push(
      `Invalid value at '${at}.type' (type.googleapis.com/google.ai.generativelanguage.v1beta.Type), "${String(schema.type)}"`,
    );
  const properties = record.catch({}).parse(schema.properties);
  const lacking = z.array(z.string()).catch([]).parse(schema.required);
  for (const [place, name] of lacking.entries())
    if (!(name in properties))
      faults.push(`* GenerateContentRequest.${at}.required[${place}]: property is not defined`);
  if (schema.type === "array" && schema.items === undefined && schema.prefixItems === undefined)
    faults.push(`* GenerateContentRequest.${at}.items: missing field.`);
  const lists = ["anyOf", "prefixItems"].flatMap((key) =>
    z
      .array(z.unknown())
      .catch([])
      .parse(schema[key])
      .map((one, place) => [one, `${at}.${key}[${place}]`] as const),
  );
  const inner = [
    ...Object.entries(properties).map(([key, one]) => [one, `${at}.properties[${key}]`] as const),
    ...lists,
    ...(schema.items === undefined ? [] : [[schema.items, `${at}.items`] as const]),
  ];
  return [...faults, ...inner.flatMap(([one, place]) => subsetFaults(one, place))];
}
