import { use, useCallback, useRef, useState } from "react";
import { isEdits, type PermissionRule, ruleSubject } from "../../../shared/safety/permissions.ts";
import { visibleText } from "../../../shared/safety/visible-text.ts";
import { withoutCodeMarks } from "../../state/code-words.ts";
import { rich } from "../../texts/rich.ts";
import { texts } from "../../texts/texts.ts";
import { RowActionsContext } from "../sessions/row-actions.ts";
import card from "../ui/Card.module.css";
import { CodeWords } from "../ui/CodeWords.tsx";
import { Icon } from "../ui/Icon.tsx";
import menu from "../ui/Menu.module.css";
import { usePopover } from "../ui/use-popover.ts";
import level from "./LevelMenu.module.css";
import styles from "./LongerYes.module.css";

const t = texts.approvals.longer;

interface LongerYesProps {
  /** All that a yes for longer writes. */
  rules: readonly PermissionRule[];
  /** It stands in place of the yes to one call. */
  isFirst?: boolean;
  /** No press counts yet. */
  isFresh?: boolean;
  onAllow: (scope: "session" | "always") => void;
}

/** A yes that holds for longer than this call: in the conversation, or (behind the arrow) always in the folder. */
export function LongerYes({ rules, isFirst = false, isFresh = false, onAllow }: LongerYesProps) {
  const [isOpen, setOpen] = useState(false);
  const words = useInWords(rules);
  const arrow = useRef<HTMLButtonElement>(null);
  const close = useCallback(() => setOpen(false), []);
  return (
    <span className={styles.split} data-testid="longer">
      <button
        type="button"
        className={isFirst ? "btn primary" : "btn"}
        data-testid="allow-session"
        aria-disabled={isFresh}
        title={t.title(withoutCodeMarks(words.join("; ")))}
        onClick={() => onAllow("session")}
      >
        <span>{rules.every(isEdits) ? t.edits : t.conversation}</span>
        <kbd>S</kbd>
      </button>
      <button
        ref={arrow}
        type="button"
        className={`btn ${styles.arrow}`}
        data-testid="longer-menu"
        aria-haspopup="menu"
        aria-expanded={isOpen}
        aria-label={t.howLong}
        title={t.howLongTitle}
        onClick={() => setOpen(true)}
      >
        <Icon name="chevronDown" />
      </button>
      {isOpen && <Menu rules={rules} arrow={arrow} onAllow={onAllow} onClose={close} />}
    </span>
  );
}

/** What these rules are about, in the words of people. */
function useInWords(rules: readonly PermissionRule[]): string[] {
  const { home } = use(RowActionsContext);
  return rules.map((rule) => visibleText(ruleSubject(rule, home)));
}

/** What the answers of a card mean beside this call, and where it is written. @param isHost any answer holds for longer */
export function WhatIsWritten({
  rules,
  isHost,
  lasts = false,
}: Pick<LongerYesProps, "rules"> & { isHost: boolean; lasts?: boolean }) {
  const words = useInWords(rules);
  if (rules.length === 0 && !isHost) {
    return lasts ? null : (
      <p className="hint" data-testid="asks-each-time">
        {texts.approvals.asksEachTime}
      </p>
    );
  }
  const written = isHost ? t.hostKeys : t.callKeys;
  return (
    <p className={isHost ? "hint" : `hint ${card.keys}`} data-testid="what-is-written">
      {rules.length === 0
        ? t.hostEither
        : rich(written(key("Y"), key("S"), key("N"), key("A"), <CodeWords text={words.join("; ")} />))}
    </p>
  );
}

const key = (letter: string) => <kbd>{letter}</kbd>;

interface MenuProps extends LongerYesProps {
  arrow: React.RefObject<HTMLButtonElement | null>;
  onClose: () => void;
}

function Menu({ rules, arrow, onAllow, onClose }: MenuProps) {
  const box = useRef<HTMLDivElement>(null);
  const words = useInWords(rules);
  const onKeyDown = usePopover(box, arrow, onClose);
  const item = (scope: "session" | "always", label: string, about: string) => (
    <button
      type="button"
      role="menuitem"
      tabIndex={-1}
      data-testid={`longer-${scope}`}
      onClick={() => {
        onClose();
        onAllow(scope);
      }}
    >
      <span className={level.about}>
        <b>{label}</b>
        <small>{about}</small>
        <ul>
          {words.map((rule) => (
            <li key={rule} data-testid="rule">
              <CodeWords text={rule} />
            </li>
          ))}
        </ul>
      </span>
    </button>
  );
  return (
    <div
      ref={box}
      popover="auto"
      role="menu"
      className={`${menu.menuCard} ${level.levelMenu}`}
      aria-label={t.howLong}
      onKeyDown={onKeyDown}
    >
      {item("session", t.untilQuit, t.untilQuitAbout)}
      {item("always", t.always, t.alwaysAbout)}
    </div>
  );
}
