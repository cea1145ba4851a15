import { asSpoken } from "./as-spoken.ts";

/** Of one page at once: the most names that can be said, and the most of one in UTF-16 units. */
export const maxSpokenNames = 500;
export const maxSpokenNameChars = 300;

/**
 * Which of the names that are shown is meant: the first that was said whole, or else the only one that begins with what
 * was said. Pure.
 * @param said from `asSpoken`
 * @returns its place; -1: none, or it is not clear which
 */
export function namedBy(names: readonly string[], said: string): number {
  if (said === "") return -1;
  const shown = names.map(asSpoken);
  const whole = shown.indexOf(said);
  if (whole >= 0) return whole;
  const begun = shown.flatMap((name, at) => (name.startsWith(`${said} `) ? [at] : []));
  return begun.length === 1 ? (begun[0] ?? -1) : -1;
}
