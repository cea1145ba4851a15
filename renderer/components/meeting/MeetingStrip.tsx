import { useEffect, useMemo, useState } from "react";
import type { TranscriptItem } from "../../../shared/conversation/transcript.ts";
import { isOn, voiceIn } from "../../../shared/voice/voice-snapshot.ts";
import {
  type MeetingLanes,
  meetingLanes,
  minutesAndSeconds,
} from "../../state/conversation/meeting-lanes.ts";
import { timeOfDay } from "../../state/conversation/wording.ts";
import { useStore } from "../../state/store.ts";
import { texts } from "../../texts/texts.ts";
import { useWindowState } from "../window/window-context.ts";
import styles from "./MeetingStrip.module.css";

const t = texts.meeting;

/** Who spoke when in the last meeting of a conversation, and what can be done with it. Nothing where there was none. */
export function MeetingStrip({
  conversationId,
  items,
}: {
  conversationId: string;
  items: readonly TranscriptItem[];
}) {
  const lanes = useMemo(() => meetingLanes(items), [items]);
  return lanes && <Strip conversationId={conversationId} items={items} lanes={lanes} />;
}

interface StripProps {
  conversationId: string;
  items: readonly TranscriptItem[];
  lanes: MeetingLanes;
}

function Strip({ conversationId, items, lanes }: StripProps) {
  const windowState = useWindowState();
  const { library, voicePanel, revealed } = windowState;
  const counts = useCounts(conversationId, items);
  const { now } = voiceIn(useStore(voicePanel.snapshot), conversationId);
  const isMeeting = isOn(now) && now.source === "both";
  const sound = isMeeting ? [now.recordingTo === null ? t.noSound : t.soundKept] : [];
  const asked = counts && counts.unasked > 0 ? t.unasked(counts.unasked) : t.allAsked;
  return (
    <section className={styles.strip} aria-label={t.title} data-testid="meeting">
      {(["me", "them"] as const).map((who) => (
        <div key={who} className={styles.lane} data-who={who}>
          <span>{t[who]}</span>
          <div className={styles.track}>
            {lanes[who].bars.map(({ key, text, at, from, width }) => (
              <button
                key={key}
                type="button"
                tabIndex={-1}
                style={{ insetInlineStart: `${from * 100}%`, inlineSize: `max(3px, ${width * 100}%)` }}
                aria-label={t.goTo(timeOfDay(at), text)}
                title={text}
                onClick={() => revealed.set({ key })}
              />
            ))}
          </div>
          <span className={styles.spent} title={t.lane(t[who], minutesAndSeconds(lanes[who].spokenMs))}>
            {minutesAndSeconds(lanes[who].spokenMs)}
          </span>
        </div>
      ))}
      <div className={styles.times}>
        <span>{timeOfDay(lanes.startedAt)}</span>
        <span>{timeOfDay(lanes.endedAt)}</span>
      </div>
      <div className={styles.bar}>
        <p data-testid="meeting-counts">{counts && [t.lines(counts.lines), asked, ...sound].join(" · ")}</p>
        <Find lanes={lanes} onFound={(key) => revealed.set({ key })} />
        <button
          type="button"
          className="btn small primary"
          title={t.askTitle}
          disabled={counts?.unasked === 0}
          onClick={() => voicePanel.askMeeting("ask")}
        >
          {t.ask}
        </button>
        <button
          type="button"
          className="btn small"
          title={t.summaryTitle}
          onClick={() => voicePanel.askMeeting("summary")}
        >
          {t.summary}
        </button>
        <button
          type="button"
          className="btn small ghost"
          title={t.markdownTitle}
          onClick={() => void library.export(conversationId, "md")}
        >
          {t.markdown}
        </button>
        <button
          type="button"
          className="btn small ghost"
          title={t.srtTitle}
          onClick={() => void library.export(conversationId, "srt")}
        >
          {t.srt}
        </button>
      </div>
    </section>
  );
}

/** Enter goes from one line that has the words to the next. */
function Find({ lanes, onFound }: { lanes: MeetingLanes; onFound: (key: string) => void }) {
  const [words, setWords] = useState("");
  const [place, setPlace] = useState(0);
  const wanted = words.trim().toLowerCase();
  const found = wanted === "" ? [] : lanes.items.filter(({ text }) => text.toLowerCase().includes(wanted));
  return (
    <form
      className={styles.find}
      onSubmit={(event) => {
        event.preventDefault();
        const hit = found[place % Math.max(1, found.length)];
        if (hit) onFound(hit.key);
        setPlace(place + 1);
      }}
    >
      <input
        type="search"
        value={words}
        placeholder={t.find}
        aria-label={t.find}
        onChange={(event) => {
          setWords(event.target.value);
          setPlace(0);
        }}
      />
      {wanted !== "" && <output>{t.found(found.length)}</output>}
    </form>
  );
}

/** Asked of main whenever something was heard or asked. */
function useCounts(
  conversationId: string,
  items: readonly TranscriptItem[],
): { lines: number; unasked: number } | null {
  const { voicePanel } = useWindowState();
  const [counts, setCounts] = useState<{ lines: number; unasked: number } | null>(null);
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
