import { memo, useState } from "react";
import { withoutTagLines } from "../../../../shared/conversation/data-marks.ts";
import type { TranscriptItem } from "../../../../shared/conversation/transcript.ts";
import { latestLine, toolInputText, toolSummary } from "../../../state/conversation/tool-summary.ts";
import { duration, wholeSeconds } from "../../../state/conversation/wording.ts";
import { texts } from "../../../texts/texts.ts";
import { useNow } from "../../ui/use-now.ts";
import styles from "./ToolCard.module.css";

const t = texts.transcript.tool;

export type ToolItem = Extract<TranscriptItem, { kind: "tool" }>;

const marks = {
  running: { sign: "", label: t.running },
  done: { sign: "✓", label: t.done },
  failed: { sign: "✕", label: t.failed },
} as const;

/** One tool call: what, how it went and how long it took; opened, what went in and what came out. */
export const ToolCard = memo(function ToolCard({ item }: { item: ToolItem }) {
  const [isOpen, setIsOpen] = useState(false);
  const mark = marks[item.status];
  return (
    <details
      className={`${styles.tool} ${styles[item.status]}`}
      data-testid="tool-card"
      data-key={item.key}
      data-status={item.status}
      onToggle={(event) => setIsOpen(event.currentTarget.open)}
    >
      <summary title={t.title}>
        <span className={styles.mark} role="img" aria-label={mark.label}>
          {mark.sign}
        </span>
        <span className={styles.name}>{item.name}</span>
        <span className={styles.what}>{toolSummary(item.input)}</span>
        {item.status === "running" && item.output !== "" && (
          <span className={styles.latest}>{latestLine(withoutTagLines(item.output))}</span>
        )}
        <span className={styles.ms}>
          {item.durationMs === null ? <Elapsed since={item.startedAt} /> : duration(item.durationMs)}
        </span>
      </summary>
      {isOpen && <Inside item={item} />}
    </details>
  );
});

/** Made only when open: outputs can be long, and most are never looked at. */
function Inside({ item }: { item: ToolItem }) {
  return (
    <div className={styles.inside} data-testid="tool-inside">
      <h3>{t.input}</h3>
      {/* biome-ignore lint/a11y/noNoninteractiveTabindex: it scrolls, and the keyboard must reach it */}
      <pre tabIndex={0}>{toolInputText(item.input)}</pre>
      <h3>{item.status === "failed" ? t.error : t.output}</h3>
      {/* biome-ignore lint/a11y/noNoninteractiveTabindex: it scrolls, and the keyboard must reach it */}
      <pre tabIndex={0}>
        {withoutTagLines(item.output) || (item.status === "running" ? t.noOutputYet : t.noOutput)}
      </pre>
    </div>
  );
}

const Elapsed = ({ since }: { since: number }) => wholeSeconds(useNow() - since);
