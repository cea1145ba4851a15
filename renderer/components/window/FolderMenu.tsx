import { useCallback, useEffect, useRef, useState } from "react";
import { withTilde } from "../../../shared/with-tilde.ts";
import { texts } from "../../texts/texts.ts";
import { Icon } from "../ui/Icon.tsx";
import menu from "../ui/Menu.module.css";
import { usePopover } from "../ui/use-popover.ts";
import styles from "./Header.module.css";
import { useWindowState } from "./window-context.ts";

const t = texts.window;

interface FolderMenuProps {
  /** Of the conversation, as the system names it; undefined: none is shown yet. */
  path: string | undefined;
  /** As it is shown. */
  folder: string;
  home: string;
}

/** Where the conversation works: the folders that were used lately, and the way to any other. */
export function FolderMenu({ path, folder, home }: FolderMenuProps) {
  const [isOpen, setOpen] = useState(false);
  const button = useRef<HTMLButtonElement>(null);
  const close = useCallback(() => setOpen(false), []);
  const { before, name } = lastParts(folder);
  return (
    <>
      <button
        ref={button}
        type="button"
        className={`pill ${styles.folder}`}
        data-testid="working-folder"
        aria-haspopup="menu"
        aria-expanded={isOpen}
        aria-label={t.folder(folder)}
        title={t.folderTitle(folder)}
        onClick={() => setOpen(true)}
      >
        <Icon name="folder" size={15} />
        <span className={styles.path}>
          <span className={styles.before} data-testid="folder-before">
            <bdi>{before}</bdi>
          </span>
          <bdi className={styles.name} data-testid="folder-name">
            {name}
          </bdi>
        </span>
        <Icon name="chevronDown" />
      </button>
      {isOpen && <Menu path={path} home={home} button={button} onClose={close} />}
    </>
  );
}

/** Which folder it is, and the one it is in: what is before them is left out where it is more than one. */
function lastParts(folder: string): { before: string; name: string } {
  // Each with what divides it from the next one.
  const parts = folder.split(/(?<=[\\/])/);
  const name = parts.pop() ?? "";
  const parent = parts.at(-1) ?? "";
  return { before: parts.length > 2 ? `…${parent.slice(-1)}${parent}` : parts.join(""), name };
}

interface MenuProps {
  path: string | undefined;
  home: string;
  button: React.RefObject<HTMLButtonElement | null>;
  onClose: () => void;
}

function Menu({ path, home, button, onClose }: MenuProps) {
  const windowState = useWindowState();
  const box = useRef<HTMLDivElement>(null);
  const [recent, setRecent] = useState<string[]>([]);
  const onKeyDown = usePopover(box, button, onClose);
  useEffect(() => void windowState.folders.recent().then(setRecent), [windowState]);
  const leave = () => {
    onClose();
    button.current?.focus();
  };
  const all = [...(path === undefined ? [] : [path]), ...recent.filter((one) => one !== path)];
  return (
    <div
      ref={box}
      popover="auto"
      role="menu"
      className={`${menu.menuCard} ${styles.folders}`}
      data-testid="folder-menu"
      aria-label={t.folderMenu}
      onKeyDown={onKeyDown}
    >
      {all.map((one) => (
        <button
          key={one}
          type="button"
          role="menuitemradio"
          tabIndex={-1}
          aria-checked={one === path}
          data-testid="folder-choice"
          title={one}
          onClick={() => {
            if (one !== path) windowState.changeFolder(one);
            leave();
          }}
        >
          <span aria-hidden="true">{one === path ? "✓" : ""}</span>
          <bdi>{withTilde(one, home)}</bdi>
        </button>
      ))}
      {all.length > 0 && <hr />}
      <button
        type="button"
        role="menuitem"
        tabIndex={-1}
        data-testid="folder-pick"
        onClick={() => {
          leave();
          windowState.pickFolder();
        }}
      >
        {t.chooseFolder}
      </button>
    </div>
  );
}
