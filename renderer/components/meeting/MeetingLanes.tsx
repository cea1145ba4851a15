import { type KeyboardEvent, type MouseEvent, memo } from "react";
import {
  type MeetingLanes as Lanes,
  laneTicks,
  lineOf,
  minutesAndSeconds,
} from "../../state/meeting/meeting-lanes.ts";
import { meetingTime } from "../../state/meeting/meeting-times.ts";
import { texts } from "../../texts/texts.ts";
import styles from "./MeetingLanes.module.css";

const t = texts.meeting;

interface MeetingLanesProps {
  lanes: Lanes;
  /** It still goes on. */
  isLive: boolean;
  /** A line to go to, by its id. */
  onGo: (id: string) => void;
}

/** Who spoke when. A bar leads to its words; the arrow keys go from bar to bar of a lane. */
export const MeetingLanes = memo(function MeetingLanes({ lanes, isLive, onGo }: MeetingLanesProps) {
  const ticks = laneTicks(lanes);
  return (
    <div className={styles.lanes}>
      {(["me", "them"] as const).map((who) => (
        <div key={who} className={styles.lane} data-who={who}>
          <span aria-hidden="true">{t[who]}</span>
          <div
            className={styles.track}
            role="toolbar"
            aria-label={t.lane(t[who], minutesAndSeconds(lanes[who].spokenMs))}
            onKeyDown={onKeyDown}
          >
            {lanes[who].bars.map((bar, place) => (
              <button
                key={bar.id}
                type="button"
                tabIndex={place === 0 ? 0 : -1}
                style={{
                  insetInlineStart: `min(${bar.from * 100}%, 100% - 3px)`,
                  inlineSize: `max(3px, ${bar.width * 100}%)`,
                }}
                aria-label={t.goTo(meetingTime(bar.at), bar.text)}
                title={bar.text}
                onClick={(event) => onGo(event.detail === 0 ? bar.id : lineOf(bar, pointedAt(event, lanes)))}
              />
            ))}
          </div>
          <span className={styles.spent} aria-hidden="true">
            {minutesAndSeconds(lanes[who].spokenMs)}
          </span>
        </div>
      ))}
      <div className={styles.ticks} aria-hidden="true">
        {ticks.map(({ at, place }) => (
          <span key={place} style={{ insetInlineStart: `${place * 100}%` }}>
            {isLive && place === 1 ? t.now : meetingTime(at)}
          </span>
        ))}
      </div>
    </div>
  );
});

/** The time at which the pointer stands, in milliseconds since the epoch. */
function pointedAt({ clientX, currentTarget }: MouseEvent<HTMLElement>, lanes: Lanes): number {
  const box = currentTarget.parentElement?.getBoundingClientRect();
  if (!box) return lanes.startedAt;
  return lanes.startedAt + ((clientX - box.left) / box.width) * (lanes.endedAt - lanes.startedAt);
}

function onKeyDown(event: KeyboardEvent<HTMLElement>): void {
  const bars = [...event.currentTarget.querySelectorAll("button")];
  const place = bars.findIndex((bar) => bar.matches(":focus"));
  const next = {
    ArrowRight: Math.min(place + 1, bars.length - 1),
    ArrowLeft: Math.max(place - 1, 0),
    Home: 0,
    End: bars.length - 1,
  }[event.key];
  if (next === undefined || place < 0) return;
  event.preventDefault();
  bars[next]?.focus();
}
