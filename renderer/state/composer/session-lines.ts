import { shortId } from "../../../shared/conversation/sessions.ts";

/** A conversation that a command may name. */
export interface NamedSession {
  conversationId: string;
  title: string;
}

interface SessionLine {
  line: string;
  /** For people: its title, and a short id. */
  name: string;
  description: string;
}

const mostLines = 8;

/**
 * What `/session resume` may become: a line for each conversation whose title holds what is typed of it, or whose id begins
 * or ends with that. None where the line names one as it is.
 */
export function sessionLines(text: string, sessions: readonly NamedSession[]): SessionLine[] {
  const [, start, typed] = /^(\/session\s+resume\s+)(.*)$/i.exec(text) ?? [];
  if (start === undefined || typed === undefined) return [];
  const wanted = typed.trim().toLowerCase();
  const lines = sessions
    .filter(({ conversationId: id, title }) =>
      [title, id].some((name) => name.toLowerCase().includes(wanted)),
    )
    .slice(0, mostLines)
    .map((one) => lineOf(start, one, sessions));
  return lines.some(({ line }) => line.toLowerCase() === text.trimEnd().toLowerCase()) ? [] : lines;
}

/** A title that another one has, too, or that a command line would read otherwise, gives way to the id. */
function lineOf(
  start: string,
  { conversationId, title }: NamedSession,
  sessions: readonly NamedSession[],
): SessionLine {
  const id = shortId(conversationId);
  const isSure =
    /^[^\s"'`\\]+(?: [^\s"'`\\]+)*$/.test(title) &&
    sessions.filter((other) => other.title.toLowerCase() === title.toLowerCase()).length === 1;
  return { line: start + (isSure ? title : id), name: title, description: id };
}
