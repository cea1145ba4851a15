import { type KeyboardEvent, memo, use, useState } from "react";
import type { TranscriptItem } from "../../../shared/conversation/transcript.ts";
import type { ApprovalScope } from "../../../shared/safety/permissions.ts";
import { visibleText } from "../../../shared/safety/visible-text.ts";
import { approvalQuestion } from "../../state/conversation/wording.ts";
import { texts } from "../../texts/texts.ts";
import { RowActionsContext } from "../sessions/row-actions.ts";
import row from "../transcript/TranscriptRow.module.css";
import { DiffText } from "../transcript/tools/DiffText.tsx";
import styles from "../ui/Card.module.css";
import { LongerYes, WhatIsWritten } from "./LongerYes.tsx";
import { ConfirmOutside, OutsideFiles } from "./OutsideFiles.tsx";

const t = texts.approvals;

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
      className={`${styles.card} ${styles.waiting}`}
      data-testid="approval"
      data-key={key}
      data-status="waiting"
      aria-label={t.neededFor(name)}
      aria-keyshortcuts="Y S A N R"
      tabIndex={-1}
      onKeyDown={onKeyDown}
    >
      <div className={styles.head}>
        <b>{t.needed}</b>
        <span>
          {visibleText(approvalQuestion(item))}
          {item.wish === undefined && <code> {visibleText(name)}</code>}
        </span>
      </div>
      {source === "loopback" && <p className={styles.foreign}>{t.notSaidByYou}</p>}
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
        <div className={styles.row}>
          {!(holds && rules.length > 0) && (
            <button
              type="button"
              className="btn primary"
              data-testid="allow"
              title={holds ? t.allowHostTitle : lasts ? t.allowFromNowTitle : t.allowOnceTitle}
              onClick={allowOnce}
            >
              {holds ? t.longer.conversation : lasts ? t.allowFromNow : t.allowOnce}
            </button>
          )}
          {rules.length > 0 && <LongerYes rules={rules} isFirst={holds} onAllow={allow} />}
          <button
            type="button"
            className="btn"
            data-testid="deny"
            title={holds ? t.denyHostTitle : t.denyTitle}
            onClick={() => deny()}
          >
            {texts.common.deny}
          </button>
          <button type="button" className="btn ghost" onClick={() => setStep("deny")}>
            {t.denyWithReason}
          </button>
          <span className="sp" />
          {mayRunOutside && (
            <button
              type="button"
              className="btn ghost"
              data-testid="run-outside"
              title={t.runOutsideTitle}
              onClick={() => (changedToolFiles.length > 0 ? setStep("outside") : runOutside())}
            >
              {t.runOutside}
            </button>
          )}
        </div>
      )}
      {step === "choose" && <WhatIsWritten rules={rules} isHost={holds} />}
      {isListening && (
        <p className="hint" data-testid="spoken-words">
          {item.mayBeSpoken ? t.mayBeSpoken : t.onlyNoMayBeSpoken}
        </p>
      )}
    </section>
  );
});

function Reason({ onDeny, onCancel }: { onDeny: (reason: string) => void; onCancel: () => void }) {
  const [reason, setReason] = useState("");
  return (
    <form
      className={styles.row}
      onSubmit={(event) => {
        event.preventDefault();
        onDeny(reason.trim());
      }}
    >
      <input
        // biome-ignore lint/a11y/noAutofocus: the user has just asked for this box
        autoFocus
        aria-label={t.reason}
        placeholder={t.reasonPlaceholder}
        value={reason}
        onChange={(event) => setReason(event.target.value)}
        onKeyDown={(event) => {
          if (event.key !== "Escape") return;
          event.preventDefault();
          onCancel();
        }}
      />
      <button type="submit" className="btn">
        {texts.common.deny}
      </button>
    </form>
  );
}

const answeredFor = (wish: ApprovalItem["wish"], name: string): string => {
  if (wish?.tool !== undefined) return t.toolFrom(wish.tool, wish.who);
  return wish ? t.wished(wish.who, wish.what) : name;
};

/** What became of it, as one quiet line. */
export function ApprovalLine({ item }: { item: ApprovalItem }) {
  const { key, status, name, wish, reason, outside, holdsInConversation } = item;
  const scope = item.scope ?? (holdsInConversation && status === "allowed" ? "session" : "once");
  const what = visibleText(answeredFor(wish, name));
  return (
    <p className={row.note} data-testid="approval" data-key={key} data-status={status}>
      {status === "allowed" ? t.allowed(what) : t.denied(what)}
      {scope === "session" && t.inThisConversation}
      {scope === "always" && t.alwaysInThisFolder}
      {outside && t.outsideTheFence}
      {reason !== null && reason !== "" && ` (${reason})`}
    </p>
  );
}
