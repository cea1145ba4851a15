import { use } from "react";
import type { Activity, ConversationView } from "../../../../shared/conversation/transcript.ts";
import { wholeSeconds } from "../../../state/conversation/wording.ts";
import { texts } from "../../../texts/texts.ts";
import { RowActionsContext } from "../../sessions/row-actions.ts";
import { useNow } from "../../ui/use-now.ts";
import styles from "./ActivityLine.module.css";

const t = texts.transcript;

/** The quiet line while there is nothing to read yet: what is going on, and for how long. */
export function ActivityLine({ view, modelLabel }: { view: ConversationView; modelLabel: string }) {
  // The run does nothing by itself now, whatever tools wait: the card that waits says so.
  if (view.state === "awaiting_input") return null;
  if (view.activity) return <Ticking activity={view.activity} modelLabel={modelLabel} />;
  const last = view.items.at(-1);
  const isReading = last?.kind === "assistant" && last.streaming;
  return view.state === "processing" && !isReading ? <Line>{t.working}</Line> : null;
}

function Ticking({ activity, modelLabel }: { activity: Activity; modelLabel: string }) {
  const elapsedMs = useNow() - activity.since;
  if (activity.kind === "retry") {
    const leftMs = activity.delayMs - elapsedMs;
    const reason = activity.reason.replace(/[.\s]+$/, "");
    return (
      <RetryLine isWaiting={leftMs > 0}>
        {leftMs > 0
          ? t.retryingIn(reason, wholeSeconds(leftMs), activity.attempt, activity.of)
          : t.retrying(reason, activity.attempt, activity.of)}
      </RetryLine>
    );
  }
  const what =
    activity.kind === "model" ? t.waitingFor(modelLabel) : t.running(counted(activity.names).join(", "));
  return (
    <Line>
      {what} <span>{t.elapsed(wholeSeconds(elapsedMs))}</span>
    </Line>
  );
}

/** What is tried again by itself, and the ways not to wait for it. */
function RetryLine({ children, isWaiting }: { children: React.ReactNode; isWaiting: boolean }) {
  const { tryNow, stop } = use(RowActionsContext);
  return (
    <div className={`${styles.activity} ${styles.retry}`} data-testid="activity" data-retry="">
      <span className={styles.pulse} aria-hidden="true" />
      <span className={styles.words}>{children}</span>
      {tryNow && isWaiting && (
        <button type="button" className="btn small ghost" title={t.tryNowTitle} onClick={tryNow}>
          {t.tryNow}
        </button>
      )}
      {stop && (
        <button type="button" className="btn small ghost" title={t.stopTryingTitle} onClick={stop}>
          {t.stopTrying}
        </button>
      )}
    </div>
  );
}

function Line({ children }: { children: React.ReactNode }) {
  return (
    <p className={styles.activity} data-testid="activity">
      <span className={styles.pulse} aria-hidden="true" />
      <span>{children}</span>
    </p>
  );
}

/** Names with how often they occur: `read_file × 3`. */
function counted(names: readonly string[]): string[] {
  const counts = new Map<string, number>();
  for (const name of names) counts.set(name, (counts.get(name) ?? 0) + 1);
  return [...counts].map(([name, count]) => (count > 1 ? t.toolTimes(name, count) : name));
}
