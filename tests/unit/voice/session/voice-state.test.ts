import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { hasSlept, stalled } from "../../../../electron/voice/session/voice-errors.ts";
import {
  isDictated,
  isLive,
  nameOf,
  off,
  statusOf,
  stepVoice,
  type VoiceState,
  type VoiceStateAction,
  type VoiceStateEvent,
} from "../../../../electron/voice/session/voice-state.ts";
import type { Utterance, VoiceEvent } from "../../../../electron/voice/stt/voice-events.ts";
import type { SpeechSource } from "../../../../shared/conversation/messages.ts";
import { fault, flows, heard, started } from "./voice-state-events.ts";

const at = { sessionId: "s1", startMs: 0 };
const onset = heard({ type: "onset", ...at });
const utterance: Utterance = {
  ...{ id: "u1", sessionId: "s1", source: "microphone", text: "what", reason: "endpoint", confidence: 0.9 },
  ...{ startMs: 0, endMs: 900, audioStartedAt: 0, startedAt: 0, endedAt: 900, finalAt: 1000 },
  command: null,
  turnEnd: null,
  doubts: [],
  readings: [],
  signs: null,
};
const final = heard({ type: "final", utterance });
const better = heard({ type: "final", utterance: { ...utterance, corrects: "that", isSaidOver: true } });
const ended = (failure: typeof fault | null, source: SpeechSource = "microphone") =>
  heard({ type: "ended", failure }, source);
const partial = (utteranceId: string) => heard({ type: "partial", utteranceId, text: "what" });

function run(events: readonly VoiceStateEvent[]) {
  let state: VoiceState = off;
  const told: string[] = [];
  const actions: VoiceStateAction[][] = [];
  for (const event of events) {
    const step = stepVoice(state, event);
    state = step.state;
    actions.push(step.actions);
    for (const { type } of step.actions) if (type === "tell") told.push(nameOf(state));
  }
  return { state, told, actions };
}

