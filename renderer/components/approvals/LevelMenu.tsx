import { useCallback, useRef, useState } from "react";
import {
  type FenceInfo,
  hasFence,
  type LevelName,
  levels,
  type PermissionLevel,
  permissionLevel,
  type Standing,
  standingOf,
} from "../../../shared/safety/permissions.ts";
import { keyLabel } from "../../state/conversation/wording.ts";
import { useSignal } from "../../state/signal.ts";
import { texts } from "../../texts/texts.ts";
import { Icon } from "../ui/Icon.tsx";
import menu from "../ui/Menu.module.css";
import { usePopover } from "../ui/use-popover.ts";
import { useWindowState } from "../window/window-context.ts";
import styles from "./LevelMenu.module.css";

const t = texts.approvals.level;

interface LevelMenuProps {
  name: LevelName;
  fence: FenceInfo;
  platform: string | undefined;
}

/** How much runs without being asked for, and the way to change it. */
export function LevelMenu({ name, fence, platform }: LevelMenuProps) {
  const windowState = useWindowState();
  const [isOpen, setOpen] = useState(false);
  const button = useRef<HTMLButtonElement>(null);
  const standing = standingOf(name, hasFence(fence));
  const { level } = standing;
  const close = useCallback(() => setOpen(false), []);
  useSignal(windowState.levelsWanted, () => setOpen(true));
  return (
    <>
      {fence.setting === "off" && (
        <span className="pill amber" data-testid="no-fence" title={t.noFenceTitle}>
          {t.noFence}
        </span>
      )}
      <button
        ref={button}
        type="button"
        className={level === "work" ? `pill ${styles.level} amber` : `pill ${styles.level}`}
        data-testid="level"
        data-level={level}
        aria-haspopup="menu"
        aria-expanded={isOpen}
        aria-label={t.current(levels[level].label)}
        title={t.title(levels[level].meaning, keyLabel(platform, "P", true))}
        onClick={() => setOpen(true)}
      >
        <Icon name="shield" />
        <span className={styles.name}>{levels[level].label}</span>
        <small data-testid="fence-word">{fenceWord(fence)}</small>
        <Icon name="chevronDown" />
      </button>
      {isOpen && <Menu standing={standing} fence={fence} button={button} onClose={close} />}
    </>
  );
}

function fenceWord(fence: FenceInfo): string {
  if (hasFence(fence)) return t.fenced;
  return fence.setting === "on" && fence.isChecking ? t.checkingFence : t.notFenced;
}

interface MenuProps {
  standing: Standing;
  fence: FenceInfo;
  button: React.RefObject<HTMLButtonElement | null>;
  onClose: () => void;
}

function Menu({ standing, fence, button, onClose }: MenuProps) {
  const windowState = useWindowState();
  const box = useRef<HTMLDivElement>(null);
  const onKeyDown = usePopover(box, button, onClose);
  const isFenced = hasFence(fence);
  const choose = (level: LevelName) => {
    windowState.setLevel(level);
    onClose();
    button.current?.focus();
  };
  const item = (level: PermissionLevel) => {
    const isMissing = level === "work" && !isFenced;
    return (
      <button
        key={level}
        type="button"
        role="menuitemradio"
        tabIndex={-1}
        aria-checked={standing.level === level}
        aria-disabled={isMissing}
        data-testid={`level-${level}`}
        onClick={() => !isMissing && choose(level)}
      >
        <span aria-hidden="true">{standing.level === level ? "✓" : ""}</span>
        <span className={styles.about}>
          <b>{levels[level].label}</b>
          <small>{levels[level].meaning}</small>
          {level === "ask" && standing.level === "ask" && standing.hasEdits && (
            <small className={styles.extra}>{t.editsAllowed}</small>
          )}
        </span>
      </button>
    );
  };
  return (
    <div
      ref={box}
      popover="auto"
      role="menu"
      className={`${menu.menuCard} ${styles.levelMenu}`}
      data-testid="level-menu"
      aria-label={t.label}
      onKeyDown={onKeyDown}
    >
      {permissionLevel.options.map(item)}
      {standing.level === "ask" && standing.hasEdits && (
        <button
          type="button"
          role="menuitem"
          tabIndex={-1}
          className={styles.indent}
          data-testid="ask-for-edits"
          onClick={() => choose("ask")}
        >
          {t.askForEdits}
        </button>
      )}
      <hr />
      <FenceState fence={fence} />
    </div>
  );
}

function FenceState({ fence }: { fence: FenceInfo }) {
  const windowState = useWindowState();
  const { setting, isThere, why, mend, isChecking } = fence;
  return (
    <div className={styles.fenceState} data-testid="fence-state">
      {setting === "off" ? (
        <p>{t.fenceOff}</p>
      ) : isThere ? (
        <p>{t.fenceOn}</p>
      ) : isChecking ? (
        <p role="status">{t.fenceChecked}</p>
      ) : (
        <>
          <p>{t.fenceMissing(why ?? "")}</p>
          {mend !== null && <code data-testid="mend">{mend}</code>}
          <button
            type="button"
            role="menuitem"
            tabIndex={-1}
            data-testid="check-fence"
            onClick={windowState.checkFence}
          >
            {t.checkAgain}
          </button>
        </>
      )}
    </div>
  );
}
