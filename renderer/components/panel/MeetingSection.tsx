import type { TranscriptItem } from "../../../shared/conversation/transcript.ts";
import { isOn, voiceIn } from "../../../shared/voice/voice-snapshot.ts";
import { useStore } from "../../state/store.ts";
import { texts } from "../../texts/texts.ts";
import { useMeetingCounts } from "../meeting/use-meeting-counts.ts";
import { useWindowState } from "../window/window-context.ts";
import { Fact } from "./ContextSection.tsx";
import { Section } from "./Section.tsx";

const t = texts.panel.meeting;

interface MeetingSectionProps {
  conversationId: string;
  items: readonly TranscriptItem[];
}

/** What was heard in meetings of the conversation, and the way to their page. */
export function MeetingSection({ conversationId, items }: MeetingSectionProps) {
  const { voicePanel, meeting } = useWindowState();
  const { now } = voiceIn(useStore(voicePanel.snapshot), conversationId);
  const counts = useMeetingCounts(conversationId, items);
  if (!counts) return null;
  const sound = isOn(now) && now.source === "both" ? (now.recordingTo === null ? t.notKept : t.kept) : null;
  return (
    <Section title={t.title} testId="meeting-section">
      <Fact name={t.lines}>{String(counts.lines)}</Fact>
      {counts.unasked > 0 && <Fact name={t.unasked}>{String(counts.unasked)}</Fact>}
      {sound !== null && <Fact name={t.recording}>{sound}</Fact>}
      <button type="button" className="btn small" onClick={() => meeting.open(conversationId)}>
        {t.open}
      </button>
    </Section>
  );
}
