import { acceleratorOf, parseTalkKey } from "../../../shared/voice/talk-key.ts";

/** What of a key event names a key. */
type Pressed = Pick<KeyboardEvent, "key" | "code" | "ctrlKey" | "altKey" | "shiftKey" | "metaKey">;

/** What was pressed while a field waits for keys. */
type PressedKey =
  /** Only Ctrl, Alt, Shift or Meta so far. */
  | { kind: "held"; text: string }
  | { kind: "key"; text: string }
  /** A key that cannot be a shortcut, or not alone. */
  | { kind: "unfit"; text: string };

const modifierKeys: ReadonlySet<string> = new Set(["Control", "Alt", "Shift", "Meta", "AltGraph"]);
/** Of a key that writes nothing, its code is its name. */
const named = /^(F\d{1,2}|Space|Home|End|PageUp|PageDown|Insert|ScrollLock)$/;

/** A pressed key as settings write it: `Ctrl+Shift+Space`. Pure. */
export function pressedKey(event: Pressed): PressedKey {
  const modifiers = [
    event.ctrlKey && "Ctrl",
    event.altKey && "Alt",
    event.shiftKey && "Shift",
    event.metaKey && "Meta",
  ].filter((one) => one !== false);
  if (modifierKeys.has(event.key)) return { kind: "held", text: modifiers.join("+") };
  const text = [...modifiers, nameOf(event) ?? event.key].join("+");
  const parsed = parseTalkKey(text);
  return parsed && acceleratorOf(parsed) !== null ? { kind: "key", text } : { kind: "unfit", text };
}

/** What a key is when it is held alone: only those on the right can be, since the others are for shortcuts. Pure. */
export function heldAlone(code: string): string | null {
  const [, name, side] = /^(Control|Alt|Shift|Meta)(Right)$/.exec(code) ?? [];
  return name === undefined ? null : `${name === "Control" ? "Ctrl" : name}${side}`;
}

/** Shift and Alt change what a key writes, so digits go by their place; letters by what they write, where they write one. */
function nameOf({ key, code }: Pressed): string | null {
  if (/^[a-z]$/i.test(key)) return key.toUpperCase();
  if (named.test(code)) return code;
  return /^(?:Digit|Key)([0-9A-Z])$/.exec(code)?.[1] ?? null;
}
