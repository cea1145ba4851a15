import { z } from "zod";

/** A key to talk with, and what has to be held with it. */
export interface TalkKey {
  modifiers: TalkModifier[];
  key: string;
}

const modifiers = ["Ctrl", "Alt", "Shift", "Meta"] as const;
export type TalkModifier = (typeof modifiers)[number];

const named = ["Space", "Home", "End", "PageUp", "PageDown"];
/** They write nothing and move nothing: they may stand alone. */
const free = [...Array.from({ length: 24 }, (_, index) => `F${index + 1}`), "Insert", "ScrollLock"];
/** Keys that change others, held alone. No system offers them as shortcuts: they can be held, not tapped. */
const heldOnly = ["CtrlRight", "AltRight", "ShiftRight", "MetaRight"];

/** @returns null for what is no such key: unknown, or one that would write while it is held */
export function parseTalkKey(text: string): TalkKey | null {
  const parts = text.split("+");
  const key = parts.pop() ?? "";
  const found = modifiers.filter((name) => parts.includes(name));
  if (found.length !== parts.length) return null;
  if (free.includes(key)) return { modifiers: found, key };
  if (heldOnly.includes(key)) return found.length === 0 ? { modifiers: [], key } : null;
  const writes = /^[A-Z0-9]$/.test(key) || named.includes(key);
  return writes && found.some((name) => name !== "Shift") ? { modifiers: found, key } : null;
}

/** As Electron's shortcuts are written; null where the system offers none for it. */
export function acceleratorOf({ modifiers, key }: TalkKey): string | null {
  if (heldOnly.includes(key)) return null;
  return [...modifiers.map((name) => (name === "Ctrl" ? "Control" : name)), key].join("+");
}

/** A key for the whole system; blank: none. */
export const shortcut = z
  .string()
  .trim()
  .refine((text) => {
    const key = parseTalkKey(text);
    return text === "" || (key !== null && acceleratorOf(key) !== null);
  }, "a key such as Alt+Space, Ctrl+Shift+K or F8, or nothing; letters, digits and Space need Ctrl, Alt or Meta");

export const talkKey = z
  .string()
  .trim()
  .refine(
    (text) => parseTalkKey(text) !== null,
    "a key such as F9, ScrollLock, CtrlRight or Ctrl+Alt+Space; letters, digits and Space need Ctrl, Alt or Meta",
  );
