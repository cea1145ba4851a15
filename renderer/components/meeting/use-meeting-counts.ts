import { useEffect, useState } from "react";
import type { TranscriptItem } from "../../../shared/conversation/transcript.ts";
import { useWindowState } from "../window/window-context.ts";

export interface MeetingCounts {
  lines: number;
  /** Lines that go with the next question. */
  unasked: number;
}

/** Asked of main whenever something was heard or asked; null before the first answer. */
export function useMeetingCounts(
  conversationId: string,
  items: readonly TranscriptItem[],
): MeetingCounts | null {
  const { voicePanel } = useWindowState();
  const [counts, setCounts] = useState<MeetingCounts | null>(null);
  const changes = items.filter(({ kind }) => kind === "said" || kind === "user").length;
  // biome-ignore lint/correctness/useExhaustiveDependencies: what is counted changes with the items
  useEffect(() => {
    let isOver = false;
    void voicePanel.meetingCounts(conversationId).then((found) => {
      if (!isOver && found) setCounts(found);
    });
    return () => {
      isOver = true;
    };
  }, [conversationId, changes, voicePanel]);
  return counts;
}
