import { describe, expect, it } from "vitest";
import {
  isDictated,
  isLive,
  nameOf,
  off,
  statusOf,
  stepVoice,
  type VoiceState,
  type VoiceStateEvent,
} from "../../../../electron/voice/session/voice-state.ts";
import type { SpeechSource } from "../../../../shared/conversation/messages.ts";
import { fault, flows, heard, started } from "./voice-state-events.ts";

const ended = (failure: typeof fault | null, source: SpeechSource = "microphone") =>
  heard({ type: "ended", failure }, source);
const stopped: VoiceStateEvent = { type: "stopped" };
const goneOn: VoiceStateEvent = { type: "gone_on" };

function run(...events: VoiceStateEvent[]) {
  let state: VoiceState = off;
  const told: string[] = [];
  let last: string[] = [];
  for (const event of events) {
    const step = stepVoice(state, event);
    state = step.state;
    last = step.actions.map(({ type }) => type);
    for (const type of last) if (type === "tell") told.push(nameOf(state));
  }
  return { state, told, last };
}

describe("a session whose last words are not waited for", () => {
  it("is off for whoever looks, and for the prompt that was held for it", () => {
    const { state, told, last } = run(started(), flows, stopped, goneOn);
    expect(state.kind).toBe("draining");
    expect(told).toEqual(["starting", "listening", "stopping", "off"]);
    expect(last).toEqual(["nothing_said", "tell"]);
    expect(isLive(state)).toBe(false);
    const nowhere = { source: null, conversationId: null, sessionId: null, isMuted: false };
    expect(statusOf(state, "c1")).toMatchObject({ state: "off", ...nowhere });
  });

  it("is only ever one that is being stopped", () => {
    expect(run(goneOn).state).toBe(off);
    expect(run(started(), goneOn).state.kind).toBe("on");
    expect(run(started(), stopped, ended(null), goneOn).state.kind).toBe("off");
  });

  it("counts the words that yet come, and tells nobody of them", () => {
    const { state, last } = run(started(), stopped, goneOn, { type: "taken", text: "last", isPrompt: true });
    expect(state.kind).toBe("draining");
    expect(last).toEqual([]);
    expect(statusOf(state, "c1")).toMatchObject({
      state: "off",
      utterances: 1,
      prompts: 1,
      lastText: "last",
    });
  });

  it.each([null, fault])("ends without a word, however it ends (%o)", (failure) => {
    const taken = { type: "taken", text: "last", isPrompt: false } as const;
    const { state, told, last } = run(started(), stopped, goneOn, taken, ended(failure));
    expect(state).toMatchObject({ kind: "off", tally: { utterances: 1, prompts: 0, lastText: "last" } });
    expect(told).toEqual(["starting", "stopping", "off"]);
    expect(last).toEqual([]);
  });

  it("of two sources ends with the second one", () => {
    const once = run(started("meeting"), stopped, goneOn, ended(null, "loopback")).state;
    expect(once).toMatchObject({ kind: "draining", sources: [{ doing: "starting" }, { doing: "over" }] });
    const twice = run(started("meeting"), stopped, goneOn, ended(null, "loopback"), ended(fault)).state;
    expect(twice.kind).toBe("off");
    // One that was over before counts as over.
    expect(run(started("meeting"), ended(fault), stopped, goneOn, ended(null, "loopback")).state.kind).toBe(
      "off",
    );
  });

  it.each<VoiceStateEvent>([
    flows,
    stopped,
    goneOn,
    { type: "refreshed" },
    { type: "muted", isMuted: true },
    { type: "dictating", isOn: true },
    { type: "heard", source: "microphone", event: { type: "onset", sessionId: "s1", startMs: 0 } },
    { type: "heard", source: "microphone", event: { type: "restarting", why: fault } },
    { type: "heard", source: "microphone", event: { type: "partial", utteranceId: "u1", text: "what" } },
  ])("stands as it did at %o", (event) => {
    const before = run(started(), stopped, goneOn).state;
    expect(stepVoice(before, event)).toEqual({ state: before, actions: [] });
  });

  it("does not keep voice from being started again, with a count of its own", () => {
    const taken = { type: "taken", text: "last", isPrompt: true } as const;
    const { state, told } = run(started(), stopped, goneOn, taken, started("meeting"));
    expect(state).toMatchObject({ kind: "on", mode: "meeting", tally: { utterances: 0, lastText: null } });
    expect(told).toEqual(["starting", "stopping", "off", "starting"]);
  });

  it("still writes into the text box what was said for it", () => {
    const { state } = run(started("dictation"), stopped, goneOn);
    expect(isDictated(state, "microphone", "u1")).toBe(true);
    expect(isDictated(state, "loopback", "u1")).toBe(false);
    expect(isDictated(run(started(), stopped, goneOn).state, "microphone", "u1")).toBe(false);
  });
});
