import { memo } from "react";
import { answerParts } from "../../../../shared/conversation/answer-parts.ts";
import type { TranscriptItem } from "../../../../shared/conversation/transcript.ts";
import { texts } from "../../../texts/texts.ts";
import { Icon } from "../../ui/Icon.tsx";
import { Markdown } from "../markdown/Markdown.tsx";
import { useOpenLine } from "../tools/open-lines-context.ts";
import styles from "./CommandAnswer.module.css";

const t = texts.transcript;

/** Its words, and its facts in rows. */
const Answer = memo(function Answer({ output }: { output: string }) {
  return answerParts(output).map((part, index) =>
    part.kind === "text" ? (
      // biome-ignore lint/suspicious/noArrayIndexKey: the parts of an answer stay where they are
      <Markdown key={index} text={part.text} streaming={false} />
    ) : (
      // biome-ignore lint/suspicious/noArrayIndexKey: the parts of an answer stay where they are
      <dl key={index} className={styles[part.kind]} data-testid={`answer-${part.kind}`}>
        {part.rows.map(({ name, value }, at) => (
          // biome-ignore lint/suspicious/noArrayIndexKey: as above
          <div key={at}>
            <dt>
              <Markdown text={name} streaming={false} />
            </dt>
            <dd>
              <Markdown text={value} streaming={false} />
            </dd>
          </div>
        ))}
      </dl>
    ),
  );
});

/** What a command answered, for the user alone; closed, it is out of the way for as long as the window is there. */
export function CommandAnswer({ item }: { item: Extract<TranscriptItem, { kind: "command" }> }) {
  const [isOpen, toggle] = useOpenLine(item.key, true);
  if (!isOpen) return null;
  return (
    <section
      className={styles.told}
      data-testid="command-answer"
      data-key={item.key}
      aria-label={t.answerTo(item.line)}
    >
      <div className={styles.cap}>
        <code>{item.line}</code>
        {item.isError && (
          <span className={styles.bad} data-beside="">
            <Icon name="alert" size={14} />
            {t.couldNotRun}
          </span>
        )}
        <span className="sp" />
        <span className={styles.own} data-beside="">
          {t.onlyYou}
        </span>
        <button
          type="button"
          className="btn icon ghost"
          aria-label={texts.common.close}
          title={texts.common.close}
          onClick={toggle}
        >
          <Icon name="close" size={14} />
        </button>
      </div>
      <Answer output={item.output} />
    </section>
  );
}
