import type { Branches } from "../../../../shared/conversation/sessions.ts";
import { texts } from "../../../texts/texts.ts";
import { Icon } from "../../ui/Icon.tsx";
import styles from "./MessageActions.module.css";

const t = texts.transcript;

interface BranchSwitchProps {
  branches: Branches;
  /** Of what there are versions, in words. */
  of: "prompt" | "reply";
  onShow: (messageId: string) => void;
}

/** `‹ 2/3 ›`: the version that is shown, and the way to its neighbours. */
export function BranchSwitch({ branches: { index, messageIds }, of, onShow }: BranchSwitchProps) {
  const step = (by: 1 | -1, icon: "left" | "right", label: string) => {
    const messageId = messageIds[index + by];
    return (
      <button
        type="button"
        className="btn icon ghost"
        aria-label={label}
        // The version that is shown next has a switch of its own.
        data-place={`${icon} of ${messageIds[0]}`}
        title={label}
        // Not `disabled`: the button that was just pressed must keep the keyboard at the end of the row.
        aria-disabled={messageId === undefined}
        onClick={() => messageId !== undefined && onShow(messageId)}
      >
        <Icon name={icon} size={13} />
      </button>
    );
  };
  return (
    // biome-ignore lint/a11y/useSemanticElements: a fieldset is for forms
    <span className={styles.branches} data-testid="branches" role="group" aria-label={t.versionsOf[of]}>
      {step(-1, "left", t.earlierVersion[of])}
      <span aria-live="polite">
        <span className="visually-hidden">{t.version}</span>
        {t.versionPlace(index + 1, messageIds.length)}
      </span>
      {step(1, "right", t.laterVersion[of])}
    </span>
  );
}
