import { memo, use, useState } from "react";
import type { TranscriptItem } from "../../../shared/conversation/transcript.ts";
import { rich } from "../../texts/rich.ts";
import { texts } from "../../texts/texts.ts";
import { RowActionsContext } from "../sessions/row-actions.ts";
import styles from "../ui/Card.module.css";
import { FilledForm, QuestionForm } from "./QuestionForm.tsx";

const t = texts.approvals.question;

export type QuestionItem = Extract<TranscriptItem, { kind: "question" }>;

/** The model asks: its options as buttons, or words of one's own. */
export const QuestionCard = memo(function QuestionCard({ item }: { item: QuestionItem }) {
  return (
    <section
      className={item.status === "waiting" ? `${styles.card} ${styles.waiting}` : styles.card}
      data-testid="question"
      data-key={item.key}
      data-status={item.status}
      aria-label={item.form ? t.serverAsks(item.form.server) : t.assistantAsks}
    >
      <div className={styles.head}>
        <b>{item.status === "waiting" ? t.title : t.asked}</b>
        {item.form && <span>{rich(t.serverGetsAnswer(<code>{item.form.server}</code>))}</span>}
      </div>
      <p>{item.question}</p>
      {item.status === "waiting" &&
        (item.form ? <QuestionForm id={item.key} form={item.form} /> : <Answer item={item} />)}
      {item.status === "answered" &&
        (item.form ? (
          <FilledForm form={item.form} answer={item.answer ?? ""} />
        ) : (
          <p>{t.you(item.answer ?? "")}</p>
        ))}
      {item.status === "dropped" && <p className="hint">{t.dropped}</p>}
    </section>
  );
});

function Answer({ item }: { item: QuestionItem }) {
  const { answerQuestion } = use(RowActionsContext);
  const [text, setText] = useState("");
  return (
    <>
      {item.options.length > 0 && (
        <div className={item.options.some(({ description }) => description) ? styles.options : styles.row}>
          {item.options.map(({ label, description }) => (
            <button type="button" key={label} className="btn" onClick={() => answerQuestion(item.key, label)}>
              <span>{label}</span>
              {description && <small>{description}</small>}
            </button>
          ))}
        </div>
      )}
      <form
        className={styles.row}
        onSubmit={(event) => {
          event.preventDefault();
          if (text.trim() !== "") answerQuestion(item.key, text.trim());
        }}
      >
        <input
          aria-label={t.yourAnswer}
          data-testid="answer"
          placeholder={item.options.length > 0 ? t.inYourWords : t.yourAnswer}
          value={text}
          onChange={(event) => setText(event.target.value)}
        />
        <button type="submit" className="btn primary" disabled={text.trim() === ""}>
          {t.answer}
        </button>
      </form>
    </>
  );
}
