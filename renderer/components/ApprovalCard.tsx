import { memo, use, useState } from "react";
import type { TranscriptItem } from "../../shared/transcript.ts";
import { effectWords } from "../state/wording.ts";
import { RowActionsContext } from "./row-actions.ts";

export type ApprovalItem = Extract<TranscriptItem, { kind: "approval" }>;

/** A tool waits for the user's word: exactly what will run or change, Allow or Deny. Afterwards one quiet line. */
export const ApprovalCard = memo(function ApprovalCard({ item }: { item: ApprovalItem }) {
  if (item.status === "waiting") return <Waiting item={item} />;
  return (
    <p className="note" data-testid="approval" data-key={item.key} data-status={item.status}>
      {item.status === "allowed" ? "✓ Allowed" : "✕ Denied"}: {item.name}
      {item.reason !== null && item.reason !== "" && ` (${item.reason})`}
    </p>
  );
});

function Waiting({ item }: { item: ApprovalItem }) {
  const { answerApproval } = use(RowActionsContext);
  const [isDenying, setIsDenying] = useState(false);
  const [reason, setReason] = useState("");
  return (
    <section
      className="card waiting"
      data-testid="approval"
      data-key={item.key}
      data-status="waiting"
      aria-label={`${item.name} needs your word`}
    >
      <div className="head">
        <b>Needs your word</b>
        <span>
          <code>{item.name}</code> {effectWords[item.effect]}
        </span>
      </div>
      {/* biome-ignore lint/a11y/noNoninteractiveTabindex: it scrolls, and the keyboard must reach it */}
      <pre tabIndex={0}>{item.detail}</pre>
      {isDenying ? (
        <form
          className="row"
          onSubmit={(event) => {
            event.preventDefault();
            answerApproval(item.key, false, reason.trim());
          }}
        >
          <input
            // biome-ignore lint/a11y/noAutofocus: the user has just asked for this box
            autoFocus
            aria-label="Why not? The model sees this"
            placeholder="Why not? The model sees this (may stay empty)"
            value={reason}
            onChange={(event) => setReason(event.target.value)}
          />
          <button type="submit" className="btn">
            Deny
          </button>
        </form>
      ) : (
        <div className="row">
          <button
            type="button"
            className="btn primary"
            data-testid="allow"
            title="Let it run this once (Ctrl/Cmd+Shift+Y)"
            onClick={() => answerApproval(item.key, true)}
          >
            Allow
          </button>
          <button
            type="button"
            className="btn"
            data-testid="deny"
            title="Do not run it (Ctrl/Cmd+Shift+X)"
            onClick={() => answerApproval(item.key, false)}
          >
            Deny
          </button>
          <span className="sp" />
          <button type="button" className="btn ghost" onClick={() => setIsDenying(true)}>
            Deny, and say why
          </button>
        </div>
      )}
    </section>
  );
}
