import { z } from "zod";
import type { Tool } from "../agent/ports/ports.ts";

/** A JSON Schema of an object, as every model API takes it for a tool's input. */
export interface ToolSchema {
  type: "object";
  [key: string]: unknown;
}

const cache = new WeakMap<Tool, ToolSchema>();

/**
 * @returns the tool's input as JSON Schema; computed once a tool, since it goes into every request
 * @throws Error when the tool's input is not an object
 */
export function toolSchema(tool: Tool): ToolSchema {
  const known = cache.get(tool);
  if (known) return known;
  const whole = tool.inputSchema
    ? withoutTopLevelChoice(tool.inputSchema)
    : z.toJSONSchema(tool.input, { io: "input" });
  const { $schema: _, type, ...rest } = whole;
  if (type !== "object") throw new Error(`The input of tool ${tool.name} is not an object.`);
  // Without `properties` some APIs refuse an object.
  const schema: ToolSchema = { type, properties: {}, ...rest };
  cache.set(tool, schema);
  return schema;
}

const choices = ["anyOf", "oneOf", "allOf"] as const;

/**
 * The APIs refuse a choice at the top of a tool's input. Its properties all become ones of the input, and the description
 * says in JSON what the choice was; the server checks it anyway.
 */
function withoutTopLevelChoice(schema: Readonly<Record<string, unknown>>): Readonly<Record<string, unknown>> {
  const present = choices.filter((keyword) => Array.isArray(schema[keyword]));
  if (present.length === 0) return schema;
  const { properties, anyOf, oneOf, allOf, description, ...rest } = schema;
  const branches = [anyOf, oneOf, allOf].flatMap((list): unknown[] => (Array.isArray(list) ? list : []));
  const merged = Object.assign({}, ...branches.map((branch) => recordAt(branch, "properties")));
  const said = JSON.stringify({
    ...(anyOf !== undefined && { anyOf }),
    ...(oneOf !== undefined && { oneOf }),
    ...(allOf !== undefined && { allOf }),
  });
  return {
    ...rest,
    description: [description, `The input must also fit: ${said}`]
      .filter((text) => text !== undefined)
      .join(" "),
    properties: { ...merged, ...recordAt(schema, "properties") },
  };
}

function recordAt(value: unknown, key: string): object {
  if (typeof value !== "object" || value === null) return {};
  const found: unknown = Object.entries(value).find(([name]) => name === key)?.[1];
  return typeof found === "object" && found !== null ? found : {};
}
