import { type FocusEvent, type KeyboardEvent, type ReactNode, useEffect, useRef, useState } from "react";
import { texts } from "../../texts/texts.ts";
import styles from "./AskFirst.module.css";

interface AskFirstProps {
  /** What it does, in a word or two. */
  label: string;
  /** What it does, and to what. */
  name: string;
  /** Of the button as it is at first. */
  className: string;
  /** Shown in place of the label at first. */
  children?: ReactNode;
  onYes: () => void;
}

/** A button for what nobody can undo: it asks once more, by hand alone, and a double-click is one press. */
export function AskFirst({ label, name, className, children, onYes }: AskFirstProps) {
  const [isAsking, setAsking] = useState(false);
  const first = useRef<HTMLButtonElement>(null);
  const cancel = useRef<HTMLButtonElement>(null);
  const isUsed = useRef(false);
  useEffect(() => {
    if (isAsking) cancel.current?.focus();
    else if (isUsed.current) first.current?.focus();
  }, [isAsking]);
  const ask = (next: boolean) => {
    isUsed.current = true;
    setAsking(next);
  };
  const onKeyDown = (event: KeyboardEvent) => {
    if (event.key !== "Escape" || event.nativeEvent.isComposing) return;
    event.preventDefault();
    event.stopPropagation();
    ask(false);
  };
  const onBlur = ({ currentTarget, relatedTarget }: FocusEvent) => {
    if (currentTarget.contains(relatedTarget)) return;
    // Whoever is elsewhere stays there.
    isUsed.current = false;
    setAsking(false);
  };
  const onAnswer = () => {
    ask(false);
    onYes();
  };
  if (!isAsking) {
    return (
      <button
        ref={first}
        type="button"
        className={className}
        aria-label={name}
        title={children ? name : undefined}
        onClick={() => ask(true)}
      >
        {children ?? label}
      </button>
    );
  }
  return (
    // biome-ignore lint/a11y/useSemanticElements: a fieldset is drawn as a box of its own
    <span role="group" aria-label={`${name}?`} className={styles.asked} onKeyDown={onKeyDown} onBlur={onBlur}>
      <button
        type="button"
        className={`btn small ${styles.yes}`}
        aria-label={name}
        data-by-hand
        onClick={({ detail }) => detail < 2 && onAnswer()}
      >
        {label}
      </button>
      <button
        ref={cancel}
        type="button"
        className="btn small"
        onClick={({ detail }) => detail < 2 && ask(false)}
      >
        {texts.common.cancel}
      </button>
    </span>
  );
}
