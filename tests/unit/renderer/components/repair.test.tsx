// @vitest-environment happy-dom
import { afterEach, beforeEach, expect, it } from "vitest";
import type { QueuedInput } from "../../../../shared/conversation/events.ts";
import type { TranscriptItem } from "../../../../shared/conversation/transcript.ts";
import type { VoiceSnapshot } from "../../../../shared/voice/voice-snapshot.ts";
import { voiceSnapshot } from "../voice-snapshot.ts";
import { act } from "./react-act.ts";
import { WindowRig } from "./window-rig.tsx";

let rig: WindowRig;
beforeEach(() => {
  rig = new WindowRig();
});
afterEach(() => rig.dispose());

const repair = {
  heard: "play the sonks",
  model: "quick-one",
  usage: { inputTokens: 500, outputTokens: 20, cacheReadTokens: 0, cacheWriteTokens: 0 },
  usd: 0.0006,
};
const spoken = { text: "play the songs", origin: "voice", source: "microphone", repair } as const;
const sent: TranscriptItem = { kind: "user", key: "1", at: 1, ...spoken };
const heard = () => rig.one('[data-testid="first-heard"]');

it("a mended prompt shows what was first heard and what that took, and is taken back with a click", async () => {
  await rig.open({ items: [sent] });
  expect(heard().textContent).toContain("heard: “play the sonks”");
  expect(heard().querySelector("span")?.title).toBe("Corrected by quick-one: 520 tokens, $0.0006");
  const back = heard().querySelector("button");
  if (!back) throw new Error("There is no way back.");
  await rig.click(back);
  expect(rig.main.take("conversation.takeBackRepair").input).toEqual({ conversationId: "a", id: "1" });
});

it.each<[where: string, more: Partial<QueuedInput>]>([
  ["that waits", {}],
  ["that waits to be corrected", { isHeld: true, sendsAt: 5000 }],
])("so is one %s", async (_, more) => {
  await rig.open({ queue: [{ inputId: "i1", ...spoken, ...more }] });
  const back = heard().querySelector("button");
  if (!back) throw new Error("There is no way back.");
  await rig.click(back);
  expect(rig.main.take("conversation.takeBackRepair").input).toEqual({ conversationId: "a", id: "i1" });
});

it("a prompt that a model left as it was says nothing of it", async () => {
  const { heard: _, ...cost } = repair;
  await rig.open({
    items: [{ ...sent, repair: undefined }],
    queue: [{ inputId: "i1", ...spoken, repair: cost }],
  });
  expect(rig.all('[data-testid="first-heard"]')).toEqual([]);
});

const none = { asked: 0, mended: 0, tokens: 0, usd: 0 };
const cloud = { isOn: false, model: "quick-one", usualUsd: 0.0007, ...none };

async function openPanel(more: Partial<VoiceSnapshot>): Promise<HTMLElement> {
  await rig.open({});
  await act(() => rig.main.answer("voice.snapshot", { ...voiceSnapshot, ...more }));
  await rig.click(rig.one('[data-testid="voice-state"]'));
  return rig.one('[data-testid="voice-panel"]');
}
const offers = () => rig.all('[data-testid="repair-offer"]');

it("a model in the cloud is offered in the voice panel, with what it costs", async () => {
  const panel = await openPanel({ repair: cloud });
  expect(offers()[0]?.textContent).toContain("Let quick-one correct unclear words");
  expect(offers()[0]?.textContent).toContain("About 600 tokens ($0.0007) each time.");
  await rig.click(rig.button("Turn on", panel));
  expect(rig.main.take("voice.set").input).toEqual({ key: "voice.repair", value: "on" });
  expect(offers()).toEqual([]);
});

it.each<[what: string, repair: VoiceSnapshot["repair"], choice: "auto" | "off"]>([
  ["one that mends already", { ...cloud, isOn: true, usualUsd: 0 }, "auto"],
  ["none, where no model answers", { ...cloud, model: null }, "auto"],
  ["one that the user does not want", cloud, "off"],
])("%s is not offered", async (_, offer, choice) => {
  const settings = { ...voiceSnapshot.settings, "voice.repair": choice };
  await openPanel({ repair: offer, settings });
  expect(offers()).toEqual([]);
});
