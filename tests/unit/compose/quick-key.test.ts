import { afterEach, beforeEach, expect, test, vi } from "vitest";
import { composeQuickKey } from "../../../electron/compose/quick-key.ts";
import { TalkKeys } from "../../../electron/desktop/keys/talk-keys.ts";
import { defaultSettings, type Settings } from "../../../shared/settings.ts";

const shortcuts = vi.hoisted(() => ({ taken: new Set<string>() }));
vi.mock("electron", () => ({
  app: {},
  // As Electron: one that is taken is refused, also to whoever has it.
  globalShortcut: {
    register: (name: string) => !shortcuts.taken.has(name) && Boolean(shortcuts.taken.add(name)),
    unregister: (name: string) => shortcuts.taken.delete(name),
  },
}));

let settings: Settings;
let change: (values: Partial<Settings>) => void;
let talk: TalkKeys;
let quick: ReturnType<typeof composeQuickKey>;

beforeEach(() => {
  vi.stubEnv("XDG_SESSION_TYPE", "x11");
  vi.stubEnv("WAYLAND_DISPLAY", "");
  shortcuts.taken.clear();
  settings = {
    ...defaultSettings,
    quickShortcut: "F9",
    "voice.pushToTalk": "tap",
    "voice.pushToTalkKey": "F10",
  };
  type OnChange = Parameters<typeof composeQuickKey>[0]["base"]["settings"]["onChange"];
  const listeners: Parameters<OnChange>[0][] = [];
  const onChange: OnChange = (listener) => {
    listeners.push(listener);
    return () => {};
  };
  change = (values) => {
    settings = { ...settings, ...values };
    for (const listener of listeners) listener(new Set());
  };
  talk = new TalkKeys({
    ...{ entry: "", settings: () => settings, press: () => {}, release: () => {}, tap: () => {} },
    ...{ onChange: () => {}, onLog: () => {} },
  });
  const base = {
    settings: { current: () => settings, onChange },
    log: { info: () => {} },
  };
  const windows = { broadcast: () => {}, quick: { toggle: () => {} } };
  quick = composeQuickKey({ base, windows, disposal: { defer: () => {} }, keyToTalk: talk });
});

afterEach(() => {
  vi.unstubAllEnvs();
  vi.restoreAllMocks();
});

const standing = () => ({
  taken: [...shortcuts.taken].sort(),
  talk: talk.mode.how,
  quick: quick.info.problem,
});

// Bug: `parley -p` took the key to talk, which then opened the microphone in a process without a window.
test("no key is taken before the start, whatever changes", () => {
  change({ quickShortcut: "F8" });
  expect(shortcuts.taken.size).toBe(0);
  quick.start();
  expect(standing()).toEqual({ taken: ["F10", "F8"], talk: "tap", quick: null });
});

// Bug: the key to talk was said to be another program's, and was not heard, when the quick prompt had just given it up.
test.each<[string, Partial<Settings>[]]>([
  ["the quick prompt gives up the key to talk", [{ quickShortcut: "F10" }, { quickShortcut: "F9" }]],
  ["they change places at once", [{ quickShortcut: "F10", "voice.pushToTalkKey": "F9" }]],
])("both keys work where %s", (_, changes) => {
  quick.start();
  for (const values of changes) change(values);
  expect(standing()).toEqual({ taken: ["F10", "F9"], talk: "tap", quick: null });
});

// Bug: where the session's bus was slow to answer, as at login, the shortcut was neither taken nor said to be missing.
test("on Wayland the shortcut is taken, and bound in the desktop's settings, where nobody can tell what the desktop gives", async () => {
  vi.stubEnv("XDG_SESSION_TYPE", "wayland");
  vi.stubEnv("XDG_CURRENT_DESKTOP", "GNOME");
  vi.spyOn(AbortSignal, "timeout").mockReturnValue(AbortSignal.abort(new Error("too late")));
  quick.start();
  await vi.waitFor(() => expect(quick.info).toMatchObject({ key: "F9", desktop: "gnome" }));
  expect(standing()).toMatchObject({
    taken: ["F10", "F9"],
    quick: expect.stringContaining("parley --quick"),
  });
});
