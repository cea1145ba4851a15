import { useCallback, useRef, useState } from "react";
import { isEdits, type PermissionRule, ruleSubject } from "../../../shared/safety/permissions.ts";
import { visibleText } from "../../../shared/safety/visible-text.ts";
import { texts } from "../../texts/texts.ts";
import menu from "../ui/Menu.module.css";
import { usePopover } from "../ui/use-popover.ts";
import level from "./LevelMenu.module.css";
import styles from "./LongerYes.module.css";

const t = texts.approvals.longer;

interface LongerYesProps {
  /** All that a yes for longer writes. */
  rules: readonly PermissionRule[];
  onAllow: (scope: "session" | "always") => void;
}

/** A yes that holds for longer than this call: in the conversation, or (behind the arrow) always in the folder. */
export function LongerYes({ rules, onAllow }: LongerYesProps) {
  const [isOpen, setOpen] = useState(false);
  const arrow = useRef<HTMLButtonElement>(null);
  const close = useCallback(() => setOpen(false), []);
  const what = rules.map((rule) => visibleText(ruleSubject(rule))).join("; ");
  return (
    <span className={styles.split} data-testid="longer">
      <button
        type="button"
        className="btn"
        data-testid="allow-session"
        title={t.title(what)}
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
