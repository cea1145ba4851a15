import { type KeyboardEvent, memo, type ReactNode, use, useRef, useState } from "react";
import type { ApprovalItem } from "../../../shared/conversation/transcript-items.ts";
import { type ApprovalScope, isEdits } from "../../../shared/safety/permissions.ts";
import { visibleText } from "../../../shared/safety/visible-text.ts";
import { approvalQuestion, wholeSeconds } from "../../state/conversation/wording.ts";
import { latinKey } from "../../state/keys/latin-key.ts";
import { texts } from "../../texts/texts.ts";
import { RowActionsContext } from "../sessions/row-actions.ts";
import { ColouredCode } from "../transcript/code/ColouredCode.tsx";
import { DiffView } from "../transcript/tools/DiffView.tsx";
import styles from "../ui/Card.module.css";
import { CodeWords } from "../ui/CodeWords.tsx";
import { Icon } from "../ui/Icon.tsx";
import { useNow } from "../ui/use-now.ts";
import { AskingAgent } from "./AskingAgent.tsx";
import { useBegunWords } from "./begun-words.ts";
import { DenyReason } from "./DenyReason.tsx";
import { MoreAnswers, WhatIsWritten } from "./MoreAnswers.tsx";
import { ConfirmOutside, OutsideFiles } from "./OutsideFiles.tsx";
import { useFresh } from "./use-fresh.ts";
import { goToCard } from "./waiting-cards.ts";

const t = texts.approvals;

/**
 * A tool waits for the user's word, where its call stands: exactly what will run or change, and what a yes would mean.
 * With the card focused: Y once, S in this conversation, E edits from now on, A always in this folder, N no, R no with
 * a reason. No press counts while the card has just appeared or moved: it was meant for what stood there before.
 */
