import { useEffect, useState } from "react";
import type { TranscriptItem } from "../../../shared/conversation/transcript.ts";
import { useWindowState } from "../window/window-context.ts";

export interface MeetingCounts {
  lines: number;
  /** Lines that no question has brought. */
  unasked: number;
  /** Lines that go with the next question. */
  goes: number;
}

/**
 * Asked of main whenever something was heard or asked; null before the first answer.
 * @param about the meeting that the next question is about, by when it began
 */
export function useMeetingCounts(
  conversationId: string,
  items: readonly TranscriptItem[],
  about?: number,
): MeetingCounts | null {
  const { voicePanel } = useWindowState();
  const [counts, setCounts] = useState<MeetingCounts | null>(null);
  const changes = items.filter(({ kind }) => kind === "said" || kind === "user").length;
  // biome-ignore lint/correctness/useExhaustiveDependencies: what is counted changes with the items
  useEffect(() => {
    let isOver = false;
    void voicePanel.meetingCounts(conversationId, about).then((found) => {
      if (!isOver && found) setCounts(found);
    });
    return () => {
      isOver = true;
    };
  }, [conversationId, changes, about, voicePanel]);
  return counts;
}
