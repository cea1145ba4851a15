import type { SaidLine } from "./messages.ts";

/** A line of a meeting as it was noted. Times are milliseconds since the epoch. */
export interface MeetingLine {
  id: string;
  who: SaidLine["who"];
  text: string;
  at: number;
  endedAt: number;
}

/** One meeting of a conversation. Times are milliseconds since the epoch; it is named by the first. */
export interface Meeting {
  startedAt: number;
  endedAt: number;
  lines: number;
}

/** Where one meeting stands among the others: from its first line to before that of the next, if there is one. */
export interface MeetingRange {
  from: number;
  before: number;
}

/**
 * The range of the meeting that began at `startedAt`; null: there is none.
 * @param meetings oldest first
 */
export function meetingRange(meetings: readonly Meeting[], startedAt: number): MeetingRange | null {
  const place = meetings.findIndex((meeting) => meeting.startedAt === startedAt);
  if (place < 0) return null;
  return { from: startedAt, before: meetings[place + 1]?.startedAt ?? Number.MAX_SAFE_INTEGER };
}

/** A prompt is about the meeting whose lines it brought last, or else about the last one that had begun by then. */
export const isAboutMeeting = (prompt: { at: number; upTo?: number | undefined }, range: MeetingRange) => {
  const at = prompt.upTo ?? prompt.at;
  return at >= range.from && at < range.before;
};

/** What the buttons of a meeting ask. Windows know a summary by its prompt. */
export const meetingPrompts = {
  ask: "Look at what was just said in the meeting: answer what was asked of me, or sum up what matters.",
  summary:
    "Summarise this meeting in Markdown, with these headings: “So far” (the main points), “Decided”, “To do” (who does what, and until when) and “Open”. Each part is a list; behind each point stands the time of the words it comes from. Leave out a part that has nothing.",
};
export type MeetingQuestion = keyof typeof meetingPrompts;

/** A note that is typed during a meeting, in UTF-16 units. */
export const maxNoteChars = 4000;

/** Lines that are read at once: what else the main process has to do comes between two pages. */
export const linesPerPage = 1000;

/** Lines of one meeting follow each other within this time, in milliseconds; after a longer silence another one begins. */
export const meetingGapMs = 3_600_000;

/** The newest meeting among lines that are in the order in which they were said. */
export function lastMeeting<Line extends Pick<MeetingLine, "at" | "endedAt">>(
  lines: readonly Line[],
): Line[] {
  let begin = 0;
  let end = Number.NEGATIVE_INFINITY;
  for (const [place, { at, endedAt }] of lines.entries()) {
    if (at - end > meetingGapMs) begin = place;
    end = Math.max(end, endedAt);
  }
  return lines.slice(begin);
}
