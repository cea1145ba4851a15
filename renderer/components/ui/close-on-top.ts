/** Closes the menu or dialog that is open on top. @returns false where none is */
export function closeOnTop(): boolean {
  const menu = [...document.querySelectorAll<HTMLElement>(":popover-open")].at(-1);
  if (menu) menu.hidePopover();
  else {
    const dialog = openDialogs().at(-1);
    if (!dialog) return false;
    closeNow(dialog);
  }
  return true;
}

export function closeDialogs(): void {
  for (const dialog of openDialogs().reverse()) closeNow(dialog);
}

/** The browser tells of a closed dialog a moment later: it would close what was opened in between by the next command. */
function closeNow(dialog: HTMLDialogElement): void {
  dialog.close();
  dialog.dispatchEvent(new Event("close"));
}

/** The one on top is last. */
const openDialogs = () => [...document.querySelectorAll<HTMLDialogElement>("dialog[open]")];
