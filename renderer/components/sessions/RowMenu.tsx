import { type KeyboardEvent, useEffect, useLayoutEffect, useRef } from "react";
import type { SessionSummary } from "../../../shared/conversation/sessions.ts";
import { texts } from "../../texts/texts.ts";
import styles from "../ui/Menu.module.css";
import { useSpokenNames } from "../ui/spoken-names.ts";
import { useWindowState } from "../window/window-context.ts";
import type { RowEdit } from "./SessionRow.tsx";

const t = texts.sessions;

interface RowMenuProps {
  session: SessionSummary;
  groups: readonly string[];
  /** CSS pixels in the window: its upper left corner, where there is room. */
  at: { x: number; y: number };
  onEdit: (edit: RowEdit) => void;
  onClose: () => void;
}

/**
 * What can be done with a conversation. A press elsewhere closes it: a popover that the browser closes by itself goes with
 * the release of the press that opened it.
 */
export function RowMenu({ session, groups, at, onEdit, onClose }: RowMenuProps) {
  const windowState = useWindowState();
  const { library } = windowState;
  const { conversationId } = session;
  const menu = useRef<HTMLDivElement>(null);
  useSpokenNames(menu, false);

  useLayoutEffect(() => {
    const box = menu.current;
    if (!box) return;
    box.showPopover();
    const { width, height } = box.getBoundingClientRect();
    const { innerWidth, innerHeight } = globalThis.window;
    box.style.left = `${Math.max(4, Math.min(at.x, innerWidth - width - 4))}px`;
    box.style.top = `${Math.max(4, Math.min(at.y, innerHeight - height - 4))}px`;
    box.querySelector<HTMLElement>('[role^="menuitem"]')?.focus();
  }, [at]);
  useEffect(() => {
    const pressed = ({ target }: Event) => {
      if (!(target instanceof Node && menu.current?.contains(target))) onClose();
    };
    document.addEventListener("pointerdown", pressed, true);
    globalThis.window.addEventListener("blur", onClose);
    return () => {
      document.removeEventListener("pointerdown", pressed, true);
      globalThis.window.removeEventListener("blur", onClose);
    };
  }, [onClose]);

  const onKeyDown = (event: KeyboardEvent) => {
    event.stopPropagation();
    const items = [...(menu.current?.querySelectorAll('[role^="menuitem"]') ?? [])].filter(isElement);
    const index = items.findIndex((item) => item.matches(":focus"));
    const next = { ArrowDown: index + 1, ArrowUp: index - 1, Home: 0, End: -1 }[event.key];
    if (event.key === "Escape" || event.key === "Tab") onClose();
    else if (next === undefined) return;
    else items.at(next % items.length)?.focus();
    event.preventDefault();
  };

  const item = (label: string, act: () => void, kind?: string) => (
    <button
      type="button"
      role="menuitem"
      tabIndex={-1}
      className={kind}
      onClick={() => {
        onClose();
        act();
      }}
    >
      {label}
    </button>
  );
  const inGroup = (label: string, group: string | null) => (
    <button
      key={label}
      type="button"
      role="menuitemradio"
      aria-checked={session.group === group}
      tabIndex={-1}
      onClick={() => {
        onClose();
        library.moveTo(conversationId, group);
      }}
    >
      <span aria-hidden="true">{session.group === group ? "✓" : ""}</span>
      {label}
    </button>
  );

  return (
    <div
      ref={menu}
      popover="manual"
      role="menu"
      className={styles.menuCard}
      data-testid="row-menu"
      aria-label={t.menuFor(session.title)}
      onKeyDown={onKeyDown}
    >
      {item(texts.common.rename, () => onEdit("title"))}
      {item(session.isPinned ? t.unpin : t.pin, () => library.pin(session))}
      {item(texts.common.fork, () => void windowState.history.fork(conversationId))}
      <hr />
      {/* biome-ignore lint/a11y/useSemanticElements: a fieldset is no group of menu items */}
      <div role="group" aria-label={t.group}>
        {groups.length > 0 && inGroup(t.noGroup, null)}
        {groups.map((group) => inGroup(group, group))}
        {item(t.newGroup, () => onEdit("group"), groups.length > 0 ? styles.indent : undefined)}
      </div>
      <hr />
      {item(t.exportMarkdown, () => void library.export(conversationId, "md"))}
      {item(t.exportJson, () => void library.export(conversationId, "json"))}
      <hr />
      {item(
        session.isArchived ? t.unarchive : t.archive,
        () => void library.setArchived(session, !session.isArchived),
      )}
      {item(texts.common.delete, () => void library.delete(session), styles.danger)}
    </div>
  );
}

const isElement = (one: Element): one is HTMLElement => one instanceof HTMLElement;
