import { startTransition, useCallback, useEffect, useRef, useState } from "react";

/** Rows of the first picture, at least: more than a window of usual height shows. */
const firstRows = 20;
/** The least that a row takes, in CSS pixels. */
const leastRowPx = 40;
/** Rows that are drawn at once before those that are there. */
const sliceRows = 10;
/** As long as the window may have something else to do, in milliseconds. */
const longestWaitMs = 300;

/**
 * The end of a conversation is drawn first. What stands before follows when the window has nothing else to do, in slices
 * that hold up nothing; what is being read stays where it is (`KeptPlace`).
 * @param wantsAll something in them is looked for: all of them at once
 * @returns `from`: the first row to draw, 0: all of them
 */
export function useDrawnRows(
  rows: readonly { key: string }[],
  wantsAll: boolean,
): { from: number; drawMore: () => Promise<void> } {
  const [firstKey, setFirstKey] = useState(
    () => rows[rows.length - Math.max(firstRows, Math.ceil(window.innerHeight / leastRowPx))]?.key,
  );
  // Where that row is gone, such as on another branch, all are drawn.
  const known = rows.findIndex(({ key }) => key === firstKey);
  const from = wantsAll ? 0 : Math.max(0, known);
  if (from === 0 && firstKey !== rows[0]?.key) setFirstKey(rows[0]?.key);
  const latest = useRef({ rows, from });
  useEffect(() => {
    latest.current = { rows, from };
  }, [rows, from]);

  const drawMore = useCallback(async () => {
    const { rows, from } = latest.current;
    setFirstKey(rows[Math.max(0, from - sliceRows)]?.key);
  }, []);

  const isWhole = from === 0;
  // biome-ignore lint/correctness/useExhaustiveDependencies: each slice is the occasion for the next one
  useEffect(() => {
    if (isWhole) return;
    const asked = requestIdleCallback(() => startTransition(() => void drawMore()), {
      timeout: longestWaitMs,
    });
    return () => cancelIdleCallback(asked);
  }, [isWhole, firstKey, drawMore]);
  return { from, drawMore };
}
