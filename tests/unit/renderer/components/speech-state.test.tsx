// @vitest-environment happy-dom
import { afterEach, beforeEach, expect, it } from "vitest";
import type { SpokenReply } from "../../../../shared/voice/voice-snapshot.ts";
import { voiceSnapshot } from "../voice-snapshot.ts";
import { act } from "./react-act.ts";
import { WindowRig } from "./window-rig.tsx";

let rig: WindowRig;
beforeEach(() => {
  rig = new WindowRig();
});
afterEach(() => rig.dispose());

async function show(state: SpokenReply["state"]): Promise<HTMLElement> {
  await rig.open({});
  const sentence = { messageId: "m", text: "It is here.", number: 2, count: 4 };
  const speech = { conversationId: "a", messageId: "m", state, sentence };
  await act(() => rig.main.answer("voice.snapshot", { ...voiceSnapshot, speech }));
  return rig.one('[data-testid="speech-state"]');
}

it("a reply that was stopped goes on by a click", async () => {
  const chip = await show("stopped");
  expect(chip.textContent).toBe("StoppedGo on");
  await rig.click(rig.button("Go on", chip));
  rig.main.take("speech.goOn");
});

it("or the rest of it is not said", async () => {
  const chip = await show("stopped");
  const dismiss = chip.querySelector<HTMLButtonElement>('[aria-label="Dismiss"]');
  if (!dismiss) throw new Error("It cannot be dismissed.");
  await rig.click(dismiss);
  expect(rig.main.take("speech.say").input).toMatchObject({ text: "" });
});

it.each<[SpokenReply["state"], string]>([
  ["speaking", "Speaking…"],
  ["paused", "Paused while someone speaks."],
])("one that is %s can be stopped", async (state, words) => {
  const shown = await show(state);
  expect(shown.textContent).toContain(words);
  expect(rig.all('[data-testid="go-on"]')).toEqual([]);
  await rig.click(rig.button("Stop", shown));
  expect(rig.main.take("speech.say").input).toMatchObject({ text: "" });
});

// Bug: Esc did nothing while a reply was said to its end.
it("Esc ends it", async () => {
  await show("speaking");
  await rig.press(document.body, "Escape");
  expect(rig.main.take("speech.say").input).toMatchObject({ text: "" });
});

it("what is being said tells its sentence; it pauses, goes to the next one and takes another pace", async () => {
  const shown = await show("speaking");
  expect(shown.textContent).toContain("Sentence 2 of 4");
  await rig.click(rig.button("Pause", shown));
  rig.main.take("speech.pause");
  await rig.click(rig.button("Next sentence", shown));
  rig.main.take("speech.skip");
  const pace = rig.one('[data-testid="speech-pace"]') as HTMLSelectElement;
  expect(pace.selectedOptions[0]?.textContent).toBe("Speed 1.0×");
  await act(async () => {
    pace.value = "1.25";
    pace.dispatchEvent(new Event("change", { bubbles: true }));
  });
  expect(rig.main.take("speech.pace").input).toEqual({ rate: 1.25 });
});

it("under a reply that was interrupted stands how much was heard, and the rest is said from there", async () => {
  const text = "One is here. Two is there.";
  const items = [
    { kind: "assistant", key: "m", text, streaming: false, interrupted: false, at: 1 },
    {
      kind: "note",
      key: "note-1",
      text: "You heard it up to “…here.”",
      at: 2,
      rest: { messageId: "m", heard: "One is here." },
    },
  ] as const;
  await rig.open({ items: [...items] });
  await rig.click(rig.one('[data-testid="say-rest"]'));
  expect(rig.main.take("speech.say").input).toMatchObject({ text, messageId: "m", heard: "One is here." });
});
