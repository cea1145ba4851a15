import type { ConversationView, TranscriptItem } from "../../../shared/conversation/transcript.ts";
import type { ScrollWish } from "../../state/obey.ts";
import { waitsForUser } from "../../state/page-state.ts";
import { type Signal, useSignal } from "../../state/signal.ts";
import type { Trust } from "../../state/trust.ts";
import { texts } from "../../texts/texts.ts";
import { TrustPlace } from "../approvals/TrustCard.tsx";
import { TranscriptRows, useRows } from "../transcript/TranscriptRows.tsx";
import line from "../transcript/tools/ActivityLine.module.css";
import { ActivityLine } from "../transcript/tools/ActivityLine.tsx";
import { scrollAsSaid, useStickToBottom } from "../transcript/use-stick-to-bottom.ts";
import styles from "./QuickPrompt.module.css";

interface QuickAnswerProps {
  /** null while the prompt waits behind another run: of that run only what waits for the user is shown. */
  items: TranscriptItem[] | null;
  view: ConversationView;
  trust: Trust;
  modelLabel: string;
  scrollWanted: Signal<ScrollWish>;
}

/** The answer, compactly. What can be done about an error is done in the main window, so there is no Retry here. */
export function QuickAnswer({ items, view, trust, modelLabel, scrollWanted }: QuickAnswerProps) {
  const { scroller, content, jump } = useStickToBottom();
  useSignal(scrollWanted, (way) => scrollAsSaid(way, scroller.current, jump));
  const rows = useRows((items ?? view.items.filter(waitsForUser)).map(withoutRetry));
  return (
    <div
      className={styles.quickAnswer}
      data-testid="transcript"
      ref={scroller}
      role="log"
      aria-label={texts.quick.answer}
      // biome-ignore lint/a11y/noNoninteractiveTabindex: it scrolls, and the keyboard must reach it
      tabIndex={0}
    >
      <div className="col" ref={content}>
        {items === null && <p className={line.activity}>{texts.quick.waiting}</p>}
        <TranscriptRows rows={rows} onRetry={nothing} />
        <TrustPlace trust={trust} />
        {items !== null && !isAnswered(items) && <ActivityLine view={view} modelLabel={modelLabel} />}
      </div>
    </div>
  );
}

const nothing = () => {};

const withoutRetry = (item: TranscriptItem): TranscriptItem =>
  item.kind === "error" && item.canRetry ? { ...item, canRetry: false } : item;

const isAnswered = (items: readonly TranscriptItem[]): boolean => {
  const last = items.at(-1);
  return last?.kind === "error" || last?.kind === "command";
};
