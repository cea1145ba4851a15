import type { SaidLine } from "./messages.ts";

/** A line of a meeting as it was noted. Times are milliseconds since the epoch. */
export interface MeetingLine {
  id: string;
  who: SaidLine["who"];
  text: string;
  at: number;
  endedAt: number;
}

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
