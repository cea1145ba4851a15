/** Where the signs that Parley's keys have lie on a keyboard that types none of them. */
const signs: Readonly<Record<string, string>> = { Comma: ",", Period: ".", Slash: "/" };

/**
 * What a key press stands for among Parley's keys, in lower case: what it types and, where that is no Latin letter, as on a
 * Russian or Greek keyboard, what is typed at that place of a Latin one. The system's own shortcuts go by the same rule.
 * @param pressed `code` as UI Events has it; missing: unknown
 */
export function latinKey({ key, code = "" }: { key: string; code?: string | undefined }): string {
  const typed = key.toLowerCase();
  // biome-ignore lint/suspicious/noControlCharactersInRegex: all of ASCII
  if (/^[\x00-\x7f]*$/.test(typed)) return typed;
  const [, letter] = /^Key([A-Z])$/.exec(code) ?? [];
  return letter?.toLowerCase() ?? signs[code] ?? typed;
}
