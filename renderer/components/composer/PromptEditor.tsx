import { type KeyboardEvent, useEffect, useRef, useState } from "react";
import { maxPromptChars } from "../../../shared/ipc.ts";

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
    <div className="prompt-editor">
      <textarea
        ref={box}
        data-testid="prompt-editor"
        aria-label="Edit this prompt"
        title="Enter sends it as a new version · Shift+Enter starts a line · Esc cancels"
        value={draft}
        maxLength={maxPromptChars}
        onChange={(event) => setDraft(event.target.value)}
        onKeyDown={onKeyDown}
      />
      <div className="row">
        <span className="hint">The old version stays, as a branch.</span>
        <button type="button" className="btn small ghost" onClick={onCancel}>
          Cancel
        </button>
        <button
          type="button"
          className="btn small primary"
          disabled={draft.trim() === "" || isSending}
          onClick={() => void send()}
        >
          Send
        </button>
      </div>
    </div>
  );
}
