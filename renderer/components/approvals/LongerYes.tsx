import { useCallback, useRef, useState } from "react";
import { isEdits, type PermissionRule, ruleSubject } from "../../../shared/safety/permissions.ts";
import { visibleText } from "../../../shared/safety/visible-text.ts";
import { rich } from "../../texts/rich.ts";
import { texts } from "../../texts/texts.ts";
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
  onAllow: (scope: "session" | "always") => void;
}

/** A yes that holds for longer than this call: in the conversation, or (behind the arrow) always in the folder. */
export function LongerYes({ rules, isFirst = false, onAllow }: LongerYesProps) {
  const [isOpen, setOpen] = useState(false);
  const arrow = useRef<HTMLButtonElement>(null);
  const close = useCallback(() => setOpen(false), []);
  return (
    <span className={styles.split} data-testid="longer">
      <button
        type="button"
        className={isFirst ? "btn primary" : "btn"}
        data-testid="allow-session"
        title={t.title(inWords(rules))}
        onClick={() => onAllow("session")}
      >
        {rules.every(isEdits) ? t.edits : t.conversation}
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
        ▾
      </button>
      {isOpen && <Menu rules={rules} arrow={arrow} onAllow={onAllow} onClose={close} />}
    </span>
  );
}

const inWords = (rules: readonly PermissionRule[]) =>
  rules.map((rule) => visibleText(ruleSubject(rule))).join("; ");

/** What the answers of a card mean beside this call, and where it is written. @param isHost any answer holds for longer */
export function WhatIsWritten({ rules, isHost }: Pick<LongerYesProps, "rules"> & { isHost: boolean }) {
  if (rules.length === 0 && !isHost) return null;
  const written = isHost ? t.hostKeys : t.callKeys;
  return (
    <p className="hint" data-testid="what-is-written">
      {rules.length === 0
        ? t.hostEither
        : rich(written(key("Y"), key("S"), key("N"), key("A"), <code>{inWords(rules)}</code>))}
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
          {rules.map((rule) => (
            <li key={JSON.stringify(rule)} data-testid="rule">
              {visibleText(ruleSubject(rule))}
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
