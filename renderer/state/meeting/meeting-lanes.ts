import type { MeetingLine } from "../../../shared/conversation/meeting.ts";

/** A stretch of speech as a bar: where it begins and how long it is, as parts of the whole, 0–1. */
export interface LaneBar {
  /** The line that it begins with. */
  id: string;
  text: string;
  at: number;
  from: number;
  width: number;
  /** Where each of its lines begins. */
  starts: { id: string; at: number }[];
}

/** Who spoke when in one meeting. Times are milliseconds since the epoch. */
export interface MeetingLanes {
  startedAt: number;
  endedAt: number;
  me: { bars: LaneBar[]; spokenMs: number };
  them: { bars: LaneBar[]; spokenMs: number };
}

/** Speech that is nearer to each other than this part of the whole is one bar: nobody could tell two apart. */
const nearest = 0.002;
/** A bar of several lines is no longer than that: the keyboard goes from bar to bar. */
const widest = 0.02;

/** @param lines of one meeting, in the order in which they began @returns null where nothing was heard */
export function meetingLanes(lines: readonly MeetingLine[]): MeetingLanes | null {
  const [first] = lines;
  if (!first) return null;
  const startedAt = first.at;
  const endedAt = lines.reduce((last, line) => Math.max(last, line.endedAt), startedAt + 1);
  const wholeMs = endedAt - startedAt;
  const lane = (who: MeetingLine["who"]) => {
    const bars: LaneBar[] = [];
    let spokenMs = 0;
    for (const line of lines) {
      if (line.who !== who) continue;
      const lengthMs = Math.max(0, line.endedAt - line.at);
      spokenMs += lengthMs;
      const from = (line.at - startedAt) / wholeMs;
      const to = from + lengthMs / wholeMs;
      const before = bars.at(-1);
      const { id, text, at } = line;
      const isNear = before && from - (before.from + before.width) < nearest;
      if (isNear && to - before.from < widest) {
        before.width = Math.max(before.width, to - before.from);
        before.starts.push({ id, at });
      } else bars.push({ id, text, at, from, width: to - from, starts: [{ id, at }] });
    }
    return { bars, spokenMs };
  };
  return { startedAt, endedAt, me: lane("me"), them: lane("them") };
}

/** The line of a bar that was being said at a time: the last that had begun. */
export const lineOf = ({ id, starts }: LaneBar, at: number): string =>
  starts.findLast((start) => start.at <= at)?.id ?? id;

/** A time below the lanes, and where it stands, 0–1. */
export interface LaneTick {
  at: number;
  place: number;
}

const minuteMs = 60_000;
const stepsMs = [1, 2, 4, 5, 10, 15, 20, 30, 60, 120].map((minutes) => minutes * minuteMs);
const mostTicks = 5;

/** The beginning, some times between at a round distance from it, and the end. None stand so near that they touch. */
export function laneTicks({ startedAt, endedAt }: Pick<MeetingLanes, "startedAt" | "endedAt">): LaneTick[] {
  const wholeMs = endedAt - startedAt;
  const stepMs = stepsMs.find((ms) => wholeMs / ms < mostTicks - 1) ?? wholeMs / (mostTicks - 1);
  const ticks: LaneTick[] = [{ at: startedAt, place: 0 }];
  for (let at = startedAt + stepMs; (at - startedAt) / wholeMs < 0.85; at += stepMs) {
    ticks.push({ at, place: (at - startedAt) / wholeMs });
  }
  return [...ticks, { at: endedAt, place: 1 }];
}

/** `4:12`, and from an hour on `1:04:12` */
export function minutesAndSeconds(ms: number): string {
  const seconds = Math.floor(ms / 1000);
  const minutes = Math.floor(seconds / 60);
  const two = (part: number) => String(part).padStart(2, "0");
  if (minutes < 60) return `${minutes}:${two(seconds % 60)}`;
  return `${Math.floor(minutes / 60)}:${two(minutes % 60)}:${two(seconds % 60)}`;
}
