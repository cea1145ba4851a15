import { type ReactNode, use, useCallback, useRef, useState } from "react";
import { isEdits, type PermissionRule, ruleSubject } from "../../../shared/safety/permissions.ts";
import { visibleText } from "../../../shared/safety/visible-text.ts";
import { withoutCodeMarks } from "../../state/code-words.ts";
import { rich } from "../../texts/rich.ts";
import { texts } from "../../texts/texts.ts";
import { RowActionsContext } from "../sessions/row-actions.ts";
import card from "../ui/Card.module.css";
import { CodeWords } from "../ui/CodeWords.tsx";
import { Icon, type IconName } from "../ui/Icon.tsx";
import menu from "../ui/Menu.module.css";
import { useMedia } from "../ui/use-media.ts";
import { usePopover } from "../ui/use-popover.ts";
import level from "./LevelMenu.module.css";
import styles from "./MoreAnswers.module.css";

const t = texts.approvals;

interface MoreAnswersProps {
  /** All that a yes for longer writes; without any there is no such yes. */
  rules: readonly PermissionRule[];
  /** The yes for longer stands in place of the yes to one call. */
  isFirst: boolean;
  /** No press counts yet. */
  isFresh: boolean;
  onAllow: (scope: "session" | "always") => void;
  /** undefined: the card does not offer that. */
  onRunOutside: (() => void) | undefined;
  onDenyWithReason: () => void;
}

/** A yes that holds for longer than this call and, behind the arrow, every other answer. */
export function MoreAnswers(props: MoreAnswersProps) {
  const { rules, isFirst, isFresh, onAllow } = props;
  const [isOpen, setOpen] = useState(false);
  const words = useInWords(rules);
  const isNarrow = useMedia("(max-width: 600px)");
  const arrow = useRef<HTMLButtonElement>(null);
  const close = useCallback(() => setOpen(false), []);
  const { edits, conversation } = isNarrow && !isFirst ? t.longer.short : t.longer;
  return (
    <span className={styles.split}>
      {rules.length > 0 && (
        <button
          type="button"
          className={isFirst ? "btn primary" : "btn"}
          data-testid="allow-session"
          aria-disabled={isFresh}
          title={t.longer.title(withoutCodeMarks(words.join("; ")))}
          onClick={() => onAllow("session")}
        >
          <span>{rules.every(isEdits) ? edits : conversation}</span>
          <kbd>S</kbd>
        </button>
      )}
      <button
        ref={arrow}
        type="button"
        className={`btn ${styles.arrow}`}
        data-testid="more-answers"
        aria-haspopup="menu"
        aria-expanded={isOpen}
        aria-label={t.moreAnswers}
        title={t.moreAnswers}
        onClick={() => setOpen(true)}
      >
        <Icon name="chevronDown" />
      </button>
      {isOpen && <Menu {...props} arrow={arrow} onClose={close} />}
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
}: Pick<MoreAnswersProps, "rules"> & { isHost: boolean; lasts?: boolean }) {
  const words = useInWords(rules);
  if (rules.length === 0 && !isHost) {
    return lasts ? null : (
      <p className="hint" data-testid="asks-each-time">
        {t.asksEachTime}
      </p>
    );
  }
  const written = isHost ? t.longer.hostKeys : t.longer.callKeys;
  return (
    <p className={isHost ? "hint" : `hint ${card.keys}`} data-testid="what-is-written">
      {rules.length === 0
        ? t.longer.hostEither
        : rich(written(key("Y"), key("S"), key("N"), key("A"), <CodeWords text={words.join("; ")} />))}
    </p>
  );
}

const key = (letter: string) => <kbd>{letter}</kbd>;

interface MenuProps extends MoreAnswersProps {
  arrow: React.RefObject<HTMLButtonElement | null>;
  onClose: () => void;
}

function Menu({ rules, arrow, onAllow, onRunOutside, onDenyWithReason, onClose }: MenuProps) {
  const box = useRef<HTMLDivElement>(null);
  const words = useInWords(rules);
  const onKeyDown = usePopover(box, arrow, onClose);
  const choosing = (act: () => void) => () => {
    onClose();
    act();
  };
  const allowed = (
    <ul>
      {words.map((rule) => (
        <li key={rule} data-testid="rule">
          <CodeWords text={rule} />
        </li>
      ))}
    </ul>
  );
  return (
    <div
      ref={box}
      popover="auto"
      role="menu"
      className={`${menu.menuCard} ${level.levelMenu}`}
      aria-label={t.moreAnswers}
      onKeyDown={onKeyDown}
    >
      {rules.length > 0 && (
        <>
          <Item
            id="longer-session"
            icon="check"
            name={t.longer.short.conversation}
            letter="S"
            onChoose={choosing(() => onAllow("session"))}
          >
            <small>{t.longer.conversationAbout}</small>
            {allowed}
          </Item>
          <Item
            id="longer-always"
            icon="folder"
            name={t.longer.always}
            letter="A"
            onChoose={choosing(() => onAllow("always"))}
          >
            <small>{t.longer.alwaysAbout}</small>
            {allowed}
          </Item>
          <hr />
        </>
      )}
      {onRunOutside && (
        <Item id="run-outside" icon="terminal" name={t.runOutside} onChoose={choosing(onRunOutside)}>
          <small>{t.runOutsideAbout}</small>
        </Item>
      )}
      <Item
        id="deny-with-reason"
        icon="close"
        name={t.denyWithReason}
        letter="R"
        onChoose={choosing(onDenyWithReason)}
      />
    </div>
  );
}

interface ItemProps {
  id: string;
  icon: IconName;
  name: string;
  /** The key that means the same while the card has the keyboard. */
  letter?: string;
  onChoose: () => void;
  children?: ReactNode;
}

function Item({ id, icon, name, letter, onChoose, children }: ItemProps) {
  return (
    <button type="button" role="menuitem" tabIndex={-1} data-testid={id} onClick={onChoose}>
      <Icon name={icon} />
      <span className={level.about}>
        <b>{name}</b>
        {children}
      </span>
      {letter !== undefined && <small aria-hidden="true">{letter}</small>}
    </button>
  );
}
