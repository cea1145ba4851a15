import { z } from "zod";

/** Where a secret is kept: sealed by the system's key store, in a file that gives it away, or until Parley ends. */
export const secretPlace = z.enum(["system", "weak", "memory"]);
export type SecretPlace = z.infer<typeof secretPlace>;

/** Names that people use for the keys of models. */
export const keyNames = {
  anthropic: "ANTHROPIC_API_KEY",
  openai: "OPENAI_API_KEY",
  gemini: "GEMINI_API_KEY",
} as const;

/** Every variable that a model's key may stand in, of one maker the one that counts first: all that a folder's `.env` may give. */
export const keyVariables = {
  anthropic: ["ANTHROPIC_AUTH_TOKEN", "ANTHROPIC_API_KEY"],
  openai: ["OPENAI_API_KEY"],
  gemini: ["GEMINI_API_KEY", "GOOGLE_API_KEY"],
} as const;

/** The variable that a key may be given for. With an underscore: a key that was typed in place of a name has none. */
export const keyVariableName = z
  .string()
  .regex(/^[A-Z][A-Z0-9]*(_[A-Z0-9]+)+$/)
  .max(64);

/** The variable that a word stands for: a model's maker, or a variable's own name. null: neither. */
export function keyVariable(word: string): string | null {
  const lower = word.toLowerCase();
  for (const [name, variable] of Object.entries(keyNames)) if (name === lower) return variable;
  return keyVariableName.safeParse(word).success ? word : null;
}

/** Whether a line is about keys, and may hold one that was not meant to be there. */
export const isKeyLine = (line: string): boolean => /^\s*\/key(\s|$)/i.test(line);

/** What the form for a key needs to know. */
export const keyRequest = z.object({
  variable: z.string(),
  /** Where the key will be kept as things stand. */
  place: secretPlace,
  /** Whether the user can choose to have it kept in a file all the same. */
  canBeWeak: z.boolean(),
  /** What guards the keys, by the system's own name. */
  backend: z.string(),
});
export type KeyRequest = z.infer<typeof keyRequest>;

/**
 * A typed line as it may be shown and kept: one about keys without all that is no name, since it may be a key.
 * @param redact for what else looks like a secret
 */
export function shownLine(line: string, redact: (text: string) => string): string {
  const trimmed = line.trim();
  if (!isKeyLine(trimmed)) return redact(trimmed);
  const [command = "", ...words] = trimmed.split(/\s+/);
  const isName = (word: string) =>
    ["list", "set", "remove", "weak", "on", "off"].includes(word) || keyVariable(word) !== null;
  const shown = words.slice(0, 2).map((word) => (isName(word) ? word : "…"));
  return [command, ...shown, ...(words.length > 2 ? ["…"] : [])].join(" ");
}
