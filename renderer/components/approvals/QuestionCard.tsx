import { type KeyboardEvent, memo, use, useRef, useState } from "react";
import type { QuestionItem } from "../../../shared/conversation/transcript-items.ts";
import { rich } from "../../texts/rich.ts";
import { texts } from "../../texts/texts.ts";
import { RowActionsContext } from "../sessions/row-actions.ts";
import styles from "../ui/Card.module.css";
import { Icon } from "../ui/Icon.tsx";
import { AskingAgent } from "./AskingAgent.tsx";
import { useBegunWords } from "./begun-words.ts";
import { FilledForm, QuestionForm } from "./QuestionForm.tsx";
import { useFresh } from "./use-fresh.ts";
import { goToCard } from "./waiting-cards.ts";

const t = texts.approvals.question;

/** The model asks: its options as buttons, and words of one's own. With the card focused a digit chooses an option. */
export const QuestionCard = memo(function QuestionCard({ item }: { item: QuestionItem }) {
  return item.status === "waiting" ? <WaitingQuestion item={item} /> : <AnsweredQuestion item={item} />;
});

const labelOf = ({ form }: QuestionItem) => (form ? t.serverAsks(form.server) : t.assistantAsks);

function WaitingQuestion({ item }: { item: QuestionItem }) {
  const { answerQuestion } = use(RowActionsContext);
  const card = useRef<HTMLElement>(null);
  const { isFresh, takesPress, takesKey } = useFresh(card, item.key);
  const choose = (label: string) => {
    if (takesPress()) answerQuestion(item.key, label);
  };
  const onKeyDown = (event: KeyboardEvent<HTMLElement>) => {
    if (event.target !== event.currentTarget || event.ctrlKey || event.metaKey || event.altKey) return;
    if (event.repeat || goToCard(event)) return;
    const option = item.form ? undefined : item.options[Number(event.key) - 1];
    if (!option || !takesKey()) return;
    answerQuestion(item.key, option.label);
    event.preventDefault();
  };
  return (
    <section
      ref={card}
      className={`${styles.card} ${styles.waiting}`}
      data-testid="question"
      data-key={item.key}
      data-status="waiting"
      data-waits={item.key}
      data-fresh={isFresh || undefined}
      aria-label={labelOf(item)}
      tabIndex={-1}
      onKeyDown={onKeyDown}
    >
      <div className={styles.head}>
        <Icon name="chat" />
        <b>{t.title}</b>
        {item.form ? (
          <span>{rich(t.serverGetsAnswer(<code>{item.form.server}</code>))}</span>
        ) : (
          <span className={styles.what} dir="auto">
            {item.question}
          </span>
        )}
      </div>
      <AskingAgent agentId={item.agentId} />
      {item.form ? (
        <>
          <p dir="auto">{item.question}</p>
          <QuestionForm id={item.key} form={item.form} />
        </>
      ) : (
        <Answer item={item} isFresh={isFresh} onChoose={choose} onLeave={() => card.current?.focus()} />
      )}
    </section>
  );
}

function AnsweredQuestion({ item }: { item: QuestionItem }) {
  return (
    <section
      className={styles.card}
      data-testid="question"
      data-key={item.key}
      data-status={item.status}
      aria-label={labelOf(item)}
    >
      <div className={styles.head}>
        <Icon name="chat" />
        <b>{t.asked}</b>
        {item.form && <span>{rich(t.serverGetsAnswer(<code>{item.form.server}</code>))}</span>}
      </div>
      <p dir="auto">{item.question}</p>
      {item.status === "answered" &&
        (item.form ? (
          <FilledForm form={item.form} answer={item.answer ?? ""} />
        ) : (
          <p>{t.you(item.answer ?? "")}</p>
        ))}
      {item.status === "dropped" && <p className="hint">{t.dropped}</p>}
    </section>
  );
}

interface AnswerProps {
  item: QuestionItem;
  isFresh: boolean;
  onChoose: (label: string) => void;
  /** The box for words of one's own was closed. */
  onLeave: () => void;
}

function Answer({ item, isFresh, onChoose, onLeave }: AnswerProps) {
  const { answerQuestion } = use(RowActionsContext);
  const [begun, write] = useBegunWords(`answer ${item.key}`);
  const text = begun ?? "";
  const hasOptions = item.options.length > 0;
  const [box, setBox] = useState<"closed" | "there" | "asked for">(
    hasOptions && text === "" ? "closed" : "there",
  );
  return (
    <>
      {hasOptions && (
        <div className={item.options.some(({ description }) => description) ? styles.options : styles.row}>
          {item.options.map(({ label, description }, index) => (
            <button
              type="button"
              key={label}
              className="btn"
              aria-disabled={isFresh}
              onClick={() => onChoose(label)}
            >
              <span dir="auto">{label}</span>
              {index < 9 && <kbd>{index + 1}</kbd>}
              {description && <small>{description}</small>}
            </button>
          ))}
          {box === "closed" && (
            <button
              type="button"
              className="btn ghost"
              data-testid="something-else"
              onClick={() => setBox("asked for")}
            >
              {t.somethingElse}
            </button>
          )}
        </div>
      )}
      {box !== "closed" && (
        <form
          className={styles.row}
          onSubmit={(event) => {
            event.preventDefault();
            if (text.trim() !== "") answerQuestion(item.key, text.trim());
          }}
        >
          <input
            // biome-ignore lint/a11y/noAutofocus: only where the user has just asked for this box
            autoFocus={box === "asked for"}
            aria-label={t.yourAnswer}
            data-testid="answer"
            placeholder={t.yourAnswer}
            dir="auto"
            value={text}
            onChange={(event) => write(event.target.value)}
            onKeyDown={(event) => {
              // While an input method composes, Esc belongs to it.
              if (!hasOptions || event.key !== "Escape" || event.nativeEvent.isComposing) return;
              event.preventDefault();
              setBox("closed");
              onLeave();
            }}
          />
          <button type="submit" className="btn primary" disabled={text.trim() === ""}>
            {t.answer}
          </button>
        </form>
      )}
    </>
  );
}
