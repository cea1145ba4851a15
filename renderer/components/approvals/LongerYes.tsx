import { type ReactNode, useCallback, useRef, useState } from "react";
import { isEdits, type PermissionRule, ruleInWords } from "../../../shared/safety/permissions.ts";
import { visibleText } from "../../../shared/safety/visible-text.ts";
import { usePopover } from "../ui/use-popover.ts";

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
    <span className="split" data-testid="longer">
      <button
        type="button"
        className={isFirst ? "btn primary" : "btn"}
        data-testid="allow-session"
        title={`Until Parley ends: ${inWords(rules)}`}
        onClick={() => onAllow("session")}
      >
        {rules.every(isEdits) ? "Allow edits in this folder" : "Allow in this conversation"}
      </button>
      <button
        ref={arrow}
        type="button"
        className="btn arrow"
        data-testid="longer-menu"
        aria-haspopup="menu"
        aria-expanded={isOpen}
        aria-label="For how long"
        title="For how long, and what it writes"
        onClick={() => setOpen(true)}
      >
        ▾
      </button>
      {isOpen && <Menu rules={rules} arrow={arrow} onAllow={onAllow} onClose={close} />}
    </span>
  );
}

const inWords = (rules: readonly PermissionRule[]) =>
  rules.map((rule) => visibleText(ruleInWords(rule))).join("; ");

/** What the answers of a card mean beside this call, and where it is written. @param isHost any answer holds for longer */
export function WhatIsWritten({ rules, isHost }: Pick<LongerYesProps, "rules"> & { isHost: boolean }) {
  if (rules.length === 0) {
    return isHost && <Written>Either answer holds until Parley ends. Nothing is written.</Written>;
  }
  return (
    <Written>
      {isHost ? (
        <>
          <kbd>Y</kbd>, <kbd>S</kbd> and <kbd>N</kbd> hold until Parley ends,{" "}
        </>
      ) : (
        <>
          <kbd>Y</kbd> this call alone · <kbd>S</kbd> until Parley ends,{" "}
        </>
      )}
      <kbd>A</kbd> always, written into the settings: <code>{inWords(rules)}</code>
    </Written>
  );
}

const Written = ({ children }: { children: ReactNode }) => (
  <p className="hint" data-testid="what-is-written">
    {children}
  </p>
);

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
      <span className="about">
        <b>{label}</b>
        <small>{about}</small>
        <ul>
          {rules.map((rule) => (
            <li key={JSON.stringify(rule)} data-testid="rule">
              {visibleText(ruleInWords(rule))}
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
      className="menu-card level-menu"
      aria-label="For how long"
      onKeyDown={onKeyDown}
    >
      {item("session", "In this conversation", "Until Parley ends. Nothing is written.")}
      {item("always", "Always, in this folder", "Written into the settings:")}
    </div>
  );
}
