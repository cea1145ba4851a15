import { memo, use, useState } from "react";
import type { TranscriptItem } from "../../../../shared/conversation/transcript.ts";
import { grouped } from "../../../../shared/grouped.ts";
import { originIcon, originLabel, timeOfDay } from "../../../state/conversation/wording.ts";
import { writtenLanguage } from "../../../state/conversation/written-language.ts";
import { texts } from "../../../texts/texts.ts";
import { useBegunWords } from "../../approvals/begun-words.ts";
import chips from "../../composer/attach/AttachmentChips.module.css";
import { ChipBody } from "../../composer/attach/AttachmentChips.tsx";
import { AttachmentDialog } from "../../composer/attach/AttachmentDialog.tsx";
import { PromptEditor } from "../../composer/PromptEditor.tsx";
import { RowActionsContext } from "../../sessions/row-actions.ts";
import { CopyButton } from "../../ui/CopyButton.tsx";
import { FirstHeard } from "../../ui/FirstHeard.tsx";
import { Icon } from "../../ui/Icon.tsx";
import { useOpenLine } from "../tools/open-lines-context.ts";
import { ActionButton } from "./ActionButton.tsx";
import { BranchSwitch } from "./BranchSwitch.tsx";
import actions from "./MessageActions.module.css";
import { QuoteButton } from "./QuoteButton.tsx";
import styles from "./UserMessage.module.css";

const t = texts.transcript;

/** Longest prompt shown whole, in UTF-16 units: a pasted log must not bury the conversation. */
const maxChars = 1800;

export type UserItem = Extract<TranscriptItem, { kind: "user" }>;

interface UserMessageProps {
  item: UserItem;
  /** The last prompt of all: it shows what can be done with it. */
  isNewest: boolean;
}

export const UserMessage = memo(function UserMessage({ item, isNewest }: UserMessageProps) {
  const { history, openSent } = use(RowActionsContext);
  const [opened, setOpened] = useState<number | null>(null);
  // Search opens it where the match is in what is cut.
  const [isWhole, toggleWhole] = useOpenLine(item.key);
  const [begun, write] = useBegunWords(`version ${item.key}`);
  const [isEditWanted, setEditWanted] = useState(false);
  const isEditing = begun !== null;
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
      <div className={styles.bubble}>
        {isEditing && history ? (
          <PromptEditor
            text={begun}
            isWanted={isEditWanted}
            onChange={write}
            onSend={(text) => history.editPrompt(item.key, text)}
            onCancel={() => write(null)}
          />
        ) : (
          item.text !== "" && (
            <div className={styles.said} dir="auto" lang={writtenLanguage(item.text)}>
              {isLong && !isWhole ? `${item.text.slice(0, maxChars)}…` : item.text}
            </div>
          )
        )}
        {item.repair && !isEditing && (
          <FirstHeard
            repair={item.repair}
            onTakeBack={history && isPrompt ? () => history.takeBackRepair(item.key) : undefined}
          />
        )}
        {item.meeting && (
          <ul className={chips.chips} data-testid="meeting-went" data-beside="">
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
          <ul className={chips.chips} aria-label={texts.composer.attached} data-beside="">
            {item.attached.map(({ from, choice }, place) => (
              <li key={choice?.reference ?? from} className={chips.chip}>
                <ChipBody
                  label={choice?.label ?? from}
                  file={choice?.file}
                  onOpen={openSent && (() => setOpened(place))}
                />
              </li>
            ))}
          </ul>
        )}
        {isLong && !isEditing && (
          <button type="button" className="btn small ghost" onClick={toggleWhole}>
            {isWhole ? t.showLess : t.showAll(grouped(item.text.length))}
          </button>
        )}
      </div>
      <div className={styles.under} data-beside="">
        {history && !isEditing && (
          <div className={`${actions.acts} ${actions.mine}`} data-testid="message-actions">
            <span className={isNewest ? actions.shown : actions.onHover}>
              {isPrompt && (
                <>
                  <ActionButton
                    icon="pencil"
                    label={texts.common.edit}
                    title={t.editTitle}
                    onAct={() => {
                      setEditWanted(true);
                      write(item.text);
                    }}
                  />
                  <ActionButton
                    icon="rewind"
                    label={t.rewindTo}
                    title={t.rewindToTitle}
                    onAct={() => history.rewindTo(item.key)}
                  />
                  <ActionButton
                    icon="fork"
                    label={t.forkFrom}
                    title={t.forkFromTitle}
                    onAct={() => history.forkShown(item.parts?.at(-1) ?? item.key)}
                  />
                </>
              )}
              <QuoteButton text={item.text} />
              <CopyButton text={item.text} title={t.copyPrompt} isIcon />
            </span>
            {item.branches && (
              <BranchSwitch branches={item.branches} of="prompt" onShow={history.showBranch} />
            )}
          </div>
        )}
        <div className={styles.meta}>
          {item.origin !== "typed" && <Icon name={originIcon(item.origin, item.source)} size={13} />}
          <span>
            {item.origin !== "typed" && (
              <>
                <span className={isForeign ? styles.foreign : undefined}>
                  {originLabel(item.origin, item.source)}
                </span>
                <span aria-hidden="true"> · </span>
              </>
            )}
            <time dateTime={new Date(item.at).toISOString()}>{timeOfDay(item.at)}</time>
          </span>
        </div>
      </div>
    </article>
  );
  const shown = opened !== null && openSent && (
    <AttachmentDialog load={() => openSent(item.key, opened)} onClose={() => setOpened(null)} />
  );
  if (!history) return said;
  return (
    <>
      {said}
      {shown}
    </>
  );
});
