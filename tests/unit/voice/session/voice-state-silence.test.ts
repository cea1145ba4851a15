import { expect, it } from "vitest";
import { silentMicrophone } from "../../../../electron/voice/session/voice-errors.ts";
import type { VoiceMode } from "../../../../electron/voice/session/voice-mode.ts";
import {
  isLive,
  off,
  statusOf,
  stepVoice,
  type VoiceState,
  type VoiceStateEvent,
} from "../../../../electron/voice/session/voice-state.ts";
import { flows, heard, started } from "./voice-state-events.ts";

const opened = heard({ type: "opened", sessionId: "s1", device: "Desk" });
const noSound = heard({ type: "no_sound", isSystemMuted: false });
const sound = heard({ type: "sound" });
const onset = heard({ type: "onset", sessionId: "s1", startMs: 0 });
const silent = silentMicrophone("Desk", false);

function run(events: readonly VoiceStateEvent[], mode: VoiceMode = "hands_free") {
  let state: VoiceState = off;
  let told: unknown;
  for (const event of [{ ...started(), mode } as VoiceStateEvent, opened, flows, ...events]) {
    const step = stepVoice(state, event);
    state = step.state;
    const tell = step.actions.find(({ type }) => type === "tell");
    if (tell?.type === "tell") told = tell.detail ?? null;
  }
  const detail = isLive(state) ? state.detail : undefined;
  return { detail, told, silence: statusOf(state, "a").silence };
}

const shown = { detail: silent, told: silent, silence: silent };
const notShown = { detail: null, told: null, silence: null };

it.each<[string, VoiceStateEvent[], typeof shown | typeof notShown]>([
  ["is told of, by its name", [noSound], shown],
  ["stays told of whatever else is told", [noSound, { type: "refreshed" }], shown],
  ["is heard again", [noSound, sound], notShown],
  ["is heard where somebody speaks, whatever the server says of sound", [noSound, onset], notShown],
  [
    "is heard where words are told, and no beginning of them",
    [noSound, heard({ type: "partial", utteranceId: "u1", text: "open" })],
    notShown,
  ],
  ["may be another one", [noSound, heard({ type: "device", name: "Headset" })], notShown],
  ["is not missed while Parley has muted it", [noSound, { type: "muted", isMuted: true }], notShown],
  [
    "is missed again when Parley listens again",
    [noSound, { type: "muted", isMuted: true }, { type: "muted", isMuted: false }],
    shown,
  ],
])("a microphone that gives nothing %s", (_, events, expected) => {
  expect(run(events)).toEqual(expected);
});

it("a microphone that gives nothing is told of while the key to talk is held", () => {
  const talk = (isTalking: boolean) => heard({ type: "talk", isTalking });
  expect(run([noSound], "push_to_talk")).toEqual(notShown);
  expect(run([noSound, talk(true)], "push_to_talk")).toEqual(shown);
  expect(run([noSound, talk(true), talk(false)], "push_to_talk")).toEqual(notShown);
});

it("one that gives nothing is told of while the wake phrase is waited for", () => {
  expect(run([noSound], "wake_phrase")).toEqual(shown);
});

it("in a meeting it stays told of while the others speak", () => {
  const others = heard({ type: "onset", sessionId: "s2", startMs: 0 }, "loopback");
  const before: VoiceStateEvent[] = [started("meeting"), opened, noSound, others];
  const state = before.reduce<VoiceState>((now, event) => stepVoice(now, event).state, off);
  expect(statusOf(state, "a").silence).toEqual(silent);
});

it("in a meeting it is told of no more when it is over", () => {
  const over = heard({ type: "ended", failure: null });
  const before: VoiceStateEvent[] = [started("meeting"), opened, noSound, over];
  const state = before.reduce<VoiceState>((now, event) => stepVoice(now, event).state, off);
  expect([statusOf(state, "a").silence, isLive(state) && state.detail]).toEqual([null, null]);
});

it.each([
  ["Desk", false, "No sound comes from Desk: it may be muted."],
  ["Desk", true, "Desk is muted in the system."],
  ["", false, "No sound comes from the microphone: it may be muted."],
  [null, false, "No sound comes from the microphone: it may be muted."],
  [null, true, "The microphone is muted in the system."],
])("%s, muted in the system: %s", (device, isSystemMuted, message) => {
  expect(silentMicrophone(device, isSystemMuted)).toMatchObject({ message });
});
