import { expect, test } from "vitest";
import { type VoiceSnapshot, voiceIn } from "../../../shared/voice/voice-snapshot.ts";
import { voiceSnapshot } from "../renderer/voice-snapshot.ts";

const off = () => voiceIn(null, "a");
const speech = { conversationId: "b", messageId: "m", state: "speaking" } as const;
const on: VoiceSnapshot = {
  ...voiceSnapshot,
  ...{
    state: "listening",
    source: "microphone",
    conversationId: "a",
    isMuted: true,
    hint: "Hold F9 to talk.",
  },
  speech,
};

test("voice is on in its own conversation, and off in every other one", () => {
  expect(off().state).toBe("off");
  expect(voiceIn(on, "a")).toMatchObject({ state: "listening", isMuted: true, talkHint: "Hold F9 to talk." });
  expect(voiceIn(on, "c")).toEqual(off());
});

test("a reply is said in its own conversation, wherever voice is on", () => {
  expect(voiceIn(on, "a").speech).toBeNull();
  expect(voiceIn(on, "b")).toEqual({ ...off(), speech });
});

test("where voice failed says so, and why", () => {
  const detail = { code: "x", message: "It failed." };
  const failed: VoiceSnapshot = { ...voiceSnapshot, state: "failed", conversationId: "a", detail };
  expect(voiceIn(failed, "a")).toMatchObject({ state: "failed", detail });
  expect(voiceIn(failed, "b")).toEqual(off());
});
