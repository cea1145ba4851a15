import { type ReactNode, useState } from "react";
import styles from "./Settings.module.css";

/** Stands for what is not listed: a field for it opens. */
const unlisted = " ";

interface OpenSelectProps {
  value: string;
  /** The options there are. */
  children: ReactNode;
  /** What the entry for any other is called. */
  other: string;
  onChoose: (value: string) => void;
  named: Readonly<Record<string, string>>;
}

/** A menu of what is there, and any other by its id. */
export function OpenSelect({ value, children, other, onChoose, named }: OpenSelectProps) {
  const [isTyping, setTyping] = useState(false);
  if (isTyping) {
    return (
      <input
        className={styles.typed}
        data-testid="setting-control"
        {...named}
        // biome-ignore lint/a11y/noAutofocus: it takes the place of the list that was just used
        autoFocus
        defaultValue={value}
        spellCheck={false}
        onBlur={(event) => {
          const text = event.target.value.trim();
          if (text !== "" && text !== value) onChoose(text);
          setTyping(false);
        }}
        onKeyDown={(event) => {
          if (event.key === "Enter") event.currentTarget.blur();
        }}
      />
    );
  }
  return (
    <select
      className={styles.select}
      data-testid="setting-control"
      {...named}
      value={value}
      onChange={(event) => (event.target.value === unlisted ? setTyping(true) : onChoose(event.target.value))}
    >
      {children}
      <option value={unlisted}>{other}</option>
    </select>
  );
}
