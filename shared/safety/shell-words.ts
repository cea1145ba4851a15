/** For a POSIX shell: the text as one word. */
export const quoted = (text: string): string => `'${text.replaceAll("'", `'"'"'`)}'`;

/** The shell that runs a fenced line: it reads none of its user's files, also where its input is a socket, as of a server. */
export const fencedShellOptions = ["--norc", "--noprofile", "-p", "-c"] as const;
