import { type KeyboardEvent, memo, use, useState } from "react";
import type { TranscriptItem } from "../../../shared/conversation/transcript.ts";
import type { ApprovalScope } from "../../../shared/safety/permissions.ts";
import { visibleText } from "../../../shared/safety/visible-text.ts";
import { wishWords } from "../../state/conversation/wording.ts";
import { RowActionsContext } from "../sessions/row-actions.ts";
import { DiffText } from "../transcript/DiffText.tsx";
import { LongerYes, WhatIsWritten } from "./LongerYes.tsx";
import { ConfirmOutside, OutsideFiles } from "./OutsideFiles.tsx";

export type ApprovalItem = Extract<TranscriptItem, { kind: "approval" }>;

interface ApprovalCardProps {
  item: ApprovalItem;
  /** The microphone is heard: the card says what becomes of what is said. */
  isListening?: boolean;
}

/**
 * A tool waits for the user's word: exactly what will run or change, and what a yes would mean. With the card focused:
 * Y once, S in this conversation, A always in this folder, N no, R no with a reason.
 */
export const ApprovalCard = memo(function ApprovalCard({ item, isListening = false }: ApprovalCardProps) {
  const { answerApproval } = use(RowActionsContext);
  const [step, setStep] = useState<"choose" | "deny" | "outside">("choose");
  const { key, name, detail, diff, why, rules = [], source, mayRunOutside, changedToolFiles = [] } = item;
  const { who, words } = wishWords(item);
  const allow = (scope: ApprovalScope) => answerApproval(key, true, undefined, { scope });
  // A yes to a host holds for the conversation whatever it is called: no button says otherwise.
  const holds = item.holdsInConversation === true;
  const lasts = item.wish?.lasts === true;
  const allowOnce = () => allow(holds && rules.length > 0 ? "session" : "once");
  const deny = (reason?: string) => answerApproval(key, false, reason);
  const runOutside = () => answerApproval(key, true, undefined, { outside: true });
  const onKeyDown = (event: KeyboardEvent<HTMLElement>) => {
    // Keys that were meant for a button or a text box are theirs; one that is held down was meant for the card before.
    if (event.target !== event.currentTarget || event.ctrlKey || event.metaKey || event.altKey) return;
    if (event.repeat) return;
    const letter = event.key.toLowerCase();
    if (letter === "y") allowOnce();
    else if (letter === "s" && rules.length > 0) allow("session");
    else if (letter === "a" && rules.length > 0) allow("always");
    else if (letter === "n") deny();
    else if (letter === "r") setStep("deny");
    else return;
    event.preventDefault();
  };
  return (
    <section
      className="card waiting"
      data-testid="approval"
      data-key={key}
      data-status="waiting"
      aria-label={`${name} needs your word`}
      aria-keyshortcuts="Y S A N R"
      tabIndex={-1}
      onKeyDown={onKeyDown}
    >
      <div className="head">
        <b>Needs your word</b>
        <span>
          <code>{visibleText(who)}</code> {visibleText(words)}
        </span>
      </div>
      {source === "loopback" && <p className="foreign">Heard on this computer, not said by you.</p>}
      {why !== undefined && <p className="hint">{visibleText(why)}</p>}
      {diff === undefined ? (
        // biome-ignore lint/a11y/noNoninteractiveTabindex: it scrolls, and the keyboard must reach it
        <pre tabIndex={0}>{visibleText(detail)}</pre>
      ) : (
        <DiffText diff={diff} />
      )}
      {changedToolFiles.length > 0 && <OutsideFiles paths={changedToolFiles} />}
      {step === "deny" && <Reason onDeny={deny} onCancel={() => setStep("choose")} />}
      {step === "outside" && <ConfirmOutside onRun={runOutside} onCancel={() => setStep("choose")} />}
      {step === "choose" && (
        <div className="row">
          {!(holds && rules.length > 0) && (
            <button
              type="button"
              className="btn primary"
              data-testid="allow"
              title={`${lasts ? "From now on" : holds ? "Until Parley ends" : "Let it run this once"} (Ctrl/Cmd+Shift+Y)`}
              onClick={allowOnce}
            >
              {lasts ? "Allow" : holds ? "Allow in this conversation" : "Allow once"}
            </button>
          )}
          {rules.length > 0 && <LongerYes rules={rules} isFirst={holds} onAllow={allow} />}
          <button
            type="button"
            className="btn"
            data-testid="deny"
            title={`${holds ? "No command of this conversation reaches it until Parley ends" : "Do not run it"} (Ctrl/Cmd+Shift+X)`}
            onClick={() => deny()}
          >
            Deny
          </button>
          <button type="button" className="btn ghost" onClick={() => setStep("deny")}>
            Deny, and say why
          </button>
          <span className="sp" />
          {mayRunOutside && (
            <button
              type="button"
              className="btn ghost"
              data-testid="run-outside"
              title="Run this once without the fence: it can do whatever you can"
              onClick={() => (changedToolFiles.length > 0 ? setStep("outside") : runOutside())}
            >
              Run outside
            </button>
          )}
        </div>
      )}
      {step === "choose" && <WhatIsWritten rules={rules} isHost={holds} />}
      {isListening && (
        <p className="hint" data-testid="spoken-words">
          {item.mayBeSpoken
            ? "Say yes or no, and nothing else, to answer. Other spoken words wait until this is answered."
            : "Say no to deny it; a yes takes a click. Other spoken words wait until this is answered."}
        </p>
      )}
    </section>
  );
});

function Reason({ onDeny, onCancel }: { onDeny: (reason: string) => void; onCancel: () => void }) {
  const [reason, setReason] = useState("");
  return (
    <form
      className="row"
      onSubmit={(event) => {
        event.preventDefault();
        onDeny(reason.trim());
      }}
    >
      <input
        // biome-ignore lint/a11y/noAutofocus: the user has just asked for this box
        autoFocus
        aria-label="Why not? The model sees this"
        placeholder="Why not? The model sees this (may stay empty)"
        value={reason}
        onChange={(event) => setReason(event.target.value)}
        onKeyDown={(event) => {
          if (event.key !== "Escape") return;
          event.preventDefault();
          onCancel();
        }}
      />
      <button type="submit" className="btn">
        Deny
      </button>
    </form>
  );
}

/** What became of it, as one quiet line. */
export function ApprovalLine({ item }: { item: ApprovalItem }) {
  const { key, status, name, wish, reason, outside, holdsInConversation } = item;
  const scope = item.scope ?? (holdsInConversation && status === "allowed" ? "session" : "once");
  return (
    <p className="note" data-testid="approval" data-key={key} data-status={status}>
      {status === "allowed" ? "✓ Allowed" : "✕ Denied"}:{" "}
      {visibleText(wish ? `${wish.who} ${wish.what}` : name)}
      {scope === "session" && " (in this conversation)"}
      {scope === "always" && " (always, in this folder)"}
      {outside && " (outside of the fence)"}
      {reason !== null && reason !== "" && ` (${reason})`}
    </p>
  );
}
