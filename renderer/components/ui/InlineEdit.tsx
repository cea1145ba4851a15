import { type KeyboardEvent, useEffect, useRef } from "react";
import styles from "./InlineEdit.module.css";

interface InlineEditProps {
  label: string;
  text: string;
  maxLength: number;
  /** Suggestions while typing. */
  options?: readonly string[];
  /** Of what takes the keyboard afterwards, see `useFocusReturn`. */
  place?: string;
  onDone: (text: string) => void;
  onCancel: () => void;
}

/** A line that is changed where it stands: Enter or leaving it keeps the change, Esc drops it. */
export function InlineEdit(props: InlineEditProps) {
  const { label, text, maxLength, options, place, onDone, onCancel } = props;
  const box = useRef<HTMLInputElement>(null);
  const isOver = useRef(false);
  useEffect(() => box.current?.select(), []);
  const end = (finish: () => void) => {
    // Enter takes the field away, and leaving it must not keep the text a second time.
    if (isOver.current) return;
    isOver.current = true;
    finish();
  };
  const onKeyDown = (event: KeyboardEvent<HTMLInputElement>) => {
    event.stopPropagation();
    if (event.nativeEvent.isComposing) return;
    const { value } = event.currentTarget;
    if (event.key === "Enter") end(() => onDone(value));
    else if (event.key === "Escape") end(onCancel);
  };
  return (
    <>
      <input
        ref={box}
        // biome-ignore lint/a11y/noAutofocus: the user asked for this field a moment ago
        autoFocus
        className={styles.inlineEdit}
        data-testid="inline-edit"
        data-place={place}
        aria-label={label}
        dir="auto"
        placeholder={label}
        defaultValue={text}
        maxLength={maxLength}
        list={options ? "inline-edit-options" : undefined}
        onKeyDown={onKeyDown}
        onBlur={(event) => {
          const { value } = event.currentTarget;
          end(() => onDone(value));
        }}
      />
      {options && (
        <datalist id="inline-edit-options">
          {options.map((option) => (
            <option key={option} value={option} />
          ))}
        </datalist>
      )}
    </>
  );
}
