import { Fragment, useEffect, useState } from "react";
import type { SessionSummary } from "../../../shared/conversation/sessions.ts";
import type { TranscriptItem } from "../../../shared/conversation/transcript.ts";
import { visibleText } from "../../../shared/safety/visible-text.ts";
import { readDiff } from "../../state/conversation/diff-lines.ts";
import { approvalQuestion, keyLabel } from "../../state/conversation/wording.ts";
import { mayBeAllowedWithOthers, waitingApprovals, waitsForUser } from "../../state/page-state.ts";
import { waitingFor } from "../../state/sessions/waiting.ts";
import { type Signal, useSignal } from "../../state/signal.ts";
import { texts } from "../../texts/texts.ts";
import { Counts } from "../transcript/tools/DiffView.tsx";
import { Icon } from "../ui/Icon.tsx";
import styles from "./WaitBar.module.css";
import { focusCard, waitingCard } from "./waiting-cards.ts";

const t = texts.approvals;

interface WaitBarProps {
  items: readonly TranscriptItem[];
  /** Other conversations that wait, longest first. */
  elsewhere: readonly SessionSummary[];
  platform: string | undefined;
  /** The user asks for the keyboard to go to what waits; what comes by itself never takes it. */
  focusWanted: Signal;
  /** The same for one of them, by its key. */
  cardWanted?: Signal<string>;
  /** Brings the cards back where something stands in their place, such as the page of a meeting. Absent: they are there. */
  bringBack?: (() => void) | undefined;
  onAnswerAll: (allowed: boolean) => void;
  onShow: (conversationId: string) => void;
}

/** One bar above the text box that counts what waits and leads to it. Quiet while the first card is in sight. */
export function WaitBar(props: WaitBarProps) {
  const { items, elsewhere, platform, focusWanted, cardWanted, bringBack, onAnswerAll, onShow } = props;
  const approvals = waitingApprovals(items);
  const waiting = items.filter(waitsForUser);
  const [first] = waiting;
  const isInSight = useInSight(bringBack ? undefined : first?.key) && bringBack === undefined;
  const goToFirst = () => first !== undefined && goTo(first.key);
  useSignal(focusWanted, goToFirst);
  useSignal(cardWanted, goTo);
  const [other, ...more] = elsewhere;
  // Nobody has read a card that is not on the page.
  const readable = bringBack ? [] : approvals;
  const several = readable.filter(mayBeAllowedWithOthers).length > 1;
  return (
    <>
      {other && (
        <div className={styles.waits} data-testid="waits-elsewhere">
          <Icon name="hand" />
          <b>{waitingFor(other)}</b>
          <bdi className={styles.clip}>{other.title}</bdi>
          {more.length > 0 && <span className={styles.more}>{t.elsewhereMore(more.length)}</span>}
          <span className="sp" />
          <ShowButton platform={platform} hasKey={!first} onClick={() => onShow(other.conversationId)} />
        </div>
      )}
      {first && !(approvals.length === 0 && isInSight) && (
        <div
          className={isInSight ? `${styles.waits} ${styles.near}` : styles.waits}
          data-testid="waits"
          data-in-sight={isInSight}
        >
          <Icon name="hand" />
          <b>{t.countWaiting(waiting.length)}</b>
          {!isInSight && first && <What item={first} />}
          <span className="sp" />
          {several && (
            <button
              type="button"
              className="btn small ghost"
              data-testid="allow-all"
              title={t.allowAllTitle}
              onClick={() => onAnswerAll(true)}
            >
              {t.allowAll}
            </button>
          )}
          {readable.length > 1 && (
            <button
              type="button"
              className="btn small ghost"
              data-testid="deny-all"
              title={t.denyAllTitle}
              onClick={() => onAnswerAll(false)}
            >
              {t.denyAll}
            </button>
          )}
          {isInSight && !several ? (
            <>
              <span className={styles.key}>
                <kbd>{keyLabel(platform, "Y", true)}</kbd> {t.allowsOnce}
              </span>
              <span className={styles.key}>
                <kbd>{keyLabel(platform, "X", true)}</kbd> {t.denies}
              </span>
            </>
          ) : (
            !isInSight && <ShowButton platform={platform} hasKey onClick={bringBack ?? goToFirst} />
          )}
        </div>
      )}
    </>
  );
}

/** @returns whether it is on the page */
function goTo(key: string): boolean {
  const card = waitingCard(key);
  if (card) focusCard(card);
  return card !== null;
}

/** What is asked first, in one line. */
function What({ item }: { item: TranscriptItem }) {
  if (item.kind === "question")
    return <bdi className={`${styles.clip} ${styles.what}`}>{visibleText(item.question)}</bdi>;
  if (item.kind !== "approval") return null;
  return (
    <span className={`${styles.clip} ${styles.what}`}>
      {visibleText(approvalQuestion(item))}{" "}
      {item.diff === undefined ? (
        <code>{visibleText(item.detail)}</code>
      ) : (
        readDiff(visibleText(item.diff)).map(({ path, added, removed }) => (
          <Fragment key={path}>
            <code>{path}</code> <Counts added={added} removed={removed} />{" "}
          </Fragment>
        ))
      )}
    </span>
  );
}

function ShowButton(props: { platform: string | undefined; hasKey: boolean; onClick: () => void }) {
  return (
    <button
      type="button"
      className={`btn small ghost ${styles.show}`}
      data-testid="show-waiting"
      title={t.showTitle}
      onClick={props.onClick}
    >
      <span>{t.show}</span>
      {props.hasKey && <kbd>{keyLabel(props.platform, "A", true)}</kbd>}
    </button>
  );
}

/** Whether enough of a card is on the page to be read. */
function useInSight(key: string | undefined): boolean {
  const [isInSight, setInSight] = useState(true);
  useEffect(() => {
    const card = key === undefined ? null : waitingCard(key);
    if (!card) return;
    const observer = new IntersectionObserver(
      (entries) => setInSight((entries.at(-1)?.intersectionRatio ?? 1) >= 0.5),
      { threshold: [0, 0.5, 1] },
    );
    observer.observe(card);
    return () => observer.disconnect();
  }, [key]);
  return isInSight;
}
