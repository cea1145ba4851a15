import { memo, use, useState } from "react";
import type { TranscriptItem } from "../../../shared/conversation/transcript.ts";
import { RowActionsContext } from "../sessions/row-actions.ts";
import { FilledForm, QuestionForm } from "./QuestionForm.tsx";

export type QuestionItem = Extract<TranscriptItem, { kind: "question" }>;

/** The model asks: its options as buttons, or words of one's own. */
export const QuestionCard = memo(function QuestionCard({ item }: { item: QuestionItem }) {
  return (
    <section
      className={item.status === "waiting" ? "card waiting" : "card"}
      data-testid="question"
      data-key={item.key}
      data-status={item.status}
      aria-label={item.form ? `The server ${item.form.server} asks` : "The assistant asks"}
    >
      <div className="head">
        <b>{item.status === "waiting" ? "A question for you" : "Asked"}</b>
        {item.form && (
          <span>
            The MCP server <code>{item.form.server}</code> gets what you answer
          </span>
        )}
      </div>
      <p className="asks">{item.question}</p>
      {item.status === "waiting" &&
        (item.form ? <QuestionForm id={item.key} form={item.form} /> : <Answer item={item} />)}
      {item.status === "answered" &&
        (item.form ? (
          <FilledForm form={item.form} answer={item.answer ?? ""} />
        ) : (
          <p className="answered">You: {item.answer}</p>
        ))}
      {item.status === "dropped" && <p className="hint">The run ended before there was an answer.</p>}
    </section>
  );
});

function Answer({ item }: { item: QuestionItem }) {
  const { answerQuestion } = use(RowActionsContext);
  const [text, setText] = useState("");
  return (
    <>
      {item.options.length > 0 && (
        <div className="row">
          {item.options.map(({ label, description }) => (
            <button
              type="button"
              key={label}
              className="btn"
              title={description}
              onClick={() => answerQuestion(item.key, label)}
            >
              {label}
            </button>
          ))}
        </div>
      )}
      <form
        className="row"
        onSubmit={(event) => {
          event.preventDefault();
          if (text.trim() !== "") answerQuestion(item.key, text.trim());
        }}
      >
        <input
          aria-label="Your answer"
          data-testid="answer"
          placeholder={item.options.length > 0 ? "Or in your own words" : "Your answer"}
          value={text}
          onChange={(event) => setText(event.target.value)}
        />
        <button type="submit" className="btn primary" disabled={text.trim() === ""}>
          Answer
        </button>
      </form>
    </>
  );
}
