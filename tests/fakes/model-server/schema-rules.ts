import { z } from "zod";
import type { RequestBody } from "./invariants.ts";

const type = z.enum(["string", "number", "integer", "boolean", "object", "array", "null"]);
const count = z.number().int().nonnegative();
const names = z.array(z.string()).refine((list) => new Set(list).size === list.length, "is named twice");
const pattern = z.string().refine(isPattern, "is no pattern");

/** The narrowest reading of JSON Schema 2020-12 that an API has. */
const schema: z.ZodType = z.looseObject({
  $schema: z.undefined().optional(),
  $id: z.undefined().optional(),
  $ref: z.string().regex(/^#/).optional(),
  type: z.union([type, z.array(type).min(1)]).optional(),
  enum: z.array(z.unknown()).min(1).optional(),
  required: names.optional(),
  dependentRequired: z.record(z.string(), names).optional(),
  title: z.string().optional(),
  description: z.string().optional(),
  format: z.string().optional(),
  examples: z.array(z.unknown()).optional(),
  pattern: pattern.optional(),
  minimum: z.number().optional(),
  maximum: z.number().optional(),
  exclusiveMinimum: z.number().optional(),
  exclusiveMaximum: z.number().optional(),
  multipleOf: z.number().positive().optional(),
  minLength: count.optional(),
  maxLength: count.optional(),
  minItems: count.optional(),
  maxItems: count.optional(),
  uniqueItems: z.boolean().optional(),
  get items() {
    return z.union([z.boolean(), schema]).optional();
  },
  get additionalProperties() {
    return z.union([z.boolean(), schema]).optional();
  },
  get not() {
    return schema.optional();
  },
  get properties() {
    return z.record(z.string().regex(/^[a-zA-Z0-9_.-]{1,64}$/), schema).optional();
  },
  get patternProperties() {
    return z.record(pattern, schema).optional();
  },
  get $defs() {
    return z.record(z.string(), schema).optional();
  },
  get definitions() {
    return z.record(z.string(), schema).optional();
  },
  get dependentSchemas() {
    return z.record(z.string(), schema).optional();
  },
  get anyOf() {
    return z.array(schema).min(1).optional();
  },
  get oneOf() {
    return z.array(schema).min(1).optional();
  },
  get allOf() {
    return z.array(schema).min(1).optional();
  },
  get prefixItems() {
    return z.array(schema).min(1).optional();
  },
});

const notAtTop = ["anyOf", "oneOf", "allOf", "enum", "not"];

/** The Messages API refuses a request for one tool whose schema is none, and names the tool by its place. */
export function checkSchemas({ tools = [] }: RequestBody): string[] {
  return tools.flatMap(({ input_schema }, place) => {
    const at = `tools.${place}.custom.input_schema`;
    const parsed = schema.safeParse(input_schema);
    const wrong = notAtTop.filter((keyword) => Object.hasOwn(input_schema, keyword));
    return [
      ...(parsed.success ? [] : [`${at}: JSON schema is invalid. ${z.prettifyError(parsed.error)}`]),
      ...wrong.map((keyword) => `${at}: input_schema does not support ${keyword} at the top level`),
    ];
  });
}

function isPattern(text: string): boolean {
  try {
    new RegExp(text, "u");
    return true;
  } catch {
    return false;
  }
}
