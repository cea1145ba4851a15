import { useState } from "react";
import { type MeetingLine, maxNoteChars } from "../../../shared/conversation/meeting.ts";
import { meetingTime } from "../../state/meeting/meeting-times.ts";
import { texts } from "../../texts/texts.ts";
import { useWindowState } from "../window/window-context.ts";
import styles from "./MeetingOwnNotes.module.css";

const t = texts.meeting;

interface MeetingOwnNotesProps {
  conversationId: string;
  lines: readonly MeetingLine[];
  /** Only while it is heard a note can be added. */
  isLive: boolean;
  /** A line to go to, by its id. */
  onGo: (id: string) => void;
}

/** What the user typed during a meeting, and while it goes on the field for more. */
export function MeetingOwnNotes({ conversationId, lines, isLive, onGo }: MeetingOwnNotesProps) {
  const notes = lines.filter(({ who }) => who === "note");
  if (notes.length === 0 && !isLive) return null;
  return (
    <section className={styles.own} data-testid="meeting-own-notes">
      <h2>{t.ownNotes}</h2>
      {notes.length > 0 && (
        <ul>
          {notes.map(({ id, text, at }) => (
            <li key={id}>
              <span>{text}</span>
              <button
                type="button"
                aria-label={t.goTo(meetingTime(at), text)}
                title={text}
                onClick={() => onGo(id)}
              >
                {meetingTime(at)}
              </button>
            </li>
          ))}
        </ul>
      )}
      {isLive && <NoteField conversationId={conversationId} />}
    </section>
  );
}

/** Enter keeps the note. The words stay in the field until they are kept. */
function NoteField({ conversationId }: Pick<MeetingOwnNotesProps, "conversationId">) {
  const { meeting } = useWindowState();
  const [text, setText] = useState("");
  const keep = async () => {
    if (text.trim() === "" || !(await meeting.note(conversationId, text))) return;
    setText((now) => (now === text ? "" : now));
  };
  return (
    <input
      type="text"
      value={text}
      maxLength={maxNoteChars}
      placeholder={t.noteHint}
      aria-label={t.noteHint}
      data-testid="meeting-note"
      onChange={(event) => setText(event.target.value)}
      onKeyDown={(event) => {
        if (event.key !== "Enter" || event.nativeEvent.isComposing) return;
        event.preventDefault();
        void keep();
      }}
    />
  );
}
