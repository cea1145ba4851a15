// @vitest-environment happy-dom
import { afterEach, beforeEach, expect, it } from "vitest";
import { voiceSnapshot } from "../voice-snapshot.ts";
import { act } from "./react-act.ts";
import { WindowRig } from "./window-rig.tsx";

let rig: WindowRig;
beforeEach(() => {
  rig = new WindowRig();
});
afterEach(() => rig.dispose());

it("what was learned is said until it is dismissed, and can be taken back", async () => {
  await rig.open({});
  await act(() => rig.main.answer("voice.snapshot", voiceSnapshot));
  await act(async () => rig.main.push({ type: "learned", words: ["Zorvath", "Mirelle"] }));
  const line = rig.one('[data-testid="learned-words"]');
  expect(line.textContent).toContain("Learned “Zorvath”, “Mirelle”.");
  await rig.click(rig.button("Undo", line));
  rig.main.take("voice.unlearn");
  expect(rig.all('[data-testid="learned-words"]')).toEqual([]);
  await act(async () => rig.main.push({ type: "learned", words: ["Tavora"] }));
  await rig.click(rig.button("Dismiss", rig.one('[data-testid="learned-words"]')));
  expect(rig.all('[data-testid="learned-words"]')).toEqual([]);
  expect(() => rig.main.take("voice.unlearn")).toThrow();
});
