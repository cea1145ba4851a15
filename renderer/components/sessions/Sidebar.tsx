import { type KeyboardEvent, useCallback, useRef, useState } from "react";
import { keyLabel } from "../../state/conversation/wording.ts";
import { windowKeyLabel } from "../../state/keys/key-sheet.ts";
import { useStore } from "../../state/store.ts";
import { texts } from "../../texts/texts.ts";
import { useHeldKeys } from "../composer/use-held-keys.ts";
import { ServersButton } from "../servers/ServersButton.tsx";
import { SettingsButton } from "../settings/SettingsButton.tsx";
import { Icon } from "../ui/Icon.tsx";
import { Logo } from "../ui/Logo.tsx";
import { NoticeBar } from "../window/NoticeBar.tsx";
import { useWindowState } from "../window/window-context.ts";
import { SessionBrowser } from "./SessionBrowser.tsx";
import styles from "./Sidebar.module.css";

const t = texts.sessions;

interface SidebarProps {
  shownId: string | null;
  platform: string | undefined;
  /** Folds it away again where it covers the window. */
  onClose: () => void;
  onFold: () => void;
}

/** A new conversation, the search over all of them, and the list. */
export function Sidebar({ shownId, platform, onClose, onFold }: SidebarProps) {
  const windowState = useWindowState();
  const { search, archive } = windowState.library;
  const words = useStore(search.words);
  const isSettled = useStore(search.isSettled);
  const field = useRef<HTMLInputElement>(null);
  const nav = useRef<HTMLElement>(null);
  const [isArchive, setArchive] = useState(false);
  const newKey = keyLabel(platform, "N");
  const searchKey = keyLabel(platform, "K");
  const keysKey = windowKeyLabel(platform, "keys");
  const toField = useCallback(() => field.current?.focus(), []);
  const firstRow = () => nav.current?.querySelector<HTMLElement>("[data-stop]");
  const held = useHeldKeys(!isSettled, () => {
    if (isSettled) firstRow()?.click();
    return false;
  });
  const onSearchKey = (event: KeyboardEvent) => {
    if (event.nativeEvent.isComposing) return;
    if (event.key !== "Enter") held.drop();
    if (event.key === "Escape" && words !== "") search.change("");
    else if (event.key === "Escape") windowState.focusWanted.emit();
    else if (event.key === "ArrowDown") firstRow()?.focus();
    else if (event.key === "Enter" && words.trim() !== "") {
      const first = firstRow();
      // What was found for the words before is not what is meant: the answer for these decides. Titles are there at once.
      if (isSettled || (first && first.dataset.stop !== "hit")) first?.click();
      else held.press(event);
    } else return;
    event.preventDefault();
  };
  return (
    <>
      <nav className={styles.sidebar} data-pane="list" aria-label={t.conversations} ref={nav}>
        <div className={styles.brand}>
          <Logo />
          {texts.common.app}
          <span className="sp" />
          <button
            type="button"
            className="btn icon ghost"
            data-testid="fold-list"
            aria-label={t.fold(windowKeyLabel(platform, "list"))}
            title={t.fold(windowKeyLabel(platform, "list"))}
            onClick={onFold}
          >
            <Icon name="listPanel" size={18} />
          </button>
        </div>
        <button
          type="button"
          className={`btn ${styles.new}`}
          data-testid="new-conversation"
          title={t.newTitle(newKey)}
          onClick={() => {
            onClose();
            void windowState.newConversation();
          }}
        >
          <Icon name="plus" />
          {t.newConversation} <kbd>{newKey.replaceAll("+", " ")}</kbd>
        </button>
        <div className={styles.search}>
          <Icon name="search" />
          <input
            ref={field}
            type="search"
            data-testid="search"
            placeholder={t.search}
            aria-label={t.searchLabel}
            title={t.searchTitle}
            value={words}
            maxLength={1000}
            onChange={(event) => {
              held.drop();
              search.change(event.target.value);
            }}
            onKeyDown={onSearchKey}
            // Whoever went on to something else opens nothing by a key of before.
            onBlur={held.drop}
          />
          {words === "" && (
            <button
              type="button"
              data-testid="open-palette"
              aria-label={texts.palette.openTitle(searchKey)}
              title={texts.palette.openTitle(searchKey)}
              onClick={() => {
                onClose();
                windowState.palette.open();
              }}
            >
              <kbd>{searchKey.replaceAll("+", " ")}</kbd>
            </button>
          )}
        </div>
        <SessionBrowser
          key={isArchive ? "archive" : "list"}
          shownId={shownId}
          isArchive={isArchive}
          onOpened={onClose}
          onLeave={toField}
        />
        <NoticeBar />
        <div className={styles.foot}>
          {isArchive ? null : <SettingsButton platform={platform} onOpened={onClose} />}
          {isArchive ? null : <ServersButton platform={platform} onOpened={onClose} />}
          <button
            type="button"
            className={`btn ghost ${isArchive ? styles.wide : "icon"}`}
            data-testid="archive"
            aria-label={isArchive ? undefined : t.archived}
            aria-pressed={isArchive}
            title={isArchive ? t.toAllTitle : t.archiveTitle}
            onClick={() => {
              if (!isArchive) void archive.load();
              setArchive(!isArchive);
            }}
          >
            <Icon name={isArchive ? "left" : "archive"} />
            {isArchive && t.allConversations}
          </button>
          {isArchive ? null : (
            <button
              type="button"
              className="btn icon ghost"
              data-testid="keys-button"
              aria-label={t.keys(keysKey)}
              title={t.keys(keysKey)}
              onClick={() => {
                onClose();
                windowState.isKeysOpen.set(true);
              }}
            >
              <Icon name="help" />
            </button>
          )}
        </div>
      </nav>
      <button
        type="button"
        className={styles.backdrop}
        aria-label={t.closeList}
        tabIndex={-1}
        onClick={onClose}
      />
    </>
  );
}
