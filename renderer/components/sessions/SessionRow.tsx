import { type MouseEvent, memo } from "react";
import type { SessionSummary } from "../../../shared/conversation/sessions.ts";
import { listTime } from "../../state/conversation/wording.ts";
import { rowWords } from "../../state/sessions/row-words.ts";
import { texts } from "../../texts/texts.ts";
import { Icon } from "../ui/Icon.tsx";
import { InlineEdit } from "../ui/InlineEdit.tsx";
import styles from "./SessionRow.module.css";

const t = texts.sessions;

/** What is being changed in a row, in place. */
export type RowEdit = "title" | "group";

interface SessionRowProps {
  session: SessionSummary;
  /** Below how many others it hangs, as their fork. */
  depth: number;
  isShown: boolean;
  isListening: boolean;
  /** It has an answer that nobody has seen. */
  isUnread: boolean;
  editing: RowEdit | null;
  groups: readonly string[];
  onOpen: (session: SessionSummary) => void;
  onMenu: (session: SessionSummary, at: { x: number; y: number }, from: HTMLElement) => void;
  onEdited: (session: SessionSummary, edit: RowEdit, text: string | null) => void;
}

/** One conversation of the list: its title and what it is doing. */
export const SessionRow = memo(function SessionRow(props: SessionRowProps) {
  const { session, depth, isShown, isListening, isUnread, editing, groups, onOpen, onMenu, onEdited } = props;
  if (editing) {
    return (
      <InlineEdit
        label={editing === "title" ? t.title : t.group}
        text={editing === "title" ? session.title : (session.group ?? "")}
        maxLength={editing === "title" ? 200 : 100}
        {...(editing === "group" && { options: groups })}
        place={`row ${session.conversationId}`}
        onDone={(text) => onEdited(session, editing, text)}
        onCancel={() => onEdited(session, editing, null)}
      />
    );
  }
  const words = rowWords(session, isListening);
  const menuAt = (event: MouseEvent<HTMLElement>, at: { x: number; y: number }) => {
    event.preventDefault();
    onMenu(session, at, event.currentTarget);
  };
  return (
    <>
      <button
        type="button"
        className={styles.sess}
        data-stop=""
        data-testid="conversation-item"
        data-key={session.conversationId}
        data-state={session.state}
        data-depth={depth || undefined}
        data-failed={hasFailed(session) || undefined}
        data-place={`row ${session.conversationId}`}
        aria-current={isShown ? "page" : undefined}
        data-unread={(isUnread && !isShown) || undefined}
        title={session.title}
        onClick={() => onOpen(session)}
        onContextMenu={(event) => menuAt(event, { x: event.clientX, y: event.clientY })}
      >
        <span
          className={styles.title}
          dir="auto"
          title={t.usedAt(session.title, listTime(session.updatedAt))}
        >
          {session.title}
        </span>
        <Mark
          state={session.state}
          hasFailed={hasFailed(session)}
          isListening={isListening}
          isUnread={isUnread && !isShown}
          kind={session.kind}
        />
        {words.length > 0 && <small>{words.join(" · ")}</small>}
      </button>
      <button
        type="button"
        className={`btn icon ghost ${styles.rowMenu}`}
        data-testid="conversation-menu"
        aria-label={t.more(session.title)}
        aria-haspopup="menu"
        title={t.moreTitle}
        onClick={(event) => {
          const { left, bottom } = event.currentTarget.getBoundingClientRect();
          menuAt(event, { x: left, y: bottom + 2 });
        }}
      >
        <Icon name="more" size={18} />
      </button>
    </>
  );
});

/** A run that goes on says more than the one before it. */
const hasFailed = ({ state, hasFailed: failed = false }: SessionSummary): boolean =>
  failed && state !== "processing" && state !== "awaiting_input";

interface MarkProps {
  state: SessionSummary["state"];
  hasFailed: boolean;
  isListening: boolean;
  isUnread: boolean;
  kind: SessionSummary["kind"];
}

/** One sign at the end of the row; the words below, or read aloud, say the same. */
function Mark({ state, hasFailed: failed, isListening, isUnread, kind }: MarkProps) {
  if (state === "awaiting_input") {
    return (
      <span className={`${styles.mark} ${styles.waits}`} aria-hidden="true">
        <Icon name="hand" size={14} />
      </span>
    );
  }
  if (failed) {
    return (
      <span className={`${styles.mark} ${styles.failed}`} aria-hidden="true">
        <Icon name="alert" size={14} />
      </span>
    );
  }
  if (state === "processing") return <span className={`${styles.mark} ${styles.spin}`} aria-hidden="true" />;
  if (isListening) {
    return (
      <span className={`${styles.mark} ${styles.hears}`} aria-hidden="true">
        <Icon name="mic" size={14} />
      </span>
    );
  }
  if (!isUnread) {
    return (
      kind && (
        <span className={`${styles.mark} ${styles.kind}`} role="img" aria-label={t.kinds[kind]}>
          <Icon name={kind === "meeting" ? "users" : "bolt"} size={14} />
        </span>
      )
    );
  }
  return (
    <span className={styles.mark}>
      <span className="dot" aria-hidden="true" />
      <span className="visually-hidden">{t.unread}</span>
    </span>
  );
}
