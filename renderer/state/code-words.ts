/** Code in words of ours, as in Markdown: between as many backticks as it takes. A backtick alone is one. */
const codeSpan = /(?<!`)(`{2,}) (.+?) \1(?!`)|`([^`\n]+)`/gs;

/** Words in pieces, every second one code. */
export function codePieces(words: string): string[] {
  const pieces: string[] = [];
  let end = 0;
  for (const span of words.matchAll(codeSpan)) {
    pieces.push(words.slice(end, span.index), span[2] ?? span[3] ?? "");
    end = span.index + span[0].length;
  }
  return [...pieces, words.slice(end)];
}

/** For what shows or says plain words: a tooltip, a screen reader. */
export const withoutCodeMarks = (words: string): string => codePieces(words).join("");
