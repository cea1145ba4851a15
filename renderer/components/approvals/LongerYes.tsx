import { useCallback, useRef, useState } from "react";
import { isEdits, type PermissionRule, ruleInWords } from "../../../shared/safety/permissions.ts";
import { visibleText } from "../../../shared/safety/visible-text.ts";
import { usePopover } from "../ui/use-popover.ts";

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
  const what = rules.map((rule) => visibleText(ruleInWords(rule))).join("; ");
  return (
    <span className="split" data-testid="longer">
      <button
        type="button"
        className="btn"
        data-testid="allow-session"
        title={`Until Parley ends: ${what}`}
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
