import { expect, test } from "vitest";
import { PushToTalk } from "../../../../electron/voice/session/push-to-talk.ts";
import {
  pushToTalkEndHint,
  pushToTalkHint,
  whyNoHold,
} from "../../../../electron/voice/session/push-to-talk-mode.ts";
import { acceleratorOf, parseTalkKey } from "../../../../shared/voice/talk-key.ts";

/** Push-to-talk under a clock of the test's own. `said`: what it did, in order. */
function keys() {
  let now = 0;
  const said: string[] = [];
  const talk = new PushToTalk({
    clock: { now: () => now },
    onBegin: () => said.push(`begin ${now}`),
    onEnd: () => said.push(`end ${now}`),
  });
  const at = (ms: number, act: "press" | "release" | "tap") => {
    now = ms;
    talk[act]();
  };
  return { at, said, talk };
}

test("a held key begins once, however often it repeats, and ends when it is let go", () => {
  const { at, said } = keys();
  for (const ms of [0, 500, 530, 560, 1200]) at(ms, "press");
  at(1250, "release");
  at(1251, "release");
  at(2000, "press");
  expect(said).toEqual(["begin 0", "end 1250", "begin 2000"]);
});

test("a tap begins and the next one ends; what a held key repeats within 700 ms is no tap, however long it is held", () => {
  const { at, said } = keys();
  // Held for three seconds: the first repeat comes late, the others fast.
  at(0, "tap");
  for (let ms = 660; ms < 3000; ms += 40) at(ms, "tap");
  expect(said).toEqual(["begin 0"]);
  at(3700, "tap");
  expect(said).toEqual(["begin 0", "end 3700"]);
});

test("a double tap is one tap: nobody says anything in between", () => {
  const { at, said } = keys();
  at(0, "tap");
  at(699, "tap");
  at(1399, "tap");
  expect(said).toEqual(["begin 0", "end 1399"]);
});

test("where the key cannot be heard any more nobody talks on", () => {
  const { at, said, talk } = keys();
  at(0, "tap");
  at(100, "release");
  expect([said, talk.isTalking]).toEqual([["begin 0", "end 100"], false]);
});

test.each([
  ["F9", "F9"],
  ["Ctrl+Alt+Space", "Control+Alt+Space"],
  ["Alt+Ctrl+Space", "Control+Alt+Space"],
  ["Meta+Shift+K", "Shift+Meta+K"],
  ["Shift+F12", "Shift+F12"],
  ["ScrollLock", "ScrollLock"],
  ["CtrlRight", null],
])("the key %s is one, for shortcuts %s", (text, accelerator) => {
  const key = parseTalkKey(text);
  expect(key).not.toBeNull();
  expect(key && acceleratorOf(key)).toBe(accelerator);
});

test.each([
  "A",
  "7",
  "Space",
  "Shift+A",
  "F25",
  "Ctrl",
  "Ctrl+CtrlRight",
  "Hyper+F9",
  "Ctrl+Ctrl+A",
  "f9",
  "",
])("“%s” is no key to talk with: it would write while it is held, or is unknown", (text) =>
  expect(parseTalkKey(text)).toBeNull(),
);

test("where keys cannot be held, the reason is said in words with what can be done", () => {
  const linux = { platform: "linux", maySeeKeys: true } as const;
  expect(whyNoHold({ ...linux, env: { DISPLAY: ":0", XDG_SESSION_TYPE: "x11" } })).toBeNull();
  expect(whyNoHold({ ...linux, env: { DISPLAY: ":0", WAYLAND_DISPLAY: "wayland-0" } })).toContain("Wayland");
  expect(whyNoHold({ ...linux, env: {} })).toContain("no X display");
  expect(whyNoHold({ platform: "darwin", env: {}, maySeeKeys: false })).toContain("Accessibility");
  expect(whyNoHold({ platform: "darwin", env: {}, maySeeKeys: true })).toBeNull();
  expect(whyNoHold({ platform: "win32", env: {}, maySeeKeys: true })).toBeNull();
  expect(pushToTalkHint({ how: "tap", key: "F9", why: "Why." })).toBe(
    "Tap F9 to talk, and again when you are done. You can't hold it: Why.",
  );
});

test("whoever talks by a key is told how to end it", () => {
  expect(pushToTalkEndHint({ how: "hold", key: "F9" })).toBe("Speak, and release F9 when you are done.");
  expect(pushToTalkEndHint({ how: "tap", key: "F9" })).toBe("Speak, and tap F9 again when you are done.");
  expect(pushToTalkEndHint({ how: "none", key: "F9", why: "Why." })).toBeNull();
  expect(pushToTalkEndHint({ how: "off" })).toBeNull();
});
