/** Half a surrogate pair as `JSON.stringify` writes it; not behind a backslash that is escaped itself. */
const half = /(?<!\\)((?:\\\\)*)\\ud[89a-f][0-9a-f]{2}/g;

/** The same JSON with the replacement character for each half of a surrogate pair: with one anywhere in it an API refuses all. */
export const wellFormedJson = (json: string): string =>
  json.includes("\\ud") ? json.replaceAll(half, "$1\\ufffd") : json;
