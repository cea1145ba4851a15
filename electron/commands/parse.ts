/** A typed line that begins with "/": the command's name in lower case and its words. */
export interface CommandLine {
  name: string;
  args: string[];
}

/**
 * Splits a line the way a shell does: words at white space, `"…"` and `'…'` keep theirs, a backslash keeps the
 * next character (not inside `'…'`). A quote that is never closed runs to the end.
 * @returns null when the line is not a command
 */
export function parseCommandLine(line: string): CommandLine | null {
  const trimmed = line.trim();
  if (!trimmed.startsWith("/")) return null;
  const [name = "", ...args] = splitWords(trimmed.slice(1));
  // "/etc/hosts: what is this?" begins with a path.
  if (name.includes("/")) return null;
  return { name: name.toLowerCase(), args };
}

function splitWords(text: string): string[] {
  const words: string[] = [];
  // A word is a run of bare characters, escapes and quoted parts with nothing between them.
  const word = /(?:\\[\s\S]|"(?:\\[\s\S]|[^"\\])*(?:"|$)|'[^']*(?:'|$)|[^\s"'\\]|\\$)+/g;
  const part = /\\([\s\S])|"((?:\\[\s\S]|[^"\\])*)(?:"|$)|'([^']*)(?:'|$)|([^"'\\]+|\\$)/g;
  for (const [whole] of text.matchAll(word)) {
    let plain = "";
    for (const [, escaped, double, single, bare] of whole.matchAll(part)) {
      plain += escaped ?? double?.replace(/\\([\s\S])/g, "$1") ?? single ?? bare ?? "";
    }
    words.push(plain);
  }
  return words;
}
