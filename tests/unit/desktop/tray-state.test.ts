import { expect, test } from "vitest";
import { TrayState } from "../../../electron/desktop/shell/tray/tray-state.ts";
import type { AgentEvent, AgentEventBody } from "../../../shared/conversation/events.ts";

/** The state after these events; each is of conversation `c1` unless it says otherwise. */
function after(...bodies: (AgentEventBody & { conversationId?: string })[]): TrayState {
  const state = new TrayState();
  for (const [index, body] of bodies.entries()) {
    const event: AgentEvent = { conversationId: "c1", ...body, id: index + 1, at: 0 };
    state.observe(event);
  }
  return state;
}

const voice = (state: "listening" | "hearing" | "transcribing" | "off", isMuted = false) =>
  ({ type: "voice.state", state, source: "microphone", isMuted }) as const;
const runs = (conversationId: string) =>
  ({ type: "run.started", runId: "r", inputId: "i", conversationId }) as const;
const ends = (conversationId: string) =>
  ({ type: "run.ended", runId: "r", stopReason: "end_turn", conversationId }) as const;
const speech = (state: "speaking" | "paused" | "silent") =>
  ({ type: "speech.state", state, messageId: "m" }) as const;

test("a spoken turn goes through listening, hearing, thinking, speaking and back", () => {
  expect(after().name).toBe("off");
  expect(after(voice("listening")).name).toBe("listening");
  expect(after(voice("hearing")).name).toBe("hearing");
  expect(after(voice("hearing"), voice("listening"), runs("c1")).name).toBe("thinking");
  expect(after(voice("listening"), runs("c1"), speech("speaking")).name).toBe("speaking");
  expect(after(voice("listening"), runs("c1"), ends("c1"), speech("speaking"), speech("silent")).name).toBe(
    "listening",
  );
});

test("whoever interrupts the reply is heard, and that is shown", () => {
  expect(after(voice("listening"), runs("c1"), speech("speaking"), voice("hearing")).name).toBe("hearing");
});

test("it thinks as long as any conversation does", () => {
  expect(after(runs("c1"), runs("c2"), ends("c1")).name).toBe("thinking");
  expect(after(runs("c1"), runs("c2"), ends("c1"), ends("c2")).name).toBe("off");
});

test("who is muted is not listened to", () => {
  const muted = after(voice("listening", true));
  expect([muted.name, muted.words, muted.isVoiceOn]).toEqual(["off", "Parley is muted", true]);
});

test("voice that stopped by itself says why, until it is on again", () => {
  const detail = { code: "no_device", message: "No microphone was found." };
  const failed = after({ type: "voice.state", state: "failed", source: null, detail });
  expect([failed.name, failed.words]).toEqual(["off", "Voice stopped: No microphone was found."]);
  expect(
    after({ type: "voice.state", state: "failed", source: null, detail }, voice("off")).words,
  ).toBeNull();
});

test("events that change nothing are told apart: the icon is not drawn for each of them", () => {
  const state = new TrayState();
  const delta: AgentEvent = {
    type: "text.delta",
    messageId: "m",
    text: "a",
    id: 1,
    conversationId: "c",
    at: 0,
  };
  expect(state.observe(delta)).toBe(false);
  expect(state.observe({ ...voice("listening"), id: 2, conversationId: "c", at: 0 })).toBe(true);
  expect(state.observe({ ...voice("listening"), id: 3, conversationId: "c", at: 0 })).toBe(false);
});
