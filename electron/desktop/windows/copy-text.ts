import { clipboard } from "electron";

/** Puts text into the clipboard, whichever window has the keyboard. */
export const copyText = (text: string): void => void clipboard.writeText(text);
