import { beforeEach, describe, expect, it, vi } from "vitest";
import { QuickKey } from "../../../../electron/desktop/keys/quick-key.ts";
import { desktopOf, lookForShortcuts } from "../../../../electron/desktop/keys/shortcut-system.ts";
import { TalkKeys } from "../../../../electron/desktop/keys/talk-keys.ts";
import { defaultSettings } from "../../../../shared/settings.ts";

const shortcuts = vi.hoisted(() => ({ taken: new Set<string>(), refused: new Set<string>() }));
vi.mock("electron", () => ({
  app: {},
  globalShortcut: {
    register: (name: string) => !shortcuts.refused.has(name) && Boolean(shortcuts.taken.add(name)),
    unregister: (name: string) => shortcuts.taken.delete(name),
  },
}));

beforeEach(() => {
  shortcuts.taken.clear();
  shortcuts.refused.clear();
});

function newKey(quickShortcut = "Alt+Space") {
  const settings = { ...defaultSettings, quickShortcut };
  const key = new QuickKey({ settings: () => settings, press: () => {}, onChange: () => {} });
  key.apply();
  return { key, settings };
}

describe("the quick prompt's shortcut", () => {
  it("is taken, and another one when the setting changes", () => {
    const { key, settings } = newKey();
    expect([...shortcuts.taken]).toEqual(["Alt+Space"]);
    expect(key.info).toEqual({ key: "Alt+Space", problem: null, isFree: true, desktop: null });
    settings.quickShortcut = "Ctrl+Shift+K";
    key.apply();
    expect([...shortcuts.taken]).toEqual(["Control+Shift+K"]);
    settings.quickShortcut = "";
    key.apply();
    expect([...shortcuts.taken]).toEqual([]);
    expect(key.info.problem).toBeNull();
  });

  it("that another program has is named", () => {
    shortcuts.refused.add("Alt+Space");
    expect(newKey().key.info.problem).toContain("already uses Alt+Space");
  });

  it("that is the key to talk as well is named, and the key to talk gives way", () => {
    const { key, settings } = newKey();
    settings["voice.pushToTalk"] = "tap";
    settings["voice.pushToTalkKey"] = "Ctrl+Alt+Space";
    settings.quickShortcut = "Alt+Ctrl+Space";
    const talk = new TalkKeys({
      ...{ entry: "", settings: () => settings, press: () => {}, release: () => {}, tap: () => {} },
      ...{ onChange: () => {}, onLog: () => {} },
    });
    talk.apply();
    key.apply();
    expect(key.info.problem).toContain("is the key to talk, too");
    expect(talk.mode).toMatchObject({ how: "none", why: expect.stringContaining("opens the quick prompt") });
    expect([...shortcuts.taken]).toEqual(["Control+Alt+Space"]);
    settings["voice.pushToTalkKey"] = "Ctrl+Shift+Space";
    talk.apply();
    key.apply();
    expect(key.info.problem).toBeNull();
    expect(talk.mode).toMatchObject({ how: "tap" });
  });

  it("on Wayland is what the portal gives; without one it is bound in the desktop's settings", () => {
    const { key, settings } = newKey();
    key.knowSystem({ isWayland: true, hasPortal: false, desktop: "gnome" });
    expect(key.info).toMatchObject({ desktop: "gnome", problem: expect.stringContaining("parley --quick") });
    // Bug: it was still said not to work, and offered to be bound, at each start.
    key.knowBound("Alt+Space");
    expect(key.info).toMatchObject({ desktop: null, problem: null, isFree: false });
    settings.quickShortcut = "Ctrl+Shift+K";
    key.apply();
    expect(key.info).toMatchObject({ desktop: "gnome", problem: expect.stringContaining("Ctrl+Shift+K") });
    key.knowSystem({ isWayland: true, hasPortal: true, desktop: "gnome" });
    expect(key.info).toMatchObject({ desktop: null, problem: null, isFree: false });
  });
});

describe("the system", () => {
  it("is known by what it says of itself", () => {
    expect(desktopOf({ XDG_CURRENT_DESKTOP: "ubuntu:GNOME" })).toBe("gnome");
    expect(desktopOf({ XDG_CURRENT_DESKTOP: "KDE" })).toBe("kde");
    expect(desktopOf({ XDG_CURRENT_DESKTOP: "sway" })).toBeNull();
    expect(desktopOf({})).toBeNull();
  });

  it("is not asked where it is not Wayland", async () => {
    const { signal } = new AbortController();
    expect(await lookForShortcuts({ DISPLAY: ":0" }, "45.0.0", signal)).toEqual({
      isWayland: false,
      hasPortal: false,
      desktop: null,
    });
  });
});
