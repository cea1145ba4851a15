import { expect, test } from "vitest";
import { sourceOf, type VoiceSnapshot, voiceIn, voiceOff } from "../../../../shared/voice/voice-snapshot.ts";
import { voiceOn, voiceSnapshot } from "../../renderer/voice-snapshot.ts";

const off = { now: voiceOff, speech: null, isAnsweredAloud: false };
const speech = { conversationId: "b", messageId: "m", state: "speaking", sentence: null } as const;
const on: VoiceSnapshot = {
  ...voiceSnapshot,
  now: voiceOn({ isMuted: true, hint: "Hold F9 to talk." }),
  speech,
};

test("voice is on in its own conversation, and off in every other one", () => {
  expect(voiceIn(null, "a")).toEqual(off);
  expect(voiceIn(on, "a").now).toBe(on.now);
  expect(voiceIn(on, "c")).toEqual(off);
});

test("a reply is said in its own conversation, wherever voice is on", () => {
  expect(voiceIn(on, "a").speech).toBeNull();
  expect(voiceIn(on, "b")).toEqual({ ...off, speech });
});

test("replies are said aloud in the conversations that speech names", () => {
  const voice = { ...on, answersAloud: ["a", "b"] };
  expect(["a", "b", "c"].map((id) => voiceIn(voice, id).isAnsweredAloud)).toEqual([true, true, false]);
});

test("where voice failed says so, and why", () => {
  const detail = { code: "x", message: "It failed." };
  const now = { state: "failed", isTesting: false, conversationId: "a", detail } as const;
  expect(voiceIn({ ...voiceSnapshot, now }, "a").now).toBe(now);
  expect(voiceIn({ ...voiceSnapshot, now }, "b")).toEqual(off);
  expect([now, voiceOff, on.now].map(sourceOf)).toEqual([null, null, "microphone"]);
});
