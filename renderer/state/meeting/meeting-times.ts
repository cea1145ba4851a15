import type { MeetingLine } from "../../../shared/conversation/meeting.ts";

/** Such as `9:41`: as the model is told it, but for the seconds. */
export function meetingTime(at: number): string {
  const date = new Date(at);
  return `${date.getHours()}:${String(date.getMinutes()).padStart(2, "0")}`;
}

/** A piece of an answer: words, or a time of day that lines of the meeting have. */
export type AnswerPart = string | { said: string; lines: readonly MeetingLine[] };

/** `[09:43:12]`, `(9:43)`, `09:43`: no part of a longer number, such as a date or a version. */
const times = /[[(]?(?<![\d.:])(\d{1,2}):(\d{2})(?::(\d{2}))?(?![\d:]|\.\d)[\])]?/g;

/** Finds lines of one meeting by the time of day at which they began, by this computer's clock. */
export class MeetingTimes {
  readonly #bySecond = new Map<string, MeetingLine[]>();
  readonly #byMinute = new Map<string, MeetingLine[]>();

  constructor(lines: readonly MeetingLine[]) {
    for (const line of lines) {
      const date = new Date(line.at);
      const minute = `${date.getHours()}:${date.getMinutes()}`;
      add(this.#byMinute, minute, line);
      add(this.#bySecond, `${minute}:${date.getSeconds()}`, line);
    }
  }

  /** The text, cut at the times that lead to lines. A second at which nothing began means its minute. */
  partsOf(text: string): AnswerPart[] {
    const parts: AnswerPart[] = [];
    let from = 0;
    for (const match of text.matchAll(times)) {
      const lines = this.#linesAt(match);
      if (lines.length === 0) continue;
      if (match.index > from) parts.push(text.slice(from, match.index));
      parts.push({ said: match[0].replaceAll(/[[\]()]/g, ""), lines });
      from = match.index + match[0].length;
    }
    if (from < text.length) parts.push(text.slice(from));
    return parts;
  }

  /** The ids of the lines that an answer stands on. */
  citedIn(text: string): Set<string> {
    const cited = this.partsOf(text).flatMap((part) => (typeof part === "string" ? [] : part.lines));
    return new Set(cited.map(({ id }) => id));
  }

  #linesAt([, hours, minutes, seconds]: RegExpExecArray): readonly MeetingLine[] {
    const minute = `${Number(hours)}:${Number(minutes)}`;
    const exact = seconds === undefined ? undefined : this.#bySecond.get(`${minute}:${Number(seconds)}`);
    return exact ?? this.#byMinute.get(minute) ?? [];
  }
}

function add(map: Map<string, MeetingLine[]>, key: string, line: MeetingLine): void {
  const known = map.get(key);
  if (known) known.push(line);
  else map.set(key, [line]);
}
