/** @returns what the text holds; undefined where it is no JSON */
export function jsonIn(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

/** Some wrap an error in a list. */
export const firstOf = (value: unknown): unknown => (Array.isArray(value) ? value[0] : value);
