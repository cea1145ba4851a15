import { type KeyboardEvent, useEffect, useRef, useState } from "react";
import { maxPromptChars } from "../../../shared/ipc.ts";
import { texts } from "../../texts/texts.ts";
import styles from "./PromptEditor.module.css";

const t = texts.composer.editor;

interface PromptEditorProps {
  text: string;
  /** @returns false when it was not taken: the text then stays here */
  onSend: (text: string) => Promise<boolean>;
  onCancel: () => void;
}

/** A prompt that is being said anew: Enter sends it as a branch beside the old one, Esc leaves all as it was. */
export function PromptEditor({ text, onSend, onCancel }: PromptEditorProps) {
  const box = useRef<HTMLTextAreaElement>(null);
  const [draft, setDraft] = useState(text);
  const [isSending, setSending] = useState(false);
  useEffect(() => {
    const area = box.current;
    area?.focus();
    area?.setSelectionRange(area.value.length, area.value.length);
  }, []);
  const send = async () => {
    if (draft.trim() === "" || isSending) return;
    setSending(true);
    if (await onSend(draft)) onCancel();
    else setSending(false);
  };
  const onKeyDown = (event: KeyboardEvent) => {
    if (event.nativeEvent.isComposing || event.keyCode === 229) return;
    if (event.key === "Enter" && !event.shiftKey) void send();
    else if (event.key === "Escape") onCancel();
    else return;
    event.preventDefault();
    event.stopPropagation();
  };
  return (
    <div className={styles.promptEditor}>
      <textarea
        ref={box}
        data-testid="prompt-editor"
        aria-label={t.label}
        title={t.title}
        value={draft}
        maxLength={maxPromptChars}
        onChange={(event) => setDraft(event.target.value)}
        onKeyDown={onKeyDown}
      />
      <div className={styles.row}>
        <span className="hint">{t.oldStays}</span>
        <button type="button" className="btn small ghost" onClick={onCancel}>
          {texts.common.cancel}
        </button>
        <button
          type="button"
          className="btn small primary"
          disabled={draft.trim() === "" || isSending}
          onClick={() => void send()}
        >
          {texts.common.send}
        </button>
      </div>
    </div>
  );
}
