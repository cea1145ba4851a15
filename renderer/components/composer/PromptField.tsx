import type { KeyboardEvent } from "react";
import { maxPromptChars } from "../../../shared/ipc.ts";
import { texts } from "../../texts/texts.ts";
import { AttachmentChips } from "./AttachmentChips.tsx";
import { CompletionList, completionId, completionListId } from "./CompletionList.tsx";
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
  /** Keys that what is offered has no use for. */
  onKeyDown: (event: KeyboardEvent) => void;
  onBlur?: () => void;
}

/** The text box for prompts: what it offers, what is attached, and the text. */
export function PromptField({ field, label, placeholder, title, dictated, ...on }: PromptFieldProps) {
  const { box, text, caret, attachments, rows, selected } = field;
  const current = rows[selected];
  const held = useHeldKeys(field.isFinding, (event) => {
    const isTaken = field.takeKey(event);
    if (!isTaken) on.onKeyDown(event);
    return isTaken;
  });
  return (
    <>
      {current && (
        <CompletionList
          label={current.command ? t.commands : t.attachments}
          rows={rows}
          current={selected}
          onChoose={(index) => rows[index] && field.choose(rows[index])}
          onPoint={field.select}
        />
      )}
      <AttachmentChips
        chosen={attachments.chosen}
        onRemove={(reference) => {
          attachments.remove(reference);
          box.current?.focus();
        }}
      />
      <textarea
        ref={box}
        data-testid="composer"
        rows={1}
        value={dictated ?? text}
        readOnly={dictated !== undefined}
        data-dictating={dictated !== undefined || undefined}
        maxLength={maxPromptChars}
        placeholder={placeholder}
        aria-label={label}
        title={title}
        role="combobox"
        aria-expanded={current !== undefined}
        aria-autocomplete="list"
        aria-controls={current ? completionListId : undefined}
        aria-activedescendant={current ? completionId(selected) : undefined}
        onChange={({ target }) => {
          held.drop();
          field.change(target.value, target.selectionEnd);
        }}
        onKeyDown={(event) => {
          // While an input method composes, Enter and Esc belong to it.
          if (event.nativeEvent.isComposing || event.keyCode === 229) return;
          held.press(event);
        }}
        onSelect={() => dictated === undefined && caret.follow()}
        onBlur={on.onBlur}
      />
    </>
  );
}
