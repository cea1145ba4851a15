/** Code in words of ours, as in Markdown. A backtick alone is one. */
const codeSpan = /`([^`\n]+)`/;

/** Words in pieces, every second one code. */
export const codePieces = (words: string): string[] => words.split(codeSpan);

/** For what shows or says plain words: a tooltip, a screen reader. */
export const withoutCodeMarks = (words: string): string => codePieces(words).join("");