export const ApprovalCard = memo(function ApprovalCard({ item }: { item: ApprovalItem }) {
  const { answerApproval, isListening = false } = use(RowActionsContext);
  const [step, setStep] = useState<"choose" | "deny" | "outside">("choose");
  const card = useRef<HTMLElement>(null);
  const { key, detail, diff, why, rules = [], source, mayRunOutside, changedToolFiles = [] } = item;
  const [reason, setReason] = useBegunWords(`no ${key}`);
  const { isFresh, takesPress, takesKey } = useFresh(card, key);
  const whenRead = (act: () => void) => {
    if (takesPress()) act();
  };
  const allowNow = (scope: ApprovalScope) => answerApproval(key, true, undefined, { scope });
  const allow = (scope: ApprovalScope) => whenRead(() => allowNow(scope));
  // A yes to a host holds for the conversation whatever it is called: no button says otherwise.
  const holds = item.holdsInConversation === true;
  const lasts = item.wish?.lasts === true;
  const isHarmful = item.runsOutside === true;
  const once = holds && rules.length > 0 ? "session" : "once";
  const denyNow = (because?: string) => answerApproval(key, false, because);
  const runOutside = () => whenRead(() => answerApproval(key, true, undefined, { outside: true }));
  const askOutside = () => (changedToolFiles.length > 0 ? setStep("outside") : runOutside());
  const denyWithReason = () => whenRead(() => setStep("deny"));
  const backToChoice = () => {
    setStep("choose");
    card.current?.focus();
  };
  const onKeyDown = (event: KeyboardEvent<HTMLElement>) => {
    // Keys that were meant for a button or a text box are theirs; one that is held down was meant for the card before.
    if (event.target !== event.currentTarget || event.ctrlKey || event.metaKey || event.altKey) return;
    if (event.repeat) return;
    const letter = latinKey(event);
    if (goToCard(event)) return;
    if (letter === "r") setStep("deny");
    else if (!takesKey()) return;
    else if (letter === "y") allowNow(once);
    else if (letter === "s" && rules.length > 0) allowNow("session");
    else if (letter === "e" && rules.length > 0 && rules.every(isEdits)) allowNow("session");
    else if (letter === "a" && rules.length > 0) allowNow("always");
    else if (letter === "n") denyNow();
    else return;
    event.preventDefault();
  };
  const question = visibleText(approvalQuestion(item));
  const button = { type: "button", "aria-disabled": isFresh } as const;
  const isCommand = item.effect === "execute" && !item.wish;
  // A server's tool is asked about with its input as JSON.
  const language = isCommand ? "command" : item.wish?.tool === undefined ? "" : "json";
  const hasMore = rules.length > 0 || mayRunOutside === true;
  return (
    <section
      ref={card}
      className={`${styles.card} ${styles.waiting}`}
      data-testid="approval"
      data-key={key}
      data-status="waiting"
      data-waits={key}
      data-fresh={isFresh || undefined}
      aria-label={t.neededFor(question)}
      aria-keyshortcuts="Y S E A N R"
      tabIndex={-1}
      onKeyDown={onKeyDown}
    >
      <div className={styles.head}>
        <Icon name="hand" />
        <b>{t.needed}</b>
        <span className={styles.what}>{question}</span>
        <Waiting since={item.at} />
      </div>
      <AskingAgent agentId={item.agentId} />
      {source === "loopback" && <p className={styles.foreign}>{t.notSaidByYou}</p>}
      {diff === undefined ? (
        <pre
          className={isCommand ? styles.command : undefined}
          // biome-ignore lint/a11y/noNoninteractiveTabindex: it scrolls, and the keyboard must reach it
          tabIndex={0}
        >
          <ColouredCode code={visibleText(detail)} language={language} />
        </pre>
      ) : (
        <DiffView diff={diff} isTall />
      )}
      {why !== undefined && (
        <Why>
          <CodeWords text={visibleText(why)} />
        </Why>
      )}
      {isHarmful && <Why>{t.outsideWarning}</Why>}
      {changedToolFiles.length > 0 && <OutsideFiles paths={changedToolFiles} />}
      {step === "deny" && (
        <DenyReason
          reason={reason ?? ""}
          onChange={setReason}
          // Who has written a reason has read the card.
          onDeny={denyNow}
          onCancel={backToChoice}
        />
      )}
      {step === "outside" && <ConfirmOutside onRun={runOutside} onCancel={backToChoice} />}
      {step === "choose" && (
        <div className={styles.row}>
          {!(holds && rules.length > 0) && (
            <button
              {...button}
              className={isHarmful ? "btn" : "btn primary"}
              data-testid="allow"
              title={holds ? t.allowHostTitle : lasts ? t.allowFromNowTitle : t.allowOnceTitle}
              onClick={() => allow(once)}
            >
              <span>{holds ? t.longer.conversation : lasts ? t.allowFromNow : t.allowOnce}</span>
              <kbd>Y</kbd>
            </button>
          )}
          {hasMore && (
            <MoreAnswers
              rules={rules}
              isFirst={holds}
              isFresh={isFresh}
              onAllow={allow}
              onRunOutside={mayRunOutside ? askOutside : undefined}
              onDenyWithReason={denyWithReason}
            />
          )}
          <span className="sp" />
          {!hasMore && (
            <button {...button} className="btn ghost" data-testid="deny-with-reason" onClick={denyWithReason}>
              <span>{t.denyWithReason}</span>
              <kbd>R</kbd>
            </button>
          )}
          <button
            {...button}
            className={isHarmful ? "btn primary" : "btn ghost"}
            data-testid="deny"
            title={holds ? t.denyHostTitle : t.denyTitle}
            onClick={() => whenRead(() => denyNow())}
          >
            <span>{texts.common.deny}</span>
            <kbd>N</kbd>
          </button>
        </div>
      )}
      {step === "choose" && <WhatIsWritten rules={rules} isHost={holds} lasts={lasts} />}
      {isListening && (
        <p className="hint" data-testid="spoken-words">
          {item.mayBeSpoken ? t.mayBeSpoken : t.onlyNoMayBeSpoken}
        </p>
      )}
    </section>
  );
});

function Why({ children }: { children: ReactNode }) {
  return (
    <p className={styles.why}>
      <Icon name="info" />
      <span>{children}</span>
    </p>
  );
}

function Waiting({ since }: { since: number }) {
  const time = wholeSeconds(useNow() - since);
  return (
    <time className={styles.time}>
      <span className="visually-hidden">{t.waiting(time)}</span>
      <span aria-hidden="true">{time}</span>
    </time>
  );
}
