import type { MeetingLine } from "../../../../shared/conversation/meeting.ts";
import type { TranscriptItem } from "../../../../shared/conversation/transcript.ts";
import { saidKey } from "../../../../shared/conversation/transcript-items.ts";

/** Lines of meetings that a page shows; of more the newest. */
export const pageLines = 2000;

/** What was heard in meetings among what else a page shows: before the first prompt that came after it. */
export function withSaid(items: readonly TranscriptItem[], lines: readonly MeetingLine[]): TranscriptItem[] {
  const waiting = [...lines];
  const all: TranscriptItem[] = [];
  for (const item of items) {
    if (item.kind === "user") {
      const before = waiting.findIndex(({ at }) => at > item.at);
      all.push(...waiting.splice(0, before < 0 ? waiting.length : before).map(saidItem));
    }
    all.push(item);
  }
  return [...all, ...waiting.map(saidItem)];
}

const saidItem = ({ id, who, text, at, endedAt }: MeetingLine): TranscriptItem => ({
  kind: "said",
  key: saidKey(id),
  who,
  text,
  at,
  endedAt,
});
