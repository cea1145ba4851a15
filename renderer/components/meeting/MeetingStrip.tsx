import type { TranscriptItem } from "../../../shared/conversation/transcript.ts";
import { isOn, voiceIn } from "../../../shared/voice/voice-snapshot.ts";
import { useStore } from "../../state/store.ts";
import { texts } from "../../texts/texts.ts";
import { useWindowState } from "../window/window-context.ts";
import { MeetingMenu } from "./MeetingMenu.tsx";
import styles from "./MeetingStrip.module.css";
import { useMeetingCounts } from "./use-meeting-counts.ts";
import { useMeetings } from "./use-meetings.ts";

const t = texts.meeting;

interface MeetingStripProps {
  conversationId: string;
  items: readonly TranscriptItem[];
}

/** How much was heard in meetings of a conversation, and the way to its page. Nothing where nothing was heard. */
export function MeetingStrip({ conversationId, items }: MeetingStripProps) {
  const { voicePanel } = useWindowState();
  const { now } = voiceIn(useStore(voicePanel.snapshot), conversationId);
  const isMeeting = isOn(now) && now.source === "both";
  if (!isMeeting && !items.some(({ kind }) => kind === "said")) return null;
  const sound = isMeeting ? (now.recordingTo === null ? t.noSound : t.soundKept) : null;
  return <Strip conversationId={conversationId} items={items} sound={sound} />;
}

function Strip({ conversationId, items, sound }: MeetingStripProps & { sound: string | null }) {
  const { voicePanel, meeting } = useWindowState();
  const meetings = useMeetings(conversationId, items) ?? [];
  const counts = useMeetingCounts(conversationId, items);
  const asked = counts && (counts.unasked > 0 ? t.unasked(counts.unasked) : t.allAsked);
  const parts = [counts && t.lines(counts.lines), asked, sound];
  return (
    <section className={styles.strip} aria-label={t.strip} data-testid="meeting">
      <p>
        <b>{t.title}</b>{" "}
        <span data-testid="meeting-counts">{parts.filter((part) => part !== null).join(" · ")}</span>
      </p>
      <MeetingMenu
        meetings={meetings}
        shown={null}
        onChoose={(startedAt) =>
          meeting.open(conversationId, startedAt === meetings.at(-1)?.startedAt ? null : startedAt)
        }
      />
      <button
        type="button"
        className="btn small"
        title={t.openTitle}
        data-testid="meeting-open"
        onClick={() => meeting.open(conversationId)}
      >
        {t.open}
      </button>
      <button
        type="button"
        className="btn small ghost"
        title={t.askTitle}
        disabled={counts?.unasked === 0}
        onClick={() => voicePanel.askMeeting("ask")}
      >
        {t.ask}
      </button>
    </section>
  );
}
