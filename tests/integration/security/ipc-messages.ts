import fc from "fast-check";
import { z } from "zod";
import { ipcRoutes } from "../../../shared/ipc/ipc.ts";

type Schema = z.core.JSONSchema.BaseSchema;

const anything = fc.anything({
  withDate: true,
  withMap: true,
  withSet: true,
  withBigInt: true,
  withTypedArray: true,
});
const special = [undefined, null, "", 0, -0, Number.NaN, Number.POSITIVE_INFINITY, [], {}, true];
const traps = [JSON.parse('{"__proto__":{"x":1}}'), { constructor: { prototype: {} } }, { toString: null }];

/** Anything that a page could send: what the structured clone takes, and what nobody would think of. Made once: it is slow. */
export const junk: fc.Arbitrary<unknown> = fc.constantFrom(
  ...fc.sample(anything, { numRuns: 3000, seed: 5 }),
  ...special,
  ...traps,
);

const oddTexts = fc.constantFrom(
  "",
  " ",
  "\0",
  "\ud800",
  "../../etc/passwd",
  "/help",
  "/nonsense x",
  "file:///etc/passwd",
  "javascript:alert(1)",
  "https://example.org/",
  "__proto__",
  "ANTHROPIC_API_KEY",
  "x".repeat(10_000),
  "\u202e‮<script>",
);

/**
 * Messages of one route: as its schema has them, with ids that there are and others, and with a part of them spoilt.
 * @param ids of conversations, messages and the like that really are there
 */
export function messagesOf(route: keyof typeof ipcRoutes, ids: readonly string[]): fc.Arbitrary<unknown> {
  const { input } = ipcRoutes[route];
  const shaped = arbitraryOf(z.toJSONSchema(input, { unrepresentable: "any", io: "input" }), ids);
  const spoilt = fc.tuple(shaped, fc.string(), junk).map(([value, key, other]) => {
    if (typeof value !== "object" || value === null) return other;
    const keys = Object.keys(value);
    const at = keys[key.length % Math.max(1, keys.length)] ?? key;
    return { ...value, [at]: other };
  });
  return fc.oneof(
    { weight: 2, arbitrary: junk },
    { weight: 2, arbitrary: spoilt },
    { weight: 1, arbitrary: shaped },
  );
}

function arbitraryOf(schema: Schema | boolean, ids: readonly string[]): fc.Arbitrary<unknown> {
  if (typeof schema === "boolean") return junk;
  const either = schema.anyOf ?? schema.oneOf;
  if (either) return fc.oneof(...either.map((one) => arbitraryOf(one, ids)));
  if (schema.enum) return fc.constantFrom(...schema.enum);
  if ("const" in schema) return fc.constant(schema.const);
  switch (schema.type) {
    case "string":
      return fc.oneof(fc.constantFrom(...ids), fc.string(), oddTexts);
    case "integer":
      return fc.integer({ min: schema.minimum ?? -10, max: Math.min(schema.maximum ?? 1000, 1000) });
    case "number":
      return fc.double();
    case "boolean":
      return fc.boolean();
    case "null":
      return fc.constant(null);
    case "array":
      return fc.array(Array.isArray(schema.items) || !schema.items ? junk : arbitraryOf(schema.items, ids), {
        maxLength: 3,
      });
    case "object": {
      const fields = Object.entries(schema.properties ?? {}).map(
        ([key, one]) => [key, arbitraryOf(one, ids)] as const,
      );
      const required = schema.required ?? [];
      return fc.record(Object.fromEntries(fields), { requiredKeys: required });
    }
    default:
      return fc.oneof(fc.constant(undefined), junk);
  }
}
