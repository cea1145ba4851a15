import { z } from "zod";
import { jsonIn } from "../json-in.ts";

const schemaShape = z.looseObject({
  type: z.union([z.string(), z.array(z.string())]).optional(),
  enum: z.array(z.unknown()).optional(),
  const: z.unknown().optional(),
  anyOf: z.array(z.unknown()).optional(),
  oneOf: z.array(z.unknown()).optional(),
});

/** A value that was written as text in the type that its schema names; what is of none of them stays text. */
export function typedValue(written: string, schema: unknown): unknown {
  const types = typesIn(schema);
  if (types?.every((type) => type === "string")) return written;
  const word = written.trim();
  const value = pythons.has(word) ? pythons.get(word) : jsonIn(word);
  if (value === undefined || typeof value === "string") return written;
  return types === null || types.some((type) => isOf(type, value)) ? value : written;
}

/** What models of much Python write for the words of JSON. */
export const pythons: ReadonlyMap<string, unknown> = new Map<string, unknown>([
  ["True", true],
  ["False", false],
  ["None", null],
]);

/** @returns null: any */
function typesIn(schema: unknown): string[] | null {
  const { data } = schemaShape.safeParse(schema);
  if (!data) return null;
  if (data.type !== undefined) return [data.type].flat();
  const values = data.enum ?? (data.const === undefined ? null : [data.const]);
  if (values) return values.map(typeOf);
  const choices = (data.anyOf ?? data.oneOf)?.map(typesIn);
  if (!choices) return null;
  return choices.some((types) => types === null) ? null : choices.flatMap((types) => types ?? []);
}

function typeOf(value: unknown): string {
  if (value === null) return "null";
  return Array.isArray(value) ? "array" : typeof value;
}

const isOf = (type: string, value: unknown) =>
  type === "integer" ? Number.isInteger(value) : type === typeOf(value);
