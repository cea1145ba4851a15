import type { ConversationView, TranscriptItem } from "../../../shared/conversation/transcript.ts";
import type { Trust } from "../../state/trust.ts";
import { texts } from "../../texts/texts.ts";
import { ApprovalList } from "../approvals/ApprovalList.tsx";
import { TrustPlace } from "../approvals/TrustCard.tsx";
import { TranscriptRow } from "../transcript/TranscriptRow.tsx";
import line from "../transcript/tools/ActivityLine.module.css";
import { ActivityLine } from "../transcript/tools/ActivityLine.tsx";
import { useStickToBottom } from "../transcript/use-stick-to-bottom.ts";
import styles from "./QuickPrompt.module.css";

interface QuickAnswerProps {
  /** null while the prompt waits behind another run. */
  items: TranscriptItem[] | null;
  view: ConversationView;
  trust: Trust;
  modelLabel: string;
}

/** The answer, compactly. What can be done about an error is done in the main window, so there is no Retry here. */
export function QuickAnswer({ items, view, trust, modelLabel }: QuickAnswerProps) {
  const { scroller, content } = useStickToBottom();
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
        {items?.map((item) => (
          <TranscriptRow key={item.key} item={withoutRetry(item)} onRetry={nothing} />
        ))}
        <TrustPlace trust={trust} />
        <ApprovalList items={view.items} />
        {items !== null && !isAnswered(items) && <ActivityLine view={view} modelLabel={modelLabel} />}
      </div>
    </div>
  );
}

const nothing = () => {};

const withoutRetry = (item: TranscriptItem): TranscriptItem =>
  item.kind === "error" ? { ...item, canRetry: false } : item;

const isAnswered = (items: readonly TranscriptItem[]): boolean => {
  const last = items.at(-1);
  return last?.kind === "error" || last?.kind === "command";
};
