import fc from "fast-check";
import { describe, expect, it, test } from "vitest";
import {
  type KnownVoice,
  type KnownVoiceAction,
  type KnownVoiceEvent,
  levelOf,
  snapshotOf,
  stepKnownVoice,
} from "../../../../../renderer/state/voice/known-voice.ts";
import {
  isOn,
  type VoiceNow,
  type VoiceSnapshot,
  voiceOff,
} from "../../../../../shared/voice/voice-snapshot.ts";
import { voiceOn, voiceSnapshot } from "../../voice-snapshot.ts";

const told = (now: VoiceNow): KnownVoiceEvent => ({ type: "told", voice: { ...voiceSnapshot, now } });
const unknown = { kind: "unknown" } as const;
const known = (...events: KnownVoiceEvent[]): KnownVoice =>
  events.reduce<KnownVoice>((state, event) => stepKnownVoice(state, event).state, unknown);
const level = (loud: number): KnownVoiceEvent => ({ type: "level", level: loud });

const failed: VoiceNow = {
  ...{ state: "failed", isTesting: false, conversationId: "a" },
  detail: { code: "x", message: "It failed." },
};
const testing: VoiceNow = { state: "off", isTesting: true };

describe("what is known", () => {
  test.each<[string, KnownVoiceEvent[], KnownVoice["kind"], number]>([
    ["before main has said anything", [], "unknown", 0],
    ["a level before main has said anything", [level(0.3)], "unknown", 0],
    ["off", [told(voiceOff)], "closed", 0],
    ["a level that comes too late", [told(voiceOn()), told(voiceOff), level(0.3)], "closed", 0],
    ["failed", [told(voiceOn()), level(0.3), told(failed)], "closed", 0],
    ["on, and nothing heard", [told(voiceOn())], "open", 0],
    ["on, and heard", [told(voiceOn()), level(0.3)], "open", 0.3],
    [
      "words, which say nothing of how loud it is",
      [told(voiceOn()), level(0.3), told(voiceOn())],
      "open",
      0.3,
    ],
    ["a test", [told(testing), level(0.2)], "open", 0.2],
    ["after a test", [told(testing), level(0.2), told(voiceOff)], "closed", 0],
    ["on after it was off", [told(voiceOn()), level(0.3), told(voiceOff), told(voiceOn())], "open", 0],
  ])("%s", (_, events, kind, loud) => {
    const state = known(...events);
    expect(state.kind).toBe(kind);
    expect(levelOf(state)).toBe(loud);
  });

  it("has a setting as it was chosen, until main says how it is", () => {
    const change = { "voice.volume": 0.5 };
    const wanted = known(told(voiceOff), { type: "set", change });
    expect(snapshotOf(wanted)?.settings).toEqual({ ...voiceSnapshot.settings, ...change });
    const { state, actions } = stepKnownVoice(wanted, { type: "refused" });
    expect(actions).toEqual([{ type: "ask" }]);
    expect(snapshotOf(stepKnownVoice(state, told(voiceOff)).state)).toEqual(voiceSnapshot);
    expect(known({ type: "set", change })).toEqual(unknown);
  });
});

describe("what the user wants", () => {
  const here = { conversationId: "a", source: "microphone" } as const;
  const listen = { type: "listen", ...here } as const;
  const toggle = { type: "toggle", ...here } as const;
  const start: KnownVoiceAction = { type: "start", ...here };
  const stop: KnownVoiceAction = { type: "stop" };
  const dictation = { type: "switch_dictation", conversationId: "a" } as const;
  const dictate = (on: boolean): KnownVoiceAction => ({ type: "dictate", conversationId: "a", isOn: on });

  test.each<[string, KnownVoiceEvent[], KnownVoiceEvent, KnownVoiceAction[]]>([
    ["to listen, before main has said anything", [], listen, [start]],
    ["to listen while voice is off", [told(voiceOff)], listen, [start]],
    ["to listen after it failed", [told(failed)], listen, [start]],
    ["to listen to something else", [told(voiceOn({ source: "loopback" }))], listen, [stop, start]],
    ["the button while voice is off", [told(voiceOff)], toggle, [start]],
    ["the button while voice is on here", [told(voiceOn())], toggle, [stop]],
    [
      "the button while voice is on elsewhere",
      [told(voiceOn({ conversationId: "b" }))],
      toggle,
      [stop, start],
    ],
    ["the button after it failed here", [told(failed)], toggle, [start]],
    ["to dictate while voice is off", [told(voiceOff)], dictation, [dictate(true)]],
    ["to dictate while it listens", [told(voiceOn())], dictation, [dictate(true)]],
    ["to dictate no more", [told(voiceOn({ isDictating: true }))], dictation, [dictate(false)]],
  ])("%s", (_, events, wish, actions) => {
    const state = known(...events);
    expect(stepKnownVoice(state, wish)).toEqual({ state, actions });
  });
});

const ids = fc.constantFrom("a", "b");
const nows: fc.Arbitrary<VoiceNow> = fc.oneof(
  fc.constantFrom(voiceOff, failed, testing),
  fc
    .record({
      state: fc.constantFrom("starting", "listening", "hearing", "transcribing", "restarting", "stopping"),
      source: fc.constantFrom("microphone", "loopback", "both", "file"),
      conversationId: ids,
      isMuted: fc.boolean(),
      isDictating: fc.boolean(),
    })
    .map((more) => voiceOn(more)),
);
const events: fc.Arbitrary<KnownVoiceEvent> = fc.oneof(
  nows.map(told),
  fc.double({ min: 0, max: 1, noNaN: true }).map(level),
  fc.record({
    type: fc.constantFrom("listen", "toggle"),
    conversationId: ids,
    source: fc.constantFrom("microphone", "loopback", "both"),
  }),
  ids.map((conversationId): KnownVoiceEvent => ({ type: "switch_dictation", conversationId })),
  fc.constant<KnownVoiceEvent>({ type: "set", change: { "voice.volume": 0.1 } }),
  fc.constant<KnownVoiceEvent>({ type: "refused" }),
);

test("whatever happens: only main says how voice stands, only what is open is loud, and one source is open at a time", () => {
  fc.assert(
    fc.property(fc.array(events, { maxLength: 60 }), (list) => {
      let state: KnownVoice = unknown;
      let last: VoiceSnapshot | null = null;
      for (const event of list) {
        const before = state;
        const step = stepKnownVoice(before, event);
        state = step.state;
        if (event.type === "told") last = event.voice;
        const snapshot = snapshotOf(state);
        expect(snapshot?.now).toEqual(last?.now);
        const now = last?.now ?? voiceOff;
        const isOpen = isOn(now) || now.isTesting;
        expect(state.kind).toBe(last === null ? "unknown" : isOpen ? "open" : "closed");
        if (levelOf(state) > 0) expect(state.kind).toBe("open");
        if (event.type !== "level" && levelOf(state) > 0) expect(levelOf(state)).toBe(levelOf(before));
        // Nothing is started over what is on, and nothing else is asked for than what was wanted.
        const asked = step.actions.map(({ type }) => type);
        if (asked.includes("start")) expect(asked[0] === "stop").toBe(isOn(now));
        if (event.type === "told" || event.type === "level" || event.type === "set")
          expect(asked).toEqual([]);
      }
    }),
    { numRuns: 500 },
  );
});
