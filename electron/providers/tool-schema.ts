import { z } from "zod";
import type { Tool } from "../agent/ports.ts";

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
  const { $schema: _, type, ...rest } = z.toJSONSchema(tool.input, { io: "input" });
  if (type !== "object") throw new Error(`The input of tool ${tool.name} is not an object.`);
  const schema: ToolSchema = { type, ...rest };
  cache.set(tool, schema);
  return schema;
}
