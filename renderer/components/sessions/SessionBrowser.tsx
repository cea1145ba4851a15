import { useCallback, useMemo, useState } from "react";
import type { SearchHit, SessionSummary } from "../../../shared/conversation/sessions.ts";
import { hears, voiceOff } from "../../../shared/voice/voice-snapshot.ts";
import { rowWords } from "../../state/sessions/row-words.ts";
import { snippetLines } from "../../state/sessions/search.ts";
import { groupedRows, groupsOf, type SidebarRow, searchRows } from "../../state/sessions/session-rows.ts";
import { useStore } from "../../state/store.ts";
import { texts } from "../../texts/texts.ts";
import { VirtualList } from "../transcript/VirtualList.tsx";
import { useWindowState } from "../window/window-context.ts";
import { HitRow } from "./HitRow.tsx";
import { RowMenu } from "./RowMenu.tsx";
import { type RowEdit, SessionRow } from "./SessionRow.tsx";
import styles from "./Sidebar.module.css";
import { useToday } from "./use-today.ts";

const t = texts.sessions;

interface SessionBrowserProps {
  shownId: string | null;
  isArchive: boolean;
  onOpened: () => void;
  /** The keyboard leaves the list upwards. */
  onLeave: () => void;
}

/** CSS pixels, as the style sheet has them. */
const heights = { heading: 36, session: 34, words: 16, hit: 69, hitLine: 16 };
function heightPx(row: SidebarRow, hasWords: (session: SessionSummary) => boolean): number {
  if (row.kind === "hit") return heights.hit + (snippetLines(row.hit.snippet) - 1) * heights.hitLine;
  if (row.kind === "heading") return heights.heading;
  return heights.session + (hasWords(row.session) ? heights.words : 0);
}

/** The list under its headings, or what a search found. */
export function SessionBrowser({ shownId, isArchive, onOpened, onLeave }: SessionBrowserProps) {
  const windowState = useWindowState();
  const { library } = windowState;
  const sessions = useStore((isArchive ? library.archive : library.list).sessions);
  const unread = useStore(library.unread);
  const words = useStore(library.search.words).trim();
  const hits = useStore(library.search.hits);
  const isSettled = useStore(library.search.isSettled);
  const now = useStore(windowState.voicePanel.snapshot)?.now ?? voiceOff;
  const today = useToday();
  const [menu, setMenu] = useState<{ id: string; at: { x: number; y: number }; from: HTMLElement } | null>(
    null,
  );
  const [edit, setEdit] = useState<{ id: string; edit: RowEdit } | null>(null);

  const isSearch = words !== "";
  const rows = useMemo(
    () => (isSearch ? searchRows(sessions, words, hits) : groupedRows(sessions, today)),
    [isSearch, sessions, words, hits, today],
  );
  const groups = useMemo(() => groupsOf(sessions), [sessions]);
  const menuSession = sessions.find(({ conversationId }) => conversationId === menu?.id);

  const open = useCallback(
    ({ conversationId }: SessionSummary) => {
      onOpened();
      windowState.show(conversationId);
    },
    [windowState, onOpened],
  );
  const openHit = useCallback(
    (hit: SearchHit) => {
      onOpened();
      void windowState.showHit(hit);
    },
    [windowState, onOpened],
  );
  const openMenu = useCallback(
    ({ conversationId }: SessionSummary, at: { x: number; y: number }, from: HTMLElement) =>
      setMenu({ id: conversationId, at, from }),
    [],
  );
  const closeMenu = useCallback(() => {
    menu?.from.focus();
    setMenu(null);
  }, [menu]);
  const edited = useCallback(
    ({ conversationId }: SessionSummary, what: RowEdit, text: string | null) => {
      setEdit(null);
      if (text === null) return;
      if (what === "title") library.rename(conversationId, text);
      else library.moveTo(conversationId, text);
    },
    [library],
  );

  const isHeardFor = (id: string) => hears(now) && now.conversationId === id;
  const hasWords = (one: SessionSummary) => rowWords(one, isHeardFor(one.conversationId)).length > 0;
  const row = (one: SidebarRow) => {
    if (one.kind === "heading") return <h2>{one.label}</h2>;
    if (one.kind === "hit") return <HitRow hit={one.hit} onOpen={openHit} />;
    const { conversationId } = one.session;
    return (
      <SessionRow
        session={one.session}
        depth={one.depth}
        isShown={conversationId === shownId}
        isUnread={unread.has(conversationId)}
        isListening={isHeardFor(conversationId)}
        editing={edit?.id === conversationId ? edit.edit : null}
        groups={groups}
        onOpen={open}
        onMenu={openMenu}
        onEdited={edited}
      />
    );
  };

  return (
    <>
      <p className="visually-hidden" role="status">
        {isSearch && isSettled ? t.resultCount(rows.filter(({ kind }) => kind !== "heading").length) : ""}
      </p>
      <VirtualList
        rows={rows}
        label={isSearch ? t.results : isArchive ? t.archivedConversations : t.conversations}
        heightPx={(one) => heightPx(one, hasWords)}
        shownKey={isSearch ? null : shownId}
        onLeave={onLeave}
      >
        {row}
      </VirtualList>
      {rows.length === 0 && (isSearch ? isSettled : isArchive) && (
        <p className={styles.none}>{isSearch ? t.nothingFound : t.archiveEmpty}</p>
      )}
      {menu && menuSession && (
        <RowMenu
          session={menuSession}
          groups={groups}
          at={menu.at}
          onEdit={(what) => setEdit({ id: menu.id, edit: what })}
          onClose={closeMenu}
        />
      )}
    </>
  );
}
