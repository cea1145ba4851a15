import { useCallback, useRef, useState } from "react";
import { keyLabel } from "../../state/conversation/wording.ts";
import { useStore } from "../../state/store.ts";
import { texts } from "../../texts/texts.ts";
import { ServersButton } from "../servers/ServersButton.tsx";
import { Icon } from "../ui/Icon.tsx";
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
}

/** A new conversation, the search over all of them, and the list. */
export function Sidebar({ shownId, platform, onClose }: SidebarProps) {
  const windowState = useWindowState();
  const { search, archive } = windowState.library;
  const words = useStore(search.words);
  const field = useRef<HTMLInputElement>(null);
  const nav = useRef<HTMLElement>(null);
  const [isArchive, setArchive] = useState(false);
  const newKey = keyLabel(platform, "N");
  const searchKey = keyLabel(platform, "K");
  const toField = useCallback(() => field.current?.focus(), []);
  const firstRow = () => nav.current?.querySelector<HTMLElement>("[data-stop]");
  return (
    <>
      <nav className={styles.sidebar} aria-label={t.conversations} ref={nav}>
        <div className={styles.brand}>
          <span className="dot" aria-hidden="true" />
          {texts.common.app}
        </div>
        <button
          type="button"
          className="btn primary"
          data-testid="new-conversation"
          title={t.newTitle(newKey)}
          onClick={() => {
            onClose();
            void windowState.newConversation();
          }}
        >
          {t.newConversation} <kbd>{newKey}</kbd>
        </button>
        <div className={styles.search}>
          <input
            ref={field}
            type="search"
            data-testid="search"
            placeholder={t.search}
            aria-label={t.searchLabel}
            title={t.searchTitle(searchKey)}
            value={words}
            maxLength={1000}
            onChange={(event) => search.change(event.target.value)}
            onKeyDown={(event) => {
              if (event.nativeEvent.isComposing) return;
              if (event.key === "Escape" && words !== "") search.change("");
              else if (event.key === "Escape") event.currentTarget.blur();
              else if (event.key === "ArrowDown") firstRow()?.focus();
              else if (event.key === "Enter" && words.trim() !== "") firstRow()?.click();
              else return;
              event.preventDefault();
            }}
          />
          {words === "" && <kbd>{searchKey}</kbd>}
        </div>
        <SessionBrowser
          key={isArchive ? "archive" : "list"}
          shownId={shownId}
          isArchive={isArchive}
          onOpened={onClose}
          onLeave={toField}
        />
        <NoticeBar />
        <button
          type="button"
          className={`btn ghost ${styles.archive}`}
          data-testid="archive"
          aria-pressed={isArchive}
          title={isArchive ? t.toAllTitle : t.archiveTitle}
          onClick={() => {
            if (!isArchive) void archive.load();
            setArchive(!isArchive);
          }}
        >
          <Icon name={isArchive ? "left" : "archive"} size={15} />
          {isArchive ? t.allConversations : t.archived}
        </button>
        <ServersButton platform={platform} onOpened={onClose} />
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
