import { expect, test } from "vitest";
import { recentOf, trayState } from "../../../../../electron/desktop/shell/tray/tray-state.ts";
import { silentMicrophone } from "../../../../../electron/voice/session/voice-errors.ts";
import { type VoiceNow, type VoiceOn, voiceOff } from "../../../../../shared/voice/voice-snapshot.ts";
import { voiceOn } from "../../../renderer/voice-snapshot.ts";

const speech = (state: "speaking" | "paused") => ({
  conversationId: "a",
  messageId: "m",
  state,
  sentence: null,
});
const hears = (state: VoiceOn["state"]) => voiceOn({ state });
const failed: VoiceNow = {
  ...{ state: "failed", isTesting: false, conversationId: "a" },
  detail: { code: "no_device", message: "No microphone was found." },
};
const muted = voiceOn({ isMuted: true });
const silent = voiceOn({ detail: silentMicrophone("Desk", false) });
const noSound = "No sound comes from Desk: it may be muted.";

test.each([
  ["nothing goes on", voiceOff, null, false, "off", null],
  ["a conversation is at work", voiceOff, null, true, "thinking", "Parley is thinking"],
  ["it listens", hears("listening"), null, false, "listening", "Parley is listening"],
  ["somebody speaks", hears("hearing"), null, false, "hearing", "Parley hears you"],
  ["words are made of it", hears("transcribing"), null, false, "hearing", "Parley hears you"],
  ["it works on a prompt", hears("listening"), null, true, "thinking", "Parley is thinking"],
  ["it answers aloud", hears("listening"), speech("speaking"), true, "speaking", "Parley is speaking"],
  ["its answer makes way", hears("listening"), speech("paused"), true, "thinking", "Parley is thinking"],
  ["somebody interrupts", hears("hearing"), speech("speaking"), true, "hearing", "Parley hears you"],
  ["who is muted is not listened to", muted, null, false, "off", "Parley is muted"],
  ["muted while it works", muted, null, true, "thinking", "Parley is thinking"],
  ["nothing comes from the microphone", silent, null, false, "listening", noSound],
  ["nothing comes from it while it works", silent, null, true, "thinking", noSound],
  ["voice failed", failed, null, false, "off", "Voice stopped: No microphone was found."],
  ["voice failed while it works", failed, null, true, "thinking", "Voice stopped: No microphone was found."],
] as const)("%s", (_, now, said, isRunning, name, words) => {
  const isVoiceOn = now.state !== "off" && now.state !== "failed";
  expect(trayState({ now, speech: said }, isRunning)).toEqual({ name, words, isVoiceOn });
});

// Bug: with five pinned conversations the newest were never among the recent ones.
test("recent conversations are those that were used last, pinned ones among them", () => {
  const pinned = [10, 90, 20, 30, 40, 50].map((updatedAt) => ({ isPinned: true, updatedAt }));
  const others = [100, 80, 5].map((updatedAt) => ({ isPinned: false, updatedAt }));
  expect(recentOf([...pinned, ...others], 3).map(({ updatedAt }) => updatedAt)).toEqual([100, 90, 80]);
});
