/** So long after the last key or click the caret stands still, in milliseconds: as programs of GTK do it. */
export const stillAfterMs = 10_000;

/**
 * A caret that blinks draws a picture twice a second, for as long as the window has the keyboard: with nobody there that is
 * most of what the window takes. Styles let it stand still at `data-caret="still"`, where Chromium can (from 140 on).
 */
export function stillCaret(root: HTMLElement): void {
  let timer: ReturnType<typeof setTimeout> | undefined;
  const used = () => {
    delete root.dataset.caret;
    clearTimeout(timer);
    timer = setTimeout(() => {
      root.dataset.caret = "still";
    }, stillAfterMs);
  };
  for (const type of ["keydown", "input", "pointerdown", "focusin"]) root.addEventListener(type, used, true);
  used();
}
