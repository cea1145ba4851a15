// @vitest-environment happy-dom
import { afterEach, beforeEach, expect, test } from "vitest";
import { voiceSnapshot } from "../voice-snapshot.ts";
import { appInfo } from "./app-info.ts";
import { act } from "./react-act.ts";
import { WindowRig } from "./window-rig.tsx";

let rig: WindowRig;
beforeEach(async () => {
  rig = new WindowRig();
  await rig.open();
  await act(() => rig.main.answer("app.info", appInfo({})));
  await act(() => rig.main.answer("voice.snapshot", voiceSnapshot));
  await act(async () => rig.state.setUp.open());
});
afterEach(() => rig.dispose());

const step = () => rig.one('[data-testid="set-up-shortcut"]');
const field = () => rig.one('[data-testid="set-up-shortcut"] [data-testid="setting-control"]');
const press = (key: string, code: string, more: KeyboardEventInit = {}) =>
  act(async () => {
    field().dispatchEvent(
      new KeyboardEvent("keydown", { key, code, bubbles: true, cancelable: true, ...more }),
    );
  });
const info = (key: string, problem: string | null) =>
  act(async () => {
    const quickShortcut = { key, problem, isFree: problem === null, desktop: null };
    rig.state.info.set(appInfo({ quickShortcut }));
  });

test("the shortcut is free or says why not, and another one is pressed", async () => {
  expect(step().textContent).toContain("AltSpaceFree");
  await rig.click(field());
  await press("Control", "ControlLeft", { ctrlKey: true });
  expect(field().textContent).toBe("Ctrl");
  await press("k", "KeyK", { ctrlKey: true, shiftKey: true });
  expect(rig.main.take("setting.change").input).toEqual({ key: "quickShortcut", value: "Ctrl+Shift+K" });
  await info("Ctrl+Shift+K", "Another program, or the desktop, has Ctrl+Shift+K: choose another key.");
  expect(step().textContent).toContain("Another program, or the desktop, has Ctrl+Shift+K");
  expect(step().dataset.state).not.toBe("done");
  await info("F8", null);
  expect(step().dataset.state).toBe("done");
});

test("a key that cannot be one is named, Esc leaves it as it was, Backspace takes it away", async () => {
  await rig.click(field());
  await press("k", "KeyK");
  expect(step().textContent).toContain("K cannot be used.");
  await press("Escape", "Escape");
  expect(field().textContent).toBe("AltSpace");
  expect(rig.all('[data-testid="set-up"]')).toHaveLength(1);
  await rig.click(field());
  await press("Backspace", "Backspace");
  expect(rig.main.take("setting.change").input).toEqual({ key: "quickShortcut", value: "" });
});

// Bug: a maker that was chosen while a key was tried for another one was said to work with it.
test("what becomes of a key says nothing of a maker that was chosen meanwhile", async () => {
  await rig.type(rig.one('[data-testid="set-up-key"]'), "sk-ant-1");
  await rig.click(rig.one('[data-testid="set-up-test"]'));
  const maker = rig.one('[data-testid="set-up-maker"]');
  await act(async () => {
    Object.assign(maker, { value: "gemini" });
    maker.dispatchEvent(new Event("change", { bubbles: true }));
  });
  await act(() => rig.main.answer("key.test", { ok: true, host: "api.example", tookMs: 400 }));
  await act(async () => {
    for (const call of rig.main.calls.splice(0))
      if (call.route === "key.set") call.answer({ ok: true, value: null });
  });
  expect(rig.all('[data-testid="key-works"]')).toEqual([]);
  expect(rig.one('[data-testid="set-up-test"]').hasAttribute("disabled")).toBe(false);
});
