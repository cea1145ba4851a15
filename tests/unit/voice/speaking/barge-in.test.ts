import fc from "fast-check";
import { describe, expect, it } from "vitest";
import {
  type BargeInAction,
  type BargeInEvent,
  type BargeInState,
  bargeInMs,
  goOnMs,
  silent,
  stepBargeIn,
} from "../../../../electron/voice/speaking/barge-in.ts";
import type { VoiceStateName } from "../../../../shared/conversation/events.ts";

type Kind = BargeInState["kind"] | "waiting_for_near_words";
/** `waiting_for_near_words`: of a voice that was loud beside the microphone. */
const at = (kind: Kind, isOpen = true): BargeInState => {
  const isNear = kind === "waiting_for_near_words";
  if (isNear || kind === "waiting_for_words") return { kind: "waiting_for_words", isNear, isOpen };
  return { kind, isOpen };
};
const kindOf = (state: BargeInState): Kind =>
  state.kind === "waiting_for_words" && state.isNear ? "waiting_for_near_words" : state.kind;
const voice = (
  state: VoiceStateName,
  source: "microphone" | "loopback" | "file" | "both" = "microphone",
  isDeaf = false,
): BargeInEvent => ({ type: "voice", state, source, isDeaf });
const brief = (action: BargeInAction) =>
  action.type === "wait" ? `wait ${action.ms}` : action.type === "show" ? action.state : action.type;

const quiet: BargeInEvent[] = [
  { type: "near_speech" },
  { type: "waited" },
  { type: "taken" },
  { type: "unclear" },
  { type: "stop_word" },
  { type: "go_on" },
];
const words = "waiting_for_words";
const near = "waiting_for_near_words";
const fading = "about_to_go_on";
const loud = "waiting_for_voice";

