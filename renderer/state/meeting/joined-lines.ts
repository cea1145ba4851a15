import { lastMeeting, type MeetingLine } from "../../../shared/conversation/meeting.ts";
import type { TranscriptItem } from "../../../shared/conversation/transcript.ts";
import { saidKey } from "../../../shared/conversation/transcript-items.ts";

type SaidItem = Extract<TranscriptItem, { kind: "said" }>;

/** What of a meeting the transcript has; the same array as before where nothing of it changed. */
export function saidIn(
  items: readonly TranscriptItem[],
  before: readonly SaidItem[] = [],
): readonly SaidItem[] {
  const said = items.filter((item): item is SaidItem => item.kind === "said");
  const isSame = said.length === before.length && said.every((item, place) => item === before[place]);
  return isSame ? before : said;
}

/**
 * The lines of a meeting (the last that began before `before`), in the order in which they began, each once and named by its key in the transcript.
 * @param stored what was read of it from the store @param said what the transcript has
 */
export function joinedLines(
  stored: readonly MeetingLine[],
  said: readonly SaidItem[],
  before = Number.POSITIVE_INFINITY,
): MeetingLine[] {
  const lines = new Map<string, MeetingLine>();
  for (const line of stored) lines.set(saidKey(line.id), { ...line, id: saidKey(line.id) });
  for (const { key, who, text, at, endedAt } of said) lines.set(key, { id: key, who, text, at, endedAt });
  const wanted = [...lines.values()].filter(({ at }) => at < before);
  return lastMeeting(wanted.sort((a, b) => a.at - b.at));
}
