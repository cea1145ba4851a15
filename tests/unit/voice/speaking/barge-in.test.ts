import fc from "fast-check";
import { describe, expect, it } from "vitest";
import {
  type BargeInAction,
  type BargeInEvent,
  type BargeInState,
  bargeInMs,
  confirmMs,
  silent,
  stepBargeIn,
} from "../../../../electron/voice/speaking/barge-in.ts";
import type { VoiceStateName } from "../../../../shared/conversation/events.ts";

const at = (kind: BargeInState["kind"], isOpen = true): BargeInState => ({ kind, isOpen });
const voice = (
  state: VoiceStateName,
  source: "microphone" | "loopback" | "file" | "both" = "microphone",
  isMuted = false,
): BargeInEvent => ({ type: "voice", state, source, isMuted });
const partial = (isSomethingToSay: boolean): BargeInEvent => ({ type: "partial", isSomethingToSay });
const brief = (action: BargeInAction) =>
  action.type === "wait" ? `wait ${action.ms}` : action.type === "show" ? action.state : action.type;

const quiet: BargeInEvent[] = [{ type: "near_speech" }, { type: "waited" }, { type: "taken" }];
const words = "waiting_for_words";
const loud = "waiting_for_voice";

describe("speech and whoever speaks over it", () => {
  it.each<[BargeInState["kind"], BargeInEvent, BargeInState["kind"], string[]]>([
    ["silent", { type: "started", firstAudioMs: 5 }, "speaking", ["audible", "speaking"]],
    ["speaking", { type: "started", firstAudioMs: 5 }, "speaking", []],
    ["speaking", { type: "drained" }, "silent", ["audible", "silent"]],
    ["about_to_pause", { type: "drained" }, "silent", ["stop_waiting", "audible", "silent"]],
    [words, { type: "drained" }, "silent", ["resume", "audible", "silent"]],
    // A loud sound.
    ["silent", { type: "near_speech" }, "silent", []],
    ["speaking", { type: "near_speech" }, loud, [`wait ${confirmMs}`, "pause", "paused"]],
    [loud, { type: "near_speech" }, loud, []],
    [loud, { type: "waited" }, "speaking", ["stop_waiting", "resume", "speaking"]],
    [loud, voice("hearing"), words, ["stop_waiting"]],
    [loud, voice("transcribing"), words, ["stop_waiting"]],
    [loud, voice("listening"), "speaking", ["stop_waiting", "resume", "speaking"]],
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
    [words, voice("listening"), "speaking", ["resume", "speaking"]],
    [words, voice("off"), "speaking", ["resume", "speaking"]],
    [words, voice("failed"), "speaking", ["resume", "speaking"]],
    // Its words.
    [words, partial(false), words, []],
    [words, partial(true), "silent", ["drop_rest", "resume", "audible", "silent"]],
    ["speaking", partial(true), "speaking", []],
    [words, { type: "ignored" }, "speaking", ["resume", "speaking"]],
    ["about_to_pause", { type: "ignored" }, "speaking", ["stop_waiting"]],
    [words, { type: "taken" }, "silent", ["drop_rest", "resume", "audible", "silent"]],
    ["speaking", { type: "taken" }, "speaking", []],
    ["speaking", { type: "stopped" }, "silent", ["drop_rest", "audible", "silent"]],
    ["silent", { type: "stopped" }, "silent", ["drop_rest"]],
    [words, { type: "restarted" }, "speaking", ["resume", "speaking"]],
    ["silent", { type: "restarted" }, "silent", []],
  ])("%s, then %o: %s", (kind, event, next, actions) => {
    const step = stepBargeIn(at(kind), event);
    expect(step.state.kind).toBe(next);
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
  fc.boolean().map(partial),
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
          const isPaused = state.kind === loud || state.kind === words;
          expect(seen).toEqual({
            isPaused,
            isAudible: state.kind !== "silent",
            shown: state.kind === "silent" ? "silent" : isPaused ? "paused" : "speaking",
            isWaiting: state.kind === loud || state.kind === "about_to_pause",
          });
        }
      }),
      { numRuns: 500 },
    );
  });

  it("after it listens again nothing stays paused, and after a stop nothing is said", () => {
    fc.assert(
      fc.property(fc.array(anyEvent, { maxLength: 60 }), (events) => {
        const state = events.reduce((before, event) => stepBargeIn(before, event).state, silent);
        expect(["silent", "speaking"]).toContain(stepBargeIn(state, voice("listening")).state.kind);
        expect(stepBargeIn(state, { type: "stopped" }).state.kind).toBe("silent");
      }),
    );
  });
});
