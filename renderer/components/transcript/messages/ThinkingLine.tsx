import { memo, useState } from "react";
import type { Thinking } from "../../../../shared/conversation/transcript-items.ts";
import { wholeSeconds } from "../../../state/conversation/wording.ts";
import { texts } from "../../../texts/texts.ts";
import { Icon } from "../../ui/Icon.tsx";
import { Markdown } from "../markdown/Markdown.tsx";
import styles from "./ThinkingLine.module.css";

const t = texts.transcript;

/** That a reply was thought about, and for how long; opens to what was thought. Folded, nothing of it is rendered. */
export const ThinkingLine = memo(function ThinkingLine({ thinking }: { thinking: Thinking }) {
  const [isOpen, setOpen] = useState(false);
  const { text, isGoingOn, ms } = thinking;
  return (
    <div className={styles.thinking} data-beside="" data-testid="thinking" data-going-on={isGoingOn}>
      <button type="button" aria-expanded={isOpen} title={t.thinkingTitle} onClick={() => setOpen(!isOpen)}>
        <span className={styles.mark} aria-hidden="true">
          <Icon name="right" size={12} />
        </span>
        {isGoingOn ? `${t.thinking}…` : ms === null || ms < 1000 ? t.thought : t.thoughtFor(wholeSeconds(ms))}
      </button>
      {isOpen && (
        <div className={styles.text} data-testid="thinking-text">
          <Markdown text={text} streaming={isGoingOn} />
        </div>
      )}
    </div>
  );
});