describe("speech and whoever speaks over it", () => {
  it.each<[Kind, BargeInEvent, Kind, string[]]>([
    ["silent", { type: "started", firstAudioMs: 5 }, "speaking", ["audible", "speaking"]],
    ["speaking", { type: "started", firstAudioMs: 5 }, "speaking", []],
    ["speaking", { type: "drained" }, "silent", ["audible", "silent"]],
    ["about_to_pause", { type: "drained" }, "silent", ["stop_waiting", "audible", "silent"]],
    [words, { type: "drained" }, "silent", ["resume", "audible", "silent"]],
    // A loud sound.
    ["silent", { type: "near_speech" }, "silent", []],
    ["speaking", { type: "near_speech" }, loud, [`wait ${goOnMs}`, "pause", "paused"]],
    [loud, { type: "near_speech" }, loud, []],
    [loud, { type: "waited" }, "speaking", ["stop_waiting", "resume", "speaking"]],
    [loud, voice("hearing"), near, ["stop_waiting"]],
    [loud, voice("transcribing"), near, ["stop_waiting"]],
    [loud, voice("listening"), loud, []],
    [loud, voice("failed"), "speaking", ["stop_waiting", "resume", "speaking"]],
    // A voice.
    ["speaking", voice("hearing"), "about_to_pause", [`wait ${bargeInMs - 130}`]],
    ["speaking", voice("hearing", "both"), "about_to_pause", [`wait ${bargeInMs - 130}`]],
    ["speaking", voice("hearing", "loopback"), "speaking", []],
    ["speaking", voice("hearing", "file"), "speaking", []],
    ["silent", voice("hearing"), "silent", []],
    ["about_to_pause", voice("hearing"), "about_to_pause", []],
    ["about_to_pause", { type: "waited" }, words, ["stop_waiting", "pause", "paused"]],
    ["about_to_pause", voice("transcribing"), "speaking", ["stop_waiting"]],
    ["about_to_pause", voice("listening"), "speaking", ["stop_waiting"]],
    [words, { type: "waited" }, words, []],
    [words, voice("transcribing"), words, []],
    [words, voice("restarting"), words, []],
    // No words came of it: an echo, or a cough beside the microphone.
    [words, voice("listening"), fading, [`wait ${goOnMs}`]],
    [near, voice("listening"), fading, [`wait ${goOnMs}`]],
    [fading, { type: "waited" }, "speaking", ["stop_waiting", "resume", "speaking"]],
    [fading, voice("listening"), fading, []],
    [fading, voice("hearing"), near, ["stop_waiting"]],
    [fading, { type: "ignored" }, "speaking", ["stop_waiting", "resume", "speaking"]],
    [words, voice("off"), "speaking", ["resume", "speaking"]],
    [words, voice("failed"), "speaking", ["resume", "speaking"]],
    // Its words.
    [words, { type: "ignored" }, "speaking", ["resume", "speaking"]],
    ["about_to_pause", { type: "ignored" }, "speaking", ["stop_waiting"]],
    [words, { type: "taken" }, "silent", ["drop_rest", "resume", "audible", "silent"]],
    ["speaking", { type: "taken" }, "speaking", []],
    // What may have been a word to stop costs nothing but a pause.
    [words, { type: "unclear" }, "held", ["audible", "stopped"]],
    [near, { type: "unclear" }, "held", ["audible", "stopped"]],
    [loud, { type: "stop_word" }, "held", ["stop_waiting", "audible", "stopped"]],
    ["speaking", { type: "unclear" }, "held", ["pause", "audible", "stopped"]],
    ["speaking", { type: "stop_word" }, "held", ["pause", "audible", "stopped"]],
    ["about_to_pause", { type: "stop_word" }, "held", ["stop_waiting", "pause", "audible", "stopped"]],
    ["silent", { type: "stop_word" }, "silent", []],
    ["silent", { type: "unclear" }, "silent", []],
    ["held", { type: "stop_word" }, "held", []],
    // It goes on when somebody wants it to, and for nothing else.
    ["held", { type: "ignored" }, "held", []],
    ["held", { type: "waited" }, "held", []],
    ["held", { type: "near_speech" }, "held", []],
    ["held", voice("hearing"), "held", []],
    ["held", voice("listening"), "held", []],
    ["held", voice("off"), "held", []],
    ["held", { type: "go_on" }, "speaking", ["resume", "audible", "speaking"]],
    [words, { type: "go_on" }, "speaking", ["resume", "speaking"]],
    ["silent", { type: "go_on" }, "silent", []],
    ["held", { type: "taken" }, "silent", ["drop_rest", "resume", "silent"]],
    ["held", { type: "stopped" }, "silent", ["drop_rest", "resume", "silent"]],
    ["held", { type: "drained" }, "silent", ["resume", "silent"]],
    ["held", { type: "restarted" }, "speaking", ["resume", "audible", "speaking"]],
    ["speaking", { type: "stopped" }, "silent", ["drop_rest", "audible", "silent"]],
    ["silent", { type: "stopped" }, "silent", ["drop_rest"]],
    [words, { type: "restarted" }, "speaking", ["resume", "speaking"]],
    ["silent", { type: "restarted" }, "silent", []],
  ])("%s, then %o: %s", (kind, event, next, actions) => {
    const step = stepBargeIn(at(kind), event);
    expect(kindOf(step.state)).toBe(next);
    expect(step.actions.map(brief)).toEqual(actions);
  });

  it.each([
    [voice("listening"), true],
    [voice("listening", "both"), true],
    [voice("listening", "microphone", true), false],
    [voice("listening", "loopback"), false],
    [voice("listening", "file"), false],
    [voice("hearing"), false],
    [voice("off"), false],
  ])("after %o a loud sound pauses: %s", (event, does) => {
    const { state } = stepBargeIn(at("speaking", !does), event);
    expect(stepBargeIn(at("speaking", state.isOpen), { type: "near_speech" }).state.kind).toBe(
      does ? loud : "speaking",
    );
  });

  // Bug: a sentence that came while somebody was speaking was said over them, to its end and beyond.
  it.each([
    [voice("hearing"), "about_to_pause", ["wait 70", "audible", "speaking"]],
    [voice("hearing", "loopback"), "speaking", ["audible", "speaking"]],
    [voice("hearing", "microphone", true), "speaking", ["audible", "speaking"]],
    [voice("transcribing"), "speaking", ["audible", "speaking"]],
  ] as const)("begins after %o: %s", (event, kind, actions) => {
    const before = stepBargeIn(silent, event).state;
    const step = stepBargeIn(before, { type: "started", firstAudioMs: 5 });
    expect([step.state.kind, step.actions.map(brief)]).toEqual([kind, actions]);
    const pause = kind === "about_to_pause" ? words : "speaking";
    expect(kindOf(stepBargeIn(step.state, { type: "waited" }).state)).toBe(pause);
  });

  it("does not pause for a loud sound before anybody listens", () => {
    const { state } = stepBargeIn(silent, { type: "started", firstAudioMs: 42 });
    expect(stepBargeIn(state, { type: "near_speech" }).state.kind).toBe("speaking");
  });

  it("tells how long it took to the first sound", () => {
    const { actions } = stepBargeIn(silent, { type: "started", firstAudioMs: 42 });
    expect(actions).toContainEqual({ type: "show", state: "speaking", firstAudioMs: 42 });
  });
});