describe("a voice session", () => {
  it.each<[string, VoiceStateEvent[], string[]]>([
    [
      "is told from start to stop",
      [started(), flows, { type: "stopped" }, ended(null)],
      ["starting", "listening", "stopping", "off"],
    ],
    [
      "goes on hearing where an utterance of before is heard better",
      [started(), flows, onset, better],
      ["starting", "listening", "hearing"],
    ],
    [
      "follows what is heard",
      [started(), flows, onset, heard({ type: "speech_end" }), heard({ type: "no_words" })],
      ["starting", "listening", "hearing", "transcribing", "listening"],
    ],
    [
      "listens again when the words are written down",
      [started(), flows, onset, heard({ type: "speech_end" }), final],
      ["starting", "listening", "hearing", "transcribing", "listening"],
    ],
    [
      "is listening after a noise, whatever else there is to hear",
      [started("meeting"), onset, heard({ type: "no_words" }), heard({ type: "onset", ...at }, "loopback")],
      ["starting", "starting", "starting", "hearing"],
    ],
    [
      "says nothing of what is read while it stops, and stops once",
      [started(), { type: "stopped" }, { type: "stopped" }, onset, flows, ended(null)],
      ["starting", "stopping", "off"],
    ],
    ["fails where its source does", [started(), ended(fault)], ["starting", "failed"]],
    [
      "is off where a source fails that was being stopped",
      [started(), { type: "stopped" }, ended(fault)],
      ["starting", "stopping", "off"],
    ],
    [
      "starts again, and listens",
      [started(), flows, heard({ type: "restarting", why: fault }), flows],
      ["starting", "listening", "restarting", "listening"],
    ],
    [
      "is not listening while no sound comes",
      [started(), flows, heard({ type: "audio_flows", flows: false })],
      ["starting", "listening", "restarting"],
    ],
    [
      "in a meeting goes on with one source",
      [started("meeting"), ended(fault), heard({ type: "audio_flows", flows: true }, "loopback")],
      ["starting", "listening"],
    ],
    [
      "in a meeting shows first what the user should know",
      [started("meeting"), flows],
      ["starting", "starting"],
    ],
    [
      "is told again where it is asked for",
      [started(), { type: "refreshed" }, { type: "muted", isMuted: true }],
      ["starting", "starting", "starting"],
    ],
    [
      "that is over hears nothing more",
      [started(), ended(null), flows, { type: "refreshed" }],
      ["starting", "off"],
    ],
    ["is not begun twice", [started(), started("meeting")], ["starting"]],
  ])("%s", (_, events, told) => {
    expect(run(events).told).toEqual(told);
  });

  it("counts faults as restarts, not a computer that slept, and keeps the count when it is over", () => {
    const { state } = run([
      started(),
      heard({ type: "restarting", why: fault }),
      heard({ type: "restarting", why: hasSlept }),
      heard({ type: "audio_flows", flows: false }),
      { type: "taken", text: "one", isPrompt: true },
      { type: "taken", text: "two", isPrompt: false },
      ended(null),
    ]);
    expect(statusOf(state, "c2")).toMatchObject({
      utterances: 2,
      prompts: 1,
      restarts: 1,
      lastText: "two",
      lastError: fault,
    });
  });

  it("gets ready for a prompt when listening begins, when somebody speaks and while they do", () => {
    const restarting = heard({ type: "restarting", why: fault });
    const { actions } = run([started(), flows, onset, partial("u1"), flows, restarting, flows]);
    expect(actions.map((of) => of.some(({ type }) => type === "expect_prompt"))).toEqual([
      false,
      true,
      true,
      true,
      false,
      false,
      true,
    ]);
  });

  it("listens again after words, and after a noise", () => {
    for (const event of [final, heard({ type: "no_words" })]) {
      const { state } = run([started(), flows, onset, event]);
      expect(isLive(state) && state.sources.map(({ doing }) => doing)).toEqual(["listening"]);
    }
  });

  it("gets ready for no prompt while words are written down, and does nothing more while it stops", () => {
    const speechEnd = heard({ type: "speech_end" });
    expect(run([started(), speechEnd]).actions.at(-1)).toEqual([{ type: "tell" }]);
    expect(run([started(), { type: "stopped" }, speechEnd]).actions.at(-1)).toEqual([]);
  });

  it("gives a prompt back that was held for words that did not come", () => {
    const { actions } = run([
      started(),
      onset,
      heard({ type: "no_words" }),
      heard({ type: "restarting", why: fault }),
      { type: "dictating", isOn: true },
      ended(null),
    ]);
    expect(actions.map((of) => of.some(({ type }) => type === "nothing_said"))).toEqual([
      false,
      false,
      true,
      true,
      true,
      true,
    ]);
  });

  it("tells of one source of a meeting that fails while the other goes on", () => {
    const { actions, state } = run([started("meeting"), ended(fault)]);
    expect(actions.at(-1)).toContainEqual({ type: "tell_failure", source: "microphone", failure: fault });
    expect(state.kind).toBe("on");
    expect(run([started("meeting"), ended(fault), ended(null, "loopback")]).state.kind).toBe("off");
    expect(run([started("meeting"), ended(fault), ended(fault, "loopback")]).state.kind).toBe("failed");
  });

  it("keeps a sentence for the text box that was begun there, and no other", () => {
    const { state } = run([
      started(),
      { type: "dictating", isOn: true },
      partial("u1"),
      { type: "dictating", isOn: false },
    ]);
    expect(isDictated(state, "microphone", "u1")).toBe(true);
    expect(isDictated(state, "microphone", "u2")).toBe(false);
    const again = run([started(), partial("u1"), { type: "dictating", isOn: true }]).state;
    expect(isDictated(again, "microphone", "u2")).toBe(true);
    expect(isDictated(again, "loopback", "u2")).toBe(false);
    expect(isDictated(off, "microphone", "u1")).toBe(false);
  });

  it("keeps the words on screen while they are being written down", () => {
    const device = heard({ type: "device", name: "Headset" });
    for (const event of [onset, device, heard({ type: "speech_end" })]) {
      const { state } = run([started(), onset, partial("u1"), event]);
      expect(isLive(state) && state.partial).toEqual({ utteranceId: "u1", text: "what" });
    }
  });

  // Bug: words of a dead session, or a noise without words, stayed on screen as if they were still to be sent.
  it.each<VoiceEvent>([
    { type: "no_words" },
    { type: "audio_flows", flows: true },
    { type: "audio_flows", flows: false },
    { type: "restarting", why: fault },
  ])("forgets them at %o", (event) => {
    const { state } = run([started(), onset, partial("u1"), heard(event)]);
    expect(isLive(state) && state.partial).toBeNull();
  });

  it("says why it stands so until it stands otherwise, and where it failed", () => {
    const restarting = run([started(), heard({ type: "restarting", why: fault })]).state;
    expect(isLive(restarting) && restarting.detail).toEqual(fault);
    const again = run([started(), heard({ type: "restarting", why: fault }), flows]).state;
    expect(isLive(again) && again.detail).toBeNull();
    expect(run([started(), ended(fault)]).state).toMatchObject({ kind: "failed", detail: fault });
  });

  it("begins with nothing known, and knows of each source what was told of it", () => {
    const before = run([started("meeting")]).state;
    const unknown = {
      ...{ doing: "starting", sessionId: null, device: null, recordingTo: null },
      ...{ silence: null, failure: null },
    };
    const tally = { utterances: 0, prompts: 0, restarts: 0, lastText: null, lastError: null };
    expect(before).toEqual({
      kind: "on",
      mode: "meeting",
      startedIn: "meeting",
      sources: [
        { source: "microphone", ...unknown },
        { source: "loopback", ...unknown },
      ],
      isMuted: false,
      isTalking: false,
      isAwake: false,
      partial: null,
      detail: null,
      openId: null,
      dictatedId: null,
      tally,
    });
    const { state, actions } = run([
      started("meeting"),
      heard({ type: "opened", sessionId: "s1", device: "Desk" }),
      heard({ type: "opened", sessionId: "s2", device: null }, "loopback"),
      heard({ type: "device", name: "Headset" }),
      heard({ type: "recording", path: "/a.wav" }, "loopback"),
      heard({ type: "talk", isTalking: true }),
      heard({ type: "wake", isAwake: true }),
      { type: "muted", isMuted: true },
      { type: "refreshed" },
    ]);
    expect(state).toMatchObject({
      sources: [
        { doing: "starting", sessionId: "s1", device: "Headset", recordingTo: null },
        { doing: "starting", sessionId: "s2", device: null, recordingTo: "/a.wav" },
      ],
      isMuted: true,
      isTalking: true,
      isAwake: true,
    });
    expect(actions.map((of) => of.map(({ type }) => type).join())).toEqual([
      "tell",
      "",
      "",
      ...Array(6).fill("tell"),
    ]);
    const shown = { source: "both", conversationId: "c2", isMuted: true, silence: null };
    expect(statusOf(state, "c2")).toEqual({ state: "starting", ...shown, sessionId: "s1, s2", ...tally });
    expect(statusOf(before, "c2").sessionId).toBeNull();
    expect(statusOf(off, "c2")).toMatchObject({ state: "off", ...tally });
  });

  it("has no session and no recording of the one before while a source starts again", () => {
    const opened = heard({ type: "opened", sessionId: "s1", device: "Desk" });
    const recording = heard({ type: "recording", path: "/a.wav" });
    const restarting = run([started(), opened, recording, heard({ type: "restarting", why: fault })]);
    expect(statusOf(restarting.state, "c2")).toMatchObject({ state: "restarting", sessionId: null });
    const again = run([started(), opened, recording, opened]).state;
    expect(isLive(again) && again.sources[0]).toMatchObject({ device: "Desk", recordingTo: null });
    const over = run([started("meeting"), opened, ended(fault)]).state;
    expect(isLive(over) && over.sources[0]).toMatchObject({ doing: "over", sessionId: null, failure: fault });
  });

  it("says nothing of a source of a meeting that ended as it was meant to", () => {
    expect(run([started("meeting"), ended(null)]).actions.at(-1)).toEqual([{ type: "nothing_said" }]);
  });

  it("begins its count anew, and keeps the reason of its end as the last error", () => {
    const first: VoiceStateEvent[] = [
      started(),
      { type: "taken", text: "one", isPrompt: true },
      ended(fault),
    ];
    expect(statusOf(run(first).state, "c2")).toMatchObject({ state: "failed", prompts: 1, lastError: fault });
    expect(statusOf(run([...first, started()]).state, "c2")).toMatchObject({ prompts: 0, lastError: null });
  });

  it("tells with each state why it is so, where something went wrong", () => {
    const detailOf = (...list: VoiceStateEvent[]) =>
      run([started(), ...list])
        .actions.at(-1)
        ?.flatMap((action) => (action.type === "tell" ? [action] : []));
    expect(detailOf(flows)).toEqual([{ type: "tell" }]);
    expect(detailOf(heard({ type: "restarting", why: fault }))).toEqual([{ type: "tell", detail: fault }]);
    expect(detailOf(heard({ type: "audio_flows", flows: false }))).toEqual([
      { type: "tell", detail: stalled },
    ]);
    expect(detailOf(ended(fault))).toEqual([{ type: "tell", detail: fault }]);
  });

  it("knows the utterance that is open by the microphone alone", () => {
    const open = (source: SpeechSource) => {
      const event = { type: "partial", utteranceId: "u1", text: "what" } as const;
      const { state } = run([started("meeting"), heard(event, source)]);
      return isLive(state) && [state.openId, state.partial?.utteranceId, state.partial?.who];
    };
    expect(open("microphone")).toEqual(["u1", "u1", "me"]);
    expect(open("loopback")).toEqual([null, "u1", "them"]);
  });

  it("stands as it did whatever else comes from the server", () => {
    const before = run([started(), flows]).state;
    for (const event of [
      { type: "gap", missed: 2 },
      { type: "notice", message: "n" },
    ] as const) {
      expect(stepVoice(before, heard(event))).toEqual({ state: before, actions: [] });
    }
  });

  it("that was started to dictate stays so", () => {
    const { state } = run([
      started("dictation"),
      { type: "dictating", isOn: true },
      { type: "dictating", isOn: false },
    ]);
    expect(isLive(state) && state.mode).toBe("dictation");
  });
});

