import { useEffect, useMemo, useState } from "react";
import type { MeetingLine } from "../../../shared/conversation/meeting.ts";
import type { TranscriptItem } from "../../../shared/conversation/transcript.ts";
import { joinedLines, saidIn } from "../../state/meeting/joined-lines.ts";
import { useWindowState } from "../window/window-context.ts";

/** The lines of a meeting (the last that began before `before`): those of the store, and what has been heard since. */
export function useMeetingLines(
  conversationId: string,
  items: readonly TranscriptItem[],
  before?: number,
): MeetingLine[] {
  const { meeting } = useWindowState();
  const [said, setSaid] = useState(() => saidIn(items));
  const now = saidIn(items, said);
  // A line that is gone was an echo of another one: what was read of the store has it, too.
  const [gone, setGone] = useState(0);
  if (now !== said) {
    setSaid(now);
    const keys = new Set(now.map(({ key }) => key));
    if (said.some(({ key }) => !keys.has(key))) setGone(gone + 1);
  }
  const [stored, setStored] = useState<readonly MeetingLine[]>([]);
  // biome-ignore lint/correctness/useExhaustiveDependencies: read again when a line is gone
  useEffect(() => {
    let isOver = false;
    void meeting.load(conversationId, setStored, () => !isOver, { before });
    return () => {
      isOver = true;
    };
  }, [conversationId, gone, meeting, before]);
  return useMemo(() => joinedLines(stored, now, before), [stored, now, before]);
}
