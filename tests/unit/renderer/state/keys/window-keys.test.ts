import { describe, expect, test } from "vitest";
import { type ChosenKeys, keySheet } from "../../../../../renderer/state/keys/key-sheet.ts";
import {
  windowActionOf,
  windowActionOfShortcut,
  windowKeys,
} from "../../../../../renderer/state/keys/window-keys.ts";

const pressed = (
  key: string,
  held: Partial<Record<"ctrlKey" | "shiftKey" | "altKey" | "metaKey", true>> = {},
) => windowActionOf({ key, ctrlKey: false, metaKey: false, altKey: false, shiftKey: false, ...held });

describe("the keys of the window", () => {
  test("mean one thing each", () => {
    const combinations = windowKeys.flatMap(({ key, shift = false, plain = false }) =>
      (shift === "either" ? [true, false] : [shift]).map((one) => `${plain} ${one} ${key}`),
    );
    expect(new Set(combinations).size).toBe(combinations.length);
  });

  test("are told by their letter with Ctrl or Cmd, and Shift where it belongs to them", () => {
    expect(pressed("k", { ctrlKey: true })).toBe("palette");
    expect(pressed("K", { metaKey: true, shiftKey: true })).toBeNull();
    expect(pressed("Y", { ctrlKey: true, shiftKey: true })).toBe("allow");
    expect(pressed("y", { ctrlKey: true })).toBeNull();
    expect(pressed("k", { ctrlKey: true, altKey: true })).toBeNull();
    expect(pressed("k")).toBeNull();
  });

  test("are known as shortcuts of the whole system, which take them away", () => {
    expect(windowActionOfShortcut("Ctrl+K")).toBe("palette");
    expect(windowActionOfShortcut("Ctrl+Shift+Y")).toBe("allow");
    for (const free of ["Alt+Space", "Ctrl+Alt+K", "F9", ""]) expect(windowActionOfShortcut(free)).toBeNull();
  });

  test("that are signs count whether or not a keyboard needs Shift for them", () => {
    expect(pressed("/", { ctrlKey: true })).toBe("keys");
    expect(pressed("/", { ctrlKey: true, shiftKey: true })).toBe("keys");
    expect(pressed("?", { shiftKey: true })).toBe("keys");
    expect(pressed("?", { ctrlKey: true, shiftKey: true })).toBeNull();
  });

  test("that the user chose stand on the sheet, and a question mark only where it counts", () => {
    const told = (chosen: ChosenKeys) =>
      keySheet("linux", chosen).flatMap(({ rows }) => rows.flatMap(({ keys, does }) => [does, ...keys]));
    const chosen = told({ quick: "Alt+Space", talk: { key: "F9", way: "hold" }, questionMark: false });
    expect(chosen).toEqual(expect.arrayContaining(["Alt+Space", "F9", "Hold to talk, from any program"]));
    expect(chosen).not.toContain("?");
    expect(told({ questionMark: true })).not.toContain("Quick prompt, from any program");
  });

  test("all stand on the sheet, each once", () => {
    const rows = keySheet("linux", { questionMark: true }).flatMap((group) => group.rows);
    const told = rows.flatMap(({ keys }) => keys);
    expect(told).toEqual(expect.arrayContaining(["Ctrl+K", "Ctrl+.", "Ctrl+/", "?", "Esc", "Ctrl+Shift+Y"]));
    const actions = new Set(windowKeys.map(({ action }) => action));
    expect(rows.length).toBeGreaterThanOrEqual(actions.size);
    expect(new Set(told).size).toBe(told.length);
    for (const { key, plain, shift } of windowKeys) {
      if (key === "escape" || plain) continue;
      expect(told).toContain(`Ctrl+${shift === true ? "Shift+" : ""}${key.toUpperCase()}`);
    }
  });
});
