import { type ClipboardEvent, type KeyboardEvent, useEffect, useEffectEvent } from "react";
import type { AttachmentChoice } from "../../../shared/conversation/attachments.ts";
import { maxPromptChars } from "../../../shared/ipc/route-parts.ts";
import { latinKey } from "../../state/keys/latin-key.ts";
import { texts } from "../../texts/texts.ts";
import { AttachmentChips } from "./attach/AttachmentChips.tsx";
import list from "./CompletionList.module.css";
import { CompletionList, completionId, completionListId } from "./CompletionList.tsx";
import { MentionBackdrop } from "./MentionBackdrop.tsx";
import styles from "./PromptField.module.css";
import { useHeldKeys } from "./use-held-keys.ts";
import type { PromptFieldState } from "./use-prompt-field.ts";

const t = texts.composer;

interface PromptFieldProps {
  field: PromptFieldState;
  label: string;
  placeholder: string;
  title?: string;
  /** With words that are just being said: they still change, and cannot be typed into. */
  dictated?: string | undefined;
  /** Names of files that are being read. */
  reading?: readonly string[];
  /** Keys that what is offered has no use for. */
  onKeyDown: (event: KeyboardEvent) => void;
  onPaste?: (event: ClipboardEvent) => void;
  onBlur?: () => void;
  /** Shows what is attached. */
  onOpen?: ((choice: AttachmentChoice) => void) | undefined;
}

/** The text box for prompts: what it offers, what is attached, and the text. */
export function PromptField({
  field,
  label,
  placeholder,
  title,
  dictated,
  reading,
  ...on
}: PromptFieldProps) {
  const { box, text, caret, beside, rows, selected } = field;
  const current = rows[selected];
  const held = useHeldKeys(field.isFinding, (event) => {
    const isTaken = field.takeKey(event);
    if (!isTaken) on.onKeyDown(event);
    return isTaken;
  });
  useUndoOfMenus(field);
  return (
    <>
      {current && (
        <CompletionList
          label={current.attachment ? t.attachments : t.commands}
          rows={rows}
          current={selected}
          onChoose={(index) => rows[index] && field.choose(rows[index])}
          onPoint={field.select}
        />
      )}
      {field.isNothing && !current && (
        <p className={list.nothing} role="status">
          {t.nothingToAttach}
        </p>
      )}
      <AttachmentChips
        chosen={beside}
        reading={reading}
        onOpen={on.onOpen}
        onRemove={(choice) => {
          field.detach(choice);
          box.current?.focus();
        }}
      />
      <div className={styles.field}>
        <MentionBackdrop text={dictated ?? text} beside={beside} />
        <textarea
          ref={box}
          data-testid="composer"
          dir="auto"
          rows={1}
          value={dictated ?? text}
          readOnly={dictated !== undefined}
          data-dictating={dictated !== undefined || undefined}
          maxLength={maxPromptChars}
          placeholder={placeholder}
          aria-label={label}
          title={title}
          aria-autocomplete="list"
          aria-controls={current ? completionListId : undefined}
          aria-activedescendant={current ? completionId(selected) : undefined}
          onChange={({ target }) => {
            held.drop();
            field.change(target.value, target.selectionEnd, true);
          }}
          onKeyDown={(event) => {
            // While an input method composes, Enter and Esc belong to it.
            if (event.nativeEvent.isComposing || event.keyCode === 229) return;
            const way = undoKey(event);
            if (way === null) return held.press(event);
            event.preventDefault();
            field[way]();
          }}
          onPaste={on.onPaste}
          onSelect={() => dictated === undefined && caret.follow()}
          onBlur={on.onBlur}
        />
      </div>
    </>
  );
}

function undoKey(event: KeyboardEvent): "undo" | "redo" | null {
  const { ctrlKey, metaKey, shiftKey, altKey } = event;
  if ((!ctrlKey && !metaKey) || altKey) return null;
  const key = latinKey(event);
  if (key === "z") return shiftKey ? "redo" : "undo";
  return key === "y" && !shiftKey ? "redo" : null;
}

/** The menus' own Undo and Redo go the same way as the keys. */
function useUndoOfMenus({ box, undo, redo }: PromptFieldState): void {
  const onInput = useEffectEvent((event: InputEvent) => {
    if (event.inputType !== "historyUndo" && event.inputType !== "historyRedo") return;
    event.preventDefault();
    if (event.inputType === "historyUndo") undo();
    else redo();
  });
  useEffect(() => {
    const area = box.current;
    const listener = (event: InputEvent) => onInput(event);
    area?.addEventListener("beforeinput", listener);
    return () => area?.removeEventListener("beforeinput", listener);
  }, [box]);
}
