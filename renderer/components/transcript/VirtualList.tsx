import { useVirtualizer } from "@tanstack/react-virtual";
import { type KeyboardEvent, type ReactNode, useEffect, useLayoutEffect, useRef } from "react";
import styles from "./VirtualList.module.css";

interface VirtualListProps<R extends { key: string }> {
  rows: readonly R[];
  label: string;
  heightPx: (row: R) => number;
  /** The row to have in sight when the list appears or another one is meant. */
  shownKey: string | null;
  children: (row: R) => ReactNode;
  /** Arrow up on the first row. */
  onLeave: () => void;
}

/** Rows of known heights, of which only those in sight are made. Arrow keys go from button to button. */
export function VirtualList<R extends { key: string }>(props: VirtualListProps<R>) {
  const { rows, label, heightPx, shownKey, children, onLeave } = props;
  const scroller = useRef<HTMLUListElement>(null);
  const list = useVirtualizer({
    count: rows.length,
    getScrollElement: () => scroller.current,
    estimateSize: (index) => {
      const row = rows[index];
      return row ? heightPx(row) : 0;
    },
    getItemKey: (index) => rows[index]?.key ?? index,
    overscan: 10,
  });
  // Rows that came, went or have another height must not keep the places of others. Before they are seen: what waited for a
  // later turn added up where rows came in bursts, to more than React takes.
  const places = rows.map((row) => `${row.key} ${heightPx(row)}`).join();
  // biome-ignore lint/correctness/useExhaustiveDependencies: the rows and their heights are the occasion
  useLayoutEffect(() => list.measure(), [places, list]);
  // biome-ignore lint/correctness/useExhaustiveDependencies: only when another row is meant, not whenever rows change
  useEffect(() => {
    const index = rows.findIndex(({ key }) => key === shownKey);
    if (index >= 0) list.scrollToIndex(index, { align: "auto" });
  }, [shownKey]);

  const onKeyDown = (event: KeyboardEvent) => {
    const step = event.key === "ArrowDown" ? 1 : event.key === "ArrowUp" ? -1 : 0;
    if (step === 0 || !(event.target instanceof HTMLElement)) return;
    const stops = [...(scroller.current?.querySelectorAll<HTMLElement>("[data-stop]") ?? [])];
    const index = stops.indexOf(event.target);
    if (index < 0) return;
    event.preventDefault();
    if (step < 0 && index === 0) onLeave();
    else stops[index + step]?.focus();
  };

  return (
    <ul ref={scroller} aria-label={label} data-testid="session-list" onKeyDown={onKeyDown}>
      <li aria-hidden="true" style={{ height: list.getTotalSize() }} />
      {list.getVirtualItems().map(({ index, key, start, size }) => {
        const row = rows[index];
        return (
          row && (
            <li key={key} className={styles.at} style={{ height: size, transform: `translateY(${start}px)` }}>
              {children(row)}
            </li>
          )
        );
      })}
    </ul>
  );
}
