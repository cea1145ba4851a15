import { texts } from "../../texts/texts.ts";
import { keyLabel } from "../conversation/wording.ts";
import { keyOf, type WindowAction, type WindowKey, windowKeys } from "./window-keys.ts";

const t = texts.keys;
const { keys } = texts.common;

/** A line of the sheet: what is pressed, as it is read, and what it does. */
export interface KeyRow {
  keys: readonly string[];
  does: string;
}

export interface KeyGroup {
  title: string;
  rows: readonly KeyRow[];
}

/** Keys that the user chooses, or turns off. */
export interface ChosenKeys {
  /** Opens the quick prompt from any program. Absent: none does. */
  quick?: string;
  /** Is held or tapped to talk. Absent: none is. */
  talk?: { key: string; way: "hold" | "tap" };
  /** A question mark alone shows the keys. */
  questionMark: boolean;
}

/** As it is pressed here, such as `Ctrl+K` or `⌘K`. */
export const windowKeyLabel = (platform: string | undefined, action: WindowAction): string =>
  labelOf(platform, keyOf(action));

function labelOf(platform: string | undefined, { key, shift, plain }: WindowKey): string {
  if (key === "escape") return keys.escape;
  return plain ? key : keyLabel(platform, key.toUpperCase(), shift === true);
}

/** Every key, in groups: those of the window from their list, then those of what has the keyboard. */
export function keySheet(platform: string | undefined, chosen: ChosenKeys): KeyGroup[] {
  const row = (action: WindowAction): KeyRow => ({
    keys: windowKeys
      .filter((one) => one.action === action && (one.key !== "?" || chosen.questionMark))
      .map((one) => labelOf(platform, one)),
    does: t.actions[action],
  });
  const group = (
    title: string,
    actions: readonly WindowAction[],
    more: readonly KeyRow[] = [],
  ): KeyGroup => ({
    title,
    rows: [...actions.map(row), ...more],
  });
  const told = (does: string, ...pressed: string[]): KeyRow => ({ keys: pressed, does });
  return [
    group(
      t.groups.window,
      ["palette", "newConversation", "find", "list", "panel", "level", "servers", "settings", "keys"],
      [
        ...(chosen.quick === undefined ? [] : [told(t.quick, chosen.quick)]),
        told(t.panes, "F6", keys.shiftF6),
        told(t.messages, "↑ ↓"),
        told(t.zoom, keyLabel(platform, "+"), keyLabel(platform, "−")),
        told(t.zoomReset, keyLabel(platform, "0")),
      ],
    ),
    group(
      t.groups.prompt,
      [],
      [
        told(t.send, keys.enter),
        told(t.newLine, keys.shiftEnter),
        told(t.sendNow, keyLabel(platform, keys.enter)),
        told(t.recall, "↑"),
        told(t.files, "@"),
        told(t.commands, "/"),
        told(t.undo, keyLabel(platform, "Z")),
      ],
    ),
    group(t.groups.run, ["escape"]),
    group(
      t.groups.approvals,
      ["approvals", "allow", "deny"],
      [
        told(t.card.allow, "Y"),
        told(t.card.session, "S"),
        told(t.card.edits, "E"),
        told(t.card.always, "A"),
        told(t.card.deny, "N"),
        told(t.card.reason, "R"),
        told(t.card.option, "1–9"),
      ],
    ),
    group(
      t.groups.voice,
      ["voice", "voicePanel", "dictate", "goOn"],
      chosen.talk ? [told(t.talk[chosen.talk.way], chosen.talk.key)] : [],
    ),
  ];
}
