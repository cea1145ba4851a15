import type { KeyboardEvent } from "react";

/** What the arrow keys mean nothing to by itself. */
const stops = "article, button, summary, p";

/**
 * The arrow keys go from message to message while the keyboard is on the conversation, on one of them, or on a button of it. What is
 * longer than the window scrolls first; cards that wait have arrow keys of their own.
 */
export function onMessageKey(event: KeyboardEvent<HTMLElement>): void {
  const step = event.key === "ArrowDown" ? 1 : event.key === "ArrowUp" ? -1 : 0;
  const { target, currentTarget: log } = event;
  if (
    step === 0 ||
    event.defaultPrevented ||
    event.altKey ||
    event.ctrlKey ||
    event.metaKey ||
    event.shiftKey
  )
    return;
  if (!(target instanceof HTMLElement) || target.closest("[data-waits]")) return;
  if (target !== log && !target.matches(stops)) return;
  const rows = [...log.querySelectorAll<HTMLElement>("[data-row]")];
  const sight = log.getBoundingClientRect();
  const here = rows.findIndex((row) => row.contains(target));
  if (here >= 0 && goesOn(rows[here], sight, step)) return;
  const next = here >= 0 ? rows[here + step] : entry(rows, sight, step);
  if (!next) return;
  event.preventDefault();
  const stop = next.querySelector<HTMLElement>("article") ?? next.querySelector<HTMLElement>(stops) ?? next;
  if (stop.tabIndex < 0) stop.tabIndex = -1;
  stop.focus({ preventScroll: true });
  next.scrollIntoView({ block: "nearest" });
}

/** Whether more of it is out of sight on that side. */
const goesOn = (row: HTMLElement | undefined, sight: DOMRect, step: number): boolean => {
  if (!row) return false;
  const { top, bottom } = row.getBoundingClientRect();
  return step > 0 ? bottom > sight.bottom + 1 : top < sight.top - 1;
};

/** From the conversation itself: down to the first in sight, up to the last. */
function entry(rows: readonly HTMLElement[], sight: DOMRect, step: number): HTMLElement | undefined {
  const isInSight = (row: HTMLElement) => {
    const { top, bottom } = row.getBoundingClientRect();
    return bottom > sight.top && top < sight.bottom;
  };
  return step > 0 ? rows.find(isInSight) : rows.findLast(isInSight);
}
