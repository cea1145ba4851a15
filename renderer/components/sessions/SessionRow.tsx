import { type MouseEvent, memo } from "react";
import type { SessionSummary } from "../../../shared/conversation/sessions.ts";
import { listTime } from "../../state/conversation/wording.ts";
import { texts } from "../../texts/texts.ts";
import { Icon } from "../ui/Icon.tsx";
import { InlineEdit } from "../ui/InlineEdit.tsx";
import styles from "./SessionRow.module.css";

const t = texts.sessions;

/** What is being changed in a row, in place. */
export type RowEdit = "title" | "group";

interface SessionRowProps {
  session: SessionSummary;
  isShown: boolean;
  isListening: boolean;
  editing: RowEdit | null;
  groups: readonly string[];
  onOpen: (session: SessionSummary) => void;
  onMenu: (session: SessionSummary, at: { x: number; y: number }, from: HTMLElement) => void;
  onEdited: (session: SessionSummary, edit: RowEdit, text: string | null) => void;
}

/** One conversation of the list: its title, when it was used and what it is doing. */
export const SessionRow = memo(function SessionRow(props: SessionRowProps) {
  const { session, isShown, isListening, editing, groups, onOpen, onMenu, onEdited } = props;
  if (editing) {
    return (
      <InlineEdit
        label={editing === "title" ? t.title : t.group}
        text={editing === "title" ? session.title : (session.group ?? "")}
        maxLength={editing === "title" ? 200 : 100}
        {...(editing === "group" && { options: groups })}
        onDone={(text) => onEdited(session, editing, text)}
        onCancel={() => onEdited(session, editing, null)}
      />
    );
  }
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
        aria-current={isShown ? "page" : undefined}
        title={session.title}
        onClick={() => onOpen(session)}
        onContextMenu={(event) => menuAt(event, { x: event.clientX, y: event.clientY })}
      >
        <span className={styles.title}>{session.title}</span>
        <small>
          <Status session={session} isListening={isListening} />
        </small>
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

/** Colour never stands alone: each dot has its words. */
function Status({ session, isListening }: { session: SessionSummary; isListening: boolean }) {
  const { state, heldInputs, updatedAt, tasks } = session;
  const isRunning = state === "processing" || state === "awaiting_input";
  const words: string[] = [];
  if (state === "processing") words.push(t.working);
  if (state === "awaiting_input") words.push(t.waitingForYou);
  if (isRunning && tasks) words.push(t.tasksDone(tasks.done, tasks.total));
  if (isListening) words.push(t.listening);
  if (heldInputs > 0) words.push(t.notSent(heldInputs));
  const dot = state === "awaiting_input" ? "dot amber" : `dot ${styles.running}`;
  return (
    <>
      {isRunning && <span className={dot} aria-hidden="true" />}
      {[listTime(updatedAt), ...words].join(" · ")}
    </>
  );
}
