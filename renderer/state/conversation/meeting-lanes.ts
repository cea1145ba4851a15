import { lastMeeting } from "../../../shared/conversation/meeting.ts";
import type { TranscriptItem } from "../../../shared/conversation/transcript.ts";

export type SaidItem = Extract<TranscriptItem, { kind: "said" }>;

/** A stretch of speech as a bar: where it begins and how long it is, as parts of the whole, 0–1. */
export interface LaneBar {
  key: string;
  text: string;
  at: number;
  from: number;
  width: number;
}

/** The last meeting of a conversation, as far as it is shown. Times are milliseconds since the epoch. */
export interface MeetingLanes {
  items: SaidItem[];
  startedAt: number;
  endedAt: number;
  me: { bars: LaneBar[]; spokenMs: number };
  them: { bars: LaneBar[]; spokenMs: number };
}

/** @returns null where nothing was heard */
export function meetingLanes(all: readonly TranscriptItem[]): MeetingLanes | null {
  const said = all.filter((item): item is SaidItem => item.kind === "said").toSorted((a, b) => a.at - b.at);
  const items = lastMeeting(said);
  const [first] = items;
  if (!first) return null;
  const startedAt = first.at;
  const endedAt = Math.max(...items.map((item) => item.endedAt), startedAt + 1);
  const lane = (who: SaidItem["who"]) => {
    const own = items.filter((item) => item.who === who);
    const bars = own.map(({ key, text, at, endedAt: end }) => ({
      key,
      text,
      at,
      from: (at - startedAt) / (endedAt - startedAt),
      width: Math.max(0, end - at) / (endedAt - startedAt),
    }));
    return { bars, spokenMs: own.reduce((sum, { at, endedAt: end }) => sum + Math.max(0, end - at), 0) };
  };
  return { items, startedAt, endedAt, me: lane("me"), them: lane("them") };
}

/** `4:12` */
export function minutesAndSeconds(ms: number): string {
  const seconds = Math.floor(ms / 1000);
  return `${Math.floor(seconds / 60)}:${String(seconds % 60).padStart(2, "0")}`;
}
