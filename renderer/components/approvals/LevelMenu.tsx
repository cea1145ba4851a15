import { useCallback, useEffect, useRef, useState } from "react";
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
import { useStore } from "../../state/store.ts";
import { texts } from "../../texts/texts.ts";
import { Icon, type IconName } from "../ui/Icon.tsx";
import menu from "../ui/Menu.module.css";
import { usePopover } from "../ui/use-popover.ts";
import { useWindowState } from "../window/window-context.ts";
import styles from "./LevelMenu.module.css";

const t = texts.approvals.level;

export const levelIcons: Record<PermissionLevel, IconName> = { look: "eye", ask: "hand", work: "pencil" };

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
  const levelKey = keyLabel(platform, "P", true);
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
        title={t.title(levels[level].meaning, levelKey)}
        onClick={() => setOpen(true)}
      >
        <Icon name="shield" />
        <span className={styles.name}>{levels[level].label}</span>
        <small data-testid="fence-word">{fenceWord(fence)}</small>
        <Icon name="chevronDown" />
      </button>
      {isOpen && (
        <Menu standing={standing} fence={fence} levelKey={levelKey} button={button} onClose={close} />
      )}
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
  /** What opens it, as it is pressed. */
  levelKey: string;
  button: React.RefObject<HTMLButtonElement | null>;
  onClose: () => void;
}

function Menu({ standing, fence, levelKey, button, onClose }: MenuProps) {
  const windowState = useWindowState();
  const { settingsPage } = windowState;
  const path = useStore(windowState.view)?.workingFolder;
  const folder = path?.split(/[\\/]/).at(-1) || t.thisFolder;
  const rules = useStore(settingsPage.values)?.values.permissionRules;
  useEffect(() => void settingsPage.loadValues(), [settingsPage]);
  const box = useRef<HTMLDivElement>(null);
  const onKeyDown = usePopover(box, button, onClose);
  const isFenced = hasFence(fence);
  const leave = () => {
    onClose();
    button.current?.focus();
  };
  const choose = (level: LevelName) => {
    windowState.setLevel(level);
    leave();
  };
  const openSettings = () => {
    leave();
    settingsPage.open("permissions");
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
        title={levels[level].meaning}
        onClick={() => !isMissing && choose(level)}
      >
        <Icon name={levelIcons[level]} />
        <span className={styles.about}>
          <b>{levels[level].label}</b>
          <small>{t.short[level]}</small>
          {level === "ask" && standing.level === "ask" && standing.hasEdits && (
            <small className={styles.extra}>{t.editsAllowed}</small>
          )}
        </span>
        {standing.level === level && (
          <span>
            <Icon name="check" size={14} />
          </span>
        )}
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
      <p className={styles.heading} aria-hidden="true">
        {t.label}
        <small>{levelKey}</small>
      </p>
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
      <button
        type="button"
        role="menuitem"
        tabIndex={-1}
        data-testid="fence-state"
        title={t.settingsTitle}
        onClick={openSettings}
      >
        <Icon name="fence" />
        <span className={styles.about}>
          <b>{t.fence}</b>
          <small>{fenceWords(fence, folder)}</small>
        </span>
      </button>
      {fence.setting === "on" && !fence.isThere && !fence.isChecking && <FenceMend mend={fence.mend} />}
      <hr />
      <button
        type="button"
        role="menuitem"
        tabIndex={-1}
        data-testid="level-rules"
        title={t.settingsTitle}
        onClick={openSettings}
      >
        <Icon name="list" />
        <span className={styles.about}>
          <b>{t.rulesFor(folder)}</b>
        </span>
        {rules && (
          <small>{rules.filter((rule) => rule.folder === undefined || rule.folder === path).length}</small>
        )}
      </button>
    </div>
  );
}

/** What it lets commands do, or why it does not hold them. */
function fenceWords({ setting, isThere, why, isChecking }: FenceInfo, folder: string): string {
  if (setting === "off") return t.fenceOff;
  if (isThere) return t.fenceOn(folder);
  return isChecking ? t.fenceChecked : t.fenceMissing(why ?? "");
}

function FenceMend({ mend }: Pick<FenceInfo, "mend">) {
  const windowState = useWindowState();
  return (
    <div className={styles.fenceState}>
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
    </div>
  );
}
