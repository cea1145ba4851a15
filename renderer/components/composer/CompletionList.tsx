import { useEffect, useRef } from "react";
import styles from "./CompletionList.module.css";

export const completionListId = "completion";
export const completionId = (index: number) => `completion-${index}`;

export interface CompletionRow {
  /** Its own among the rows. */
  key: string;
  name: string;
  description: string;
}

interface CompletionListProps {
  /** What the rows are. */
  label: string;
  rows: readonly CompletionRow[];
  current: number;
  onChoose: (index: number) => void;
  onPoint: (index: number) => void;
}

/** What the text may become. The keyboard stays in the text box, which says which row is current. */
export function CompletionList({ label, rows, current, onChoose, onPoint }: CompletionListProps) {
  return (
    // Who reads it with the keys of a screen reader can scroll it.
    <div className={styles.completion} id={completionListId} role="listbox" aria-label={label} tabIndex={0}>
      {rows.map((row, index) => (
        <Row
          key={row.key}
          id={completionId(index)}
          row={row}
          isCurrent={index === current}
          onChoose={() => onChoose(index)}
          onPoint={() => onPoint(index)}
        />
      ))}
    </div>
  );
}

interface RowProps {
  id: string;
  row: CompletionRow;
  isCurrent: boolean;
  onChoose: () => void;
  onPoint: () => void;
}

function Row({ id, row: { name, description }, isCurrent, onChoose, onPoint }: RowProps) {
  const row = useRef<HTMLDivElement>(null);
  useEffect(() => {
    if (isCurrent) row.current?.scrollIntoView({ block: "nearest" });
  }, [isCurrent]);
  return (
    <div
      ref={row}
      id={id}
      role="option"
      tabIndex={-1}
      aria-selected={isCurrent}
      // A press would take the keyboard away from the text box before the click arrives.
      onMouseDown={(event) => event.preventDefault()}
      onMouseMove={onPoint}
      onClick={onChoose}
      onKeyDown={(event) => {
        if (event.key === "Enter") onChoose();
      }}
    >
      <b>{name}</b>
      <span>{description}</span>
    </div>
  );
}
