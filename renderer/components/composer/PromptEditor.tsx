import { type KeyboardEvent, useEffect, useRef, useState } from "react";
import { maxPromptChars } from "../../../shared/ipc/route-parts.ts";
import { texts } from "../../texts/texts.ts";
import styles from "./PromptEditor.module.css";

const t = texts.composer.editor;

interface PromptEditorProps {
  /** The new version, as far as it is written. */
  text: string;
  /** The user asked for it a moment ago: it takes the keyboard. */
  isWanted: boolean;
  onChange: (text: string) => void;
  /** @returns false when it was not taken: the text then stays here */
  onSend: (text: string) => Promise<boolean>;
  onCancel: () => void;
}

/** A prompt that is being said anew: Enter sends it as a branch beside the old one, Esc leaves all as it was. */
export function PromptEditor({ text, isWanted, onChange, onSend, onCancel }: PromptEditorProps) {
  const box = useRef<HTMLTextAreaElement>(null);
  const [isSending, setSending] = useState(false);
  useEffect(() => {
    const area = box.current;
    if (!isWanted) return;
    area?.focus();
    area?.setSelectionRange(area.value.length, area.value.length);
  }, [isWanted]);
  const send = async () => {
    if (text.trim() === "" || isSending) return;
    setSending(true);
    if (await onSend(text)) onCancel();
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
        dir="auto"
        aria-label={t.label}
        title={t.title}
        value={text}
        maxLength={maxPromptChars}
        onChange={(event) => onChange(event.target.value)}
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
          disabled={text.trim() === "" || isSending}
          onClick={() => void send()}
        >
          {texts.common.send}
        </button>
      </div>
    </div>
  );
}
