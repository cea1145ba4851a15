import { useEffect, useState } from "react";
import type { Meeting } from "../../../shared/conversation/meeting.ts";
import type { TranscriptItem } from "../../../shared/conversation/transcript.ts";
import { useWindowState } from "../window/window-context.ts";

/** The meetings of a conversation, oldest first; read again whenever something was heard. null before the first answer. */
export function useMeetings(
  conversationId: string,
  items: readonly TranscriptItem[],
): readonly Meeting[] | null {
  const { meeting } = useWindowState();
  const [meetings, setMeetings] = useState<readonly Meeting[] | null>(null);
  const said = items.filter(({ kind }) => kind === "said").length;
  // biome-ignore lint/correctness/useExhaustiveDependencies: another line may begin another meeting
  useEffect(() => {
    let isOver = false;
    void meeting.list(conversationId).then((found) => {
      if (!isOver && found) setMeetings(found);
    });
    return () => {
      isOver = true;
    };
  }, [conversationId, said, meeting]);
  return meetings;
}
