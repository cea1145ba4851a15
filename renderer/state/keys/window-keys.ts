import { latinKey } from "./latin-key.ts";

/** What a key of the whole window does. */
export type WindowAction =
  | "allow"
  | "approvals"
  | "deny"
  | "dictate"
  | "escape"
  | "find"
  | "goOn"
  | "keys"
  | "level"
  | "list"
  | "newConversation"
  | "palette"
  | "panel"
  | "servers"
  | "settings"
  | "voice"
  | "voicePanel";

/** A key together with Ctrl, or Cmd on a Mac; `plain`: without any. */
export interface WindowKey {
  action: WindowAction;
  /** As `KeyboardEvent.key` has it, in lower case. */
  key: string;
  /** "either": some keyboards need Shift to type it. */
  shift?: boolean | "either";
  plain?: boolean;
}

/** The one list of the keys that work wherever the focus is: the window obeys it, and the sheet and tooltips show it. */
export const windowKeys: readonly WindowKey[] = [
  { action: "palette", key: "k" },
  { action: "newConversation", key: "n" },
  { action: "find", key: "f" },
  { action: "list", key: "b" },
  { action: "panel", key: ".", shift: "either" },
  { action: "settings", key: "," },
  { action: "keys", key: "/", shift: "either" },
  { action: "keys", key: "?", plain: true, shift: "either" },
  { action: "escape", key: "escape", plain: true, shift: "either" },
  { action: "approvals", key: "a", shift: true },
  { action: "allow", key: "y", shift: true },
  { action: "deny", key: "x", shift: true },
  { action: "level", key: "p", shift: true },
  { action: "servers", key: "s", shift: true },
  { action: "voice", key: "m", shift: true },
  { action: "voicePanel", key: "l", shift: true },
  { action: "dictate", key: "d", shift: true },
  { action: "goOn", key: "g", shift: true },
];

/** While a dialog is open, too: who speaks must be able to mute, and what waits for an answer closes the dialog. */
export const worksOverDialogs = (action: WindowAction | null): boolean =>
  action === "approvals" || action === "voice";

type Pressed = Pick<KeyboardEvent, "key" | "ctrlKey" | "metaKey" | "altKey" | "shiftKey"> &
  Partial<Pick<KeyboardEvent, "code">>;

/** What a key press asks for; null: nothing of the window's. */
export function windowActionOf(pressed: Pressed): WindowAction | null {
  const isCommand = pressed.ctrlKey || pressed.metaKey;
  const key = latinKey(pressed);
  const found = windowKeys.find(
    (one) =>
      one.key === key &&
      isCommand === !one.plain &&
      (one.shift === "either" || (one.shift ?? false) === pressed.shiftKey) &&
      // On some keyboards only AltGr types a sign.
      (!pressed.altKey || one.key === "escape"),
  );
  return found?.action ?? null;
}

/**
 * What a shortcut of the whole system, such as `Ctrl+Shift+K`, would do in the window, where it does not arrive any more.
 * @returns null: nothing of the window's
 */
export function windowActionOfShortcut(shortcut: string): WindowAction | null {
  const parts = shortcut.split("+");
  const key = parts.pop() ?? "";
  const isHeld = (name: string) => parts.includes(name);
  return windowActionOf({
    key,
    ...{ ctrlKey: isHeld("Ctrl"), metaKey: isHeld("Meta"), altKey: isHeld("Alt"), shiftKey: isHeld("Shift") },
  });
}

/** The first key of an action. @throws Error where it has none, which is a programmer's error */
export function keyOf(action: WindowAction): WindowKey {
  const found = windowKeys.find((one) => one.action === action);
  if (!found) throw new Error(`Nothing is pressed for ${action}.`);
  return found;
}
