import { describe, expect, it } from "vitest";
import { z } from "zod";
import type { Tool } from "../../../electron/agent/ports/ports.ts";
import { geminiSchema } from "../../../electron/providers/gemini/gemini-schema.ts";
import { toolSchema } from "../../../electron/providers/tool-schema.ts";

const serverTool = (inputSchema: Record<string, unknown>): Tool => ({
  name: "s__t",
  description: "",
  input: z.unknown(),
  inputSchema,
  effect: "execute",
  run: async () => ({ text: "" }),
});

describe("the schema of a server's tool", () => {
  it("stays whole, but for the name of its dialect", () => {
    const schema = {
      type: "object",
      properties: {
        at: { $ref: "#/$defs/point" },
        id: { anyOf: [{ type: "string", pattern: "^a" }, { type: "null" }] },
      },
      required: ["at"],
      additionalProperties: false,
      $defs: { point: { type: "array", prefixItems: [{ type: "number" }], items: false } },
    };
    const $schema = "https://json-schema.org/draft/2020-12/schema";
    expect(toolSchema(serverTool({ $schema, ...schema }))).toEqual(schema);
    expect(geminiSchema(toolSchema(serverTool(schema)))).toEqual({
      type: "object",
      properties: {
        at: { type: "array", prefixItems: [{ type: "number" }] },
        id: { anyOf: [{ type: "string" }, { type: "null" }] },
      },
      required: ["at"],
    });
  });

  it("has properties, also where the server gives none: some APIs refuse an object without", () => {
    expect(toolSchema(serverTool({ type: "object" }))).toEqual({ type: "object", properties: {} });
  });

  it("has no choice at its top, which the APIs refuse: all of its properties, and the choice in words", () => {
    const byId = { properties: { id: { type: "string" } }, required: ["id"] };
    const byName = { properties: { name: { type: "string" } }, required: ["name"] };
    const schema = toolSchema(serverTool({ type: "object", properties: { x: {} }, oneOf: [byId, byName] }));
    expect(schema).toEqual({
      type: "object",
      description: `The input must also fit: ${JSON.stringify({ oneOf: [byId, byName] })}`,
      properties: { id: { type: "string" }, name: { type: "string" }, x: {} },
    });
  });

  it("one that refers to itself ends somewhere for Gemini, which takes no references", () => {
    const node = { type: "object", properties: { next: { $ref: "#/$defs/node" } } };
    const schema = geminiSchema(
      toolSchema(
        serverTool({ type: "object", properties: { a: { $ref: "#/$defs/node" } }, $defs: { node } }),
      ),
    );
    expect(JSON.stringify(schema)).not.toContain("$ref");
  });

  // Bug: 46 KB of a server's became 10 MB in each request.
  it("is not much longer for Gemini where many places refer to something long: the rest only say its type", () => {
    const kinds = { type: "object", properties: { kind: { enum: [..."x".repeat(4000)] } } };
    const names = Array.from({ length: 200 }, (_, at) => `p${at}`);
    const properties = Object.fromEntries(names.map((name) => [name, { $ref: "#/$defs/kinds" }]));
    const given = { type: "object", properties, $defs: { kinds } };
    const schema = geminiSchema(toolSchema(serverTool(given)));
    expect(schema.properties).toMatchObject({ p0: kinds, p199: { type: "object" } });
    expect(JSON.stringify(schema).length).toBeLessThan(150_000);
  });
});
