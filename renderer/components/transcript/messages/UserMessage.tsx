import { memo, use, useState } from "react";
import type { TranscriptItem } from "../../../../shared/conversation/transcript.ts";
import { grouped } from "../../../../shared/grouped.ts";
import { originLabel, timeOfDay } from "../../../state/conversation/wording.ts";
import { texts } from "../../../texts/texts.ts";
import chips from "../../composer/AttachmentChips.module.css";
import { PromptEditor } from "../../composer/PromptEditor.tsx";
import { RowActionsContext } from "../../sessions/row-actions.ts";
import { CopyButton } from "../../ui/CopyButton.tsx";
import { FirstHeard } from "../../ui/FirstHeard.tsx";
import { BranchSwitch } from "./BranchSwitch.tsx";
import actions from "./MessageActions.module.css";
import styles from "./UserMessage.module.css";

const t = texts.transcript;

/** Longest prompt shown whole, in UTF-16 units: a pasted log must not bury the conversation. */
const maxChars = 1800;

export type UserItem = Extract<TranscriptItem, { kind: "user" }>;

export const UserMessage = memo(function UserMessage({ item }: { item: UserItem }) {
  const { history } = use(RowActionsContext);
  const [isWhole, setIsWhole] = useState(false);
  const [isEditing, setEditing] = useState(false);
  const isLong = item.text.length > maxChars;
  const isForeign = item.source === "loopback" || item.source === "file";
  // Words said into a running turn are part of it: there is no point of their own to go back to.
  const isPrompt = item.origin !== "steering";
  const said = (
    <article
      className={isEditing ? `${styles.me} ${styles.editing}` : styles.me}
      data-testid="message-user"
      data-key={item.key}
      data-origin={item.origin}
      data-source={item.source ?? undefined}
      aria-label={t.you}
    >
      <div className={styles.meta}>
        {item.origin !== "typed" && (
          <>
            <span className={isForeign ? styles.foreign : undefined}>
              {originLabel(item.origin, item.source)}
            </span>
            <span aria-hidden="true">·</span>
          </>
        )}
        <time dateTime={new Date(item.at).toISOString()}>{timeOfDay(item.at)}</time>
      </div>
      {isEditing && history ? (
        <PromptEditor
          text={item.text}
          onSend={(text) => history.editPrompt(item.key, text)}
          onCancel={() => setEditing(false)}
        />
      ) : (
        <div className={styles.said}>
          {isLong && !isWhole ? `${item.text.slice(0, maxChars)}…` : item.text}
        </div>
      )}
      {item.repair && !isEditing && (
        <FirstHeard
          repair={item.repair}
          onTakeBack={history && isPrompt ? () => history.takeBackRepair(item.key) : undefined}
        />
      )}
      {item.meeting && (
        <ul className={chips.chips} data-testid="meeting-went">
          <li className={chips.chip}>
            <span>{texts.meeting.went(item.meeting.lines)}</span>
          </li>
          {item.meeting.left > 0 && (
            <li className={chips.chip}>
              <span>{texts.meeting.left(item.meeting.left)}</span>
            </li>
          )}
        </ul>
      )}
      {item.attached && (
        <ul className={chips.chips} aria-label={texts.composer.attached}>
          {item.attached.map((from) => (
            <li key={from} className={chips.chip}>
              <span>{from}</span>
            </li>
          ))}
        </ul>
      )}
      {isLong && !isEditing && (
        <button type="button" className="btn small ghost" onClick={() => setIsWhole(!isWhole)}>
          {isWhole ? t.showLess : t.showAll(grouped(item.text.length))}
        </button>
      )}
    </article>
  );
  if (!history) return said;
  const action = (label: string, title: string, act: () => void) => (
    <button type="button" className="btn small ghost" title={title} onClick={act}>
      {label}
    </button>
  );
  return (
    <>
      {said}
      {!isEditing && (
        <div className={`${actions.acts} ${actions.mine}`}>
          <span className={actions.onHover}>
            {isPrompt && (
              <>
                {action(texts.common.edit, t.editTitle, () => setEditing(true))}
                {action(t.rewindTo, t.rewindToTitle, () => history.rewindTo(item.key))}
                {action(t.forkFrom, t.forkFromTitle, () => history.forkShown(item.parts?.at(-1) ?? item.key))}
              </>
            )}
            <CopyButton text={item.text} title={t.copyPrompt} />
          </span>
          {item.branches && <BranchSwitch branches={item.branches} of="prompt" onShow={history.showBranch} />}
        </div>
      )}
    </>
  );
});