const sources = fc.constantFrom<SpeechSource>("microphone", "loopback");
const events: fc.Arbitrary<VoiceStateEvent> = fc.oneof(
  fc.constantFrom<VoiceStateEvent>(
    started(),
    started("meeting"),
    { type: "stopped" },
    { type: "refreshed" },
    { type: "muted", isMuted: true },
    { type: "dictating", isOn: true },
    { type: "dictating", isOn: false },
    { type: "taken", text: "t", isPrompt: true },
  ),
  fc
    .tuple(
      fc.constantFrom<VoiceEvent>(
        { type: "opened", sessionId: "s1", device: "d" },
        { type: "audio_flows", flows: true },
        { type: "audio_flows", flows: false },
        { type: "restarting", why: fault },
        { type: "onset", sessionId: "s1", startMs: 0 },
        { type: "speech_end" },
        { type: "no_words" },
        { type: "partial", utteranceId: "u", text: "t" },
        { type: "ended", failure: null },
        { type: "ended", failure: fault },
      ),
      sources,
    )
    .map(([event, source]) => heard(event, source)),
);

describe("whatever happens to voice", () => {
  it("what is shown fits the state, each end is told once, and what is over shows nothing that is live", () => {
    fc.assert(
      fc.property(fc.array(events, { maxLength: 60 }), (list) => {
        let state: VoiceState = off;
        for (const event of list) {
          const before = state;
          const { state: next, actions } = stepVoice(before, event);
          state = next;
          const told = actions.filter(({ type }) => type === "tell");
          expect(told.length).toBeLessThanOrEqual(1);
          if (before.kind !== state.kind) expect(told).toHaveLength(1);
          if (!isLive(before) && !isLive(state)) expect(actions).toEqual([]);
          const status = statusOf(state, "c2");
          expect(status.state).toBe(nameOf(state));
          if (isLive(state)) {
            expect(state.sources.some(({ doing }) => doing !== "over")).toBe(true);
            expect(status.source).toBe(state.sources.length > 1 ? "both" : "microphone");
          } else {
            expect(status).toMatchObject({
              source: null,
              conversationId: null,
              sessionId: null,
              isMuted: false,
            });
          }
          if (before.kind === "stopping") expect(["stopping", "off"]).toContain(state.kind);
        }
      }),
      { numRuns: 500 },
    );
  });
});