const anyEvent: fc.Arbitrary<BargeInEvent> = fc.oneof(
  fc.constantFrom<BargeInEvent>(
    { type: "started", firstAudioMs: 1 },
    { type: "drained" },
    { type: "ignored" },
    { type: "stopped" },
    { type: "restarted" },
    ...quiet,
  ),
  fc
    .tuple(
      fc.constantFrom<VoiceStateName>(
        ...([
          "starting",
          "listening",
          "hearing",
          "transcribing",
          "restarting",
          "stopping",
          "off",
          "failed",
        ] as const),
      ),
      fc.constantFrom("microphone", "loopback", "file", "both"),
      fc.boolean(),
    )
    .map((given) => voice(...given)),
);

describe("whatever happens", () => {
  it("the speaker, the timer and what is shown agree with the state, and each change is said once", () => {
    fc.assert(
      fc.property(fc.array(anyEvent, { maxLength: 60 }), (events) => {
        let state: BargeInState = silent;
        const seen = { isPaused: false, isAudible: false, shown: "silent", isWaiting: false };
        for (const event of events) {
          // A timer that was called off does not ring.
          if (event.type === "waited" && !seen.isWaiting) continue;
          if (event.type === "waited") seen.isWaiting = false;
          const step = stepBargeIn(state, event);
          state = step.state;
          for (const action of step.actions) {
            if (action.type === "pause" || action.type === "resume") {
              expect(seen.isPaused).toBe(action.type === "resume");
              seen.isPaused = action.type === "pause";
            } else if (action.type === "audible") {
              expect(action.isAudible).toBe(!seen.isAudible);
              seen.isAudible = action.isAudible;
            } else if (action.type === "show") {
              expect(action.state).not.toBe(seen.shown);
              seen.shown = action.state;
            } else if (action.type !== "drop_rest") seen.isWaiting = action.type === "wait";
          }
          const isHeld = state.kind === "held";
          const isPaused = isHeld || state.kind === loud || state.kind === words || state.kind === fading;
          const isSilent = state.kind === "silent";
          expect(seen).toEqual({
            isPaused,
            isAudible: !isSilent && !isHeld,
            shown: isSilent ? "silent" : isHeld ? "stopped" : isPaused ? "paused" : "speaking",
            isWaiting: state.kind === loud || state.kind === "about_to_pause" || state.kind === fading,
          });
        }
      }),
      { numRuns: 500 },
    );
  });

  it("after it listens again nothing stays paused that nobody wanted to stop, and after a stop nothing is said", () => {
    fc.assert(
      fc.property(fc.array(anyEvent, { maxLength: 60 }), (events) => {
        const state = events.reduce((before, event) => stepBargeIn(before, event).state, silent);
        const heard = stepBargeIn(state, voice("listening")).state;
        const after = stepBargeIn(heard, { type: "waited" }).state;
        expect(["silent", "speaking", "held"]).toContain(after.kind);
        expect(stepBargeIn(state, { type: "go_on" }).state.kind).toMatch(/silent|speaking/);
        expect(stepBargeIn(state, { type: "stopped" }).state.kind).toBe("silent");
      }),
    );
  });

  it("a word to stop pauses whatever is being said, and nothing but somebody's wish ends that", () => {
    const wishes = new Set(["go_on", "stopped", "taken", "restarted", "drained"]);
    const others = anyEvent.filter(({ type }) => !wishes.has(type));
    fc.assert(
      fc.property(
        fc.array(anyEvent, { maxLength: 30 }),
        fc.array(others, { maxLength: 30 }),
        (before, after) => {
          const spoken = before.reduce((state, event) => stepBargeIn(state, event).state, silent);
          fc.pre(spoken.kind !== "silent");
          const paused = stepBargeIn(spoken, { type: "stop_word" }).state;
          expect(after.reduce((state, event) => stepBargeIn(state, event).state, paused).kind).toBe("held");
        },
      ),
    );
  });
});
