import { type RefObject, useEffect, useRef } from "react";
import type { TranscriptItem } from "../../../../shared/conversation/transcript.ts";
import type { FindState } from "../../../state/conversation/find.ts";
import { rowOf } from "../use-earlier.ts";
import { rangesIn } from "./ranges-in.ts";

/** Marks in the page: styles in base.css. https://developer.mozilla.org/docs/Web/API/CSS_Custom_Highlight_API */
const marks = { all: "found", here: "found-here" } as const;

/** Marks all places in the rows that are there, and the one that is shown in another way. Nothing in the page is changed for it. */
export function useFoundMarks(
  log: RefObject<HTMLElement | null>,
  items: readonly TranscriptItem[],
  state: FindState | null,
): void {
  /** What was last brought into sight: marks are made again with every change, and whoever has scrolled on stays there. */
  const shown = useRef(0);
  // biome-ignore lint/correctness/useExhaustiveDependencies: new items are new rows
  useEffect(() => {
    const box = log.current;
    if (!box || !state || state.text === "") return;
    const here = state.places[state.at];
    const mark = () => {
      const keys = new Set(state.places.map(({ key }) => key));
      const all: Range[] = [];
      for (const key of keys) {
        const row = rowOf(box, key);
        const ranges = row ? rangesIn(row, state.text) : [];
        all.push(...ranges);
        if (key !== here?.key) continue;
        const range = ranges[Math.min(here.nth, ranges.length - 1)];
        if (!range) continue;
        const mark = new Highlight(range);
        mark.priority = 1;
        CSS.highlights.set(marks.here, mark);
        if (shown.current !== state.shows)
          range.startContainer.parentElement?.scrollIntoView({ block: "center", inline: "nearest" });
        shown.current = state.shows;
      }
      CSS.highlights.set(marks.all, new Highlight(...all));
    };
    // Rows are drawn by then, also those that were loaded just now.
    let frame = requestAnimationFrame(mark);
    // Code that comes into sight gets its colours, and so other texts than those that are marked; a long prompt is unfolded.
    const redrawn = new MutationObserver(() => {
      cancelAnimationFrame(frame);
      frame = requestAnimationFrame(mark);
    });
    redrawn.observe(box, { childList: true, characterData: true, subtree: true });
    return () => {
      redrawn.disconnect();
      cancelAnimationFrame(frame);
      for (const name of Object.values(marks)) CSS.highlights.delete(name);
    };
  }, [log, items, state]);
}
