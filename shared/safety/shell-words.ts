/** For a POSIX shell: the text as one word. */
export const quoted = (text: string): string => `'${text.replaceAll("'", `'"'"'`)}'`;
