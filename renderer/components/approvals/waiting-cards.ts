import type { KeyboardEvent } from "react";
import { textBox } from "../composer/use-prompt-field.ts";

/** The cards that wait for the user, as they stand on the page. */
const waitingCards = (): HTMLElement[] => [...document.querySelectorAll<HTMLElement>("[data-waits]")];

/** @returns null where it is not on the page */
export const waitingCard = (key: string): HTMLElement | null =>
  document.querySelector<HTMLElement>(`[data-waits="${CSS.escape(key)}"]`);

/** Brings a card into sight and gives it the keyboard. */
export function focusCard(card: HTMLElement): void {
  // With the keyboard in it it says more, and is higher.
  card.focus({ preventScroll: true });
  card.scrollIntoView({ block: card.offsetHeight > window.innerHeight / 2 ? "start" : "center" });
}

/** Arrow keys on a card go to the one above or below it, Esc to the text box. @returns whether this key did */
export function goToCard(event: KeyboardEvent<HTMLElement>): boolean {
  if (event.key === "Escape") {
    textBox()?.focus();
    // It leaves the card and must not stop the run.
    event.preventDefault();
    event.stopPropagation();
    return true;
  }
  const step = event.key === "ArrowDown" ? 1 : event.key === "ArrowUp" ? -1 : 0;
  const cards = waitingCards();
  const at = cards.indexOf(event.currentTarget);
  const next = cards[(at + step + cards.length) % cards.length];
  if (step === 0 || at < 0 || !next) return false;
  focusCard(next);
  event.preventDefault();
  return true;
}
