import type { VoiceStateName } from "../../../shared/conversation/events.ts";
import type { VoiceSource } from "../../../shared/conversation/messages.ts";

/** A speech start is told when about so much of it was heard, in milliseconds. */
const onsetMs = 130;
/** Somebody speaks for so long before speech pauses: a click or a cough is shorter. Milliseconds. */
export const bargeInMs = 200;
/** What is loud and no speech to the recogniser within so many milliseconds was none. */
export const confirmMs = 1_500;

/** How speech stands while somebody may speak over it. */
export type BargeInState = {
  /** A microphone listens, and nobody was heard to speak yet. */
  isOpen: boolean;
} & (
  | { kind: "silent" }
  | { kind: "speaking" }
  /** Somebody begins to speak: unless it is over at once, speech pauses. */
  | { kind: "about_to_pause" }
  /** Paused for a loud sound nearby: unless the recogniser hears speech, speech goes on. */
  | { kind: "waiting_for_voice" }
  /** Paused for somebody's voice: their words decide. */
  | { kind: "waiting_for_words" }
);

export type BargeInEvent =
  /** The first sentence is audible: so many milliseconds after its text was complete. */
  | { type: "started"; firstAudioMs: number }
  /** Nothing more is to be said. */
  | { type: "drained" }
  /** Something loud is near the microphone. */
  | { type: "near_speech" }
  /** What voice does. */
  | { type: "voice"; state: VoiceStateName; source: VoiceSource | null; isMuted: boolean }
  /** The time of the last `wait` is over. */
  | { type: "waited" }
  /** Words so far. */
  | { type: "partial"; isSomethingToSay: boolean }
  /** Words that are nothing to speech: dropped, a listener's "mhm", Parley's own. */
  | { type: "ignored" }
  /** Words that were taken. */
  | { type: "taken" }
  /** Words, or a hand, that end speech. */
  | { type: "stopped" }
  /** What is left is said anew, such as at another rate. */
  | { type: "restarted" };

export type BargeInAction =
  | { type: "show"; state: "speaking" | "paused" | "silent"; firstAudioMs?: number }
  /** The computer's sound is Parley's own from now on, or no more. */
  | { type: "audible"; isAudible: boolean }
  | { type: "pause" }
  | { type: "resume" }
  /** Drops what was not said yet. */
  | { type: "drop_rest" }
  /** Sends `waited` in so many milliseconds; one wait takes the place of another. */
  | { type: "wait"; ms: number }
  | { type: "stop_waiting" };

export interface BargeInStep {
  state: BargeInState;
  actions: BargeInAction[];
}

export const silent: BargeInState = { kind: "silent", isOpen: false };

/** Decides when speech gives way to somebody's voice, when it goes on and when it ends. Pure. */
export function stepBargeIn(state: BargeInState, event: BargeInEvent): BargeInStep {
  switch (event.type) {
    case "started":
      return state.kind === "silent" ? begun(state, event.firstAudioMs) : stay(state);
    case "drained":
      return enter(state, "silent");
    case "restarted":
      return state.kind === "silent" ? stay(state) : enter(state, "speaking");
    case "stopped":
      return ended(state);
    case "near_speech":
      return state.isOpen && !isPaused(state) && state.kind !== "silent"
        ? enter(state, "waiting_for_voice")
        : stay(state);
    case "voice":
      return listened(
        { ...state, isOpen: event.state === "listening" && hearsUser(event) && !event.isMuted },
        event,
      );
    case "waited":
      if (state.kind === "about_to_pause") return enter(state, "waiting_for_words");
      return state.kind === "waiting_for_voice" ? enter(state, "speaking") : stay(state);
    case "partial":
      return event.isSomethingToSay && isPaused(state) ? ended(state) : stay(state);
    case "ignored":
      return goesOn(state);
    case "taken":
      return isPaused(state) ? ended(state) : stay(state);
  }
}

function listened(state: BargeInState, { state: voice, source }: Extract<BargeInEvent, { type: "voice" }>) {
  if (voice === "hearing") {
    if (state.kind === "waiting_for_voice") return enter(state, "waiting_for_words");
    const isUser = source !== "loopback" && source !== "file";
    return isUser && state.kind === "speaking" ? enter(state, "about_to_pause") : stay(state);
  }
  if (voice === "transcribing") {
    // Too short to be speech, or speech whose words are on their way.
    if (state.kind === "about_to_pause") return enter(state, "speaking");
    return state.kind === "waiting_for_voice" ? enter(state, "waiting_for_words") : stay(state);
  }
  // Whatever it was, no words came of it.
  return voice === "listening" || voice === "off" || voice === "failed" ? goesOn(state) : stay(state);
}

const hearsUser = ({ source }: { source: VoiceSource | null }) =>
  source === "microphone" || source === "both";

const isPaused = ({ kind }: BargeInState) => kind === "waiting_for_voice" || kind === "waiting_for_words";
const isWaiting = ({ kind }: BargeInState) => kind === "waiting_for_voice" || kind === "about_to_pause";
export const shownAs = (state: BargeInState) =>
  state.kind === "silent" ? "silent" : isPaused(state) ? "paused" : "speaking";

const goesOn = (state: BargeInState): BargeInStep =>
  state.kind === "silent" ? stay(state) : enter(state, "speaking");

const begun = ({ isOpen }: BargeInState, firstAudioMs: number): BargeInStep => ({
  state: { kind: "speaking", isOpen },
  actions: [
    { type: "audible", isAudible: true },
    { type: "show", state: "speaking", firstAudioMs },
  ],
});

/** Also of what is not audible yet. */
function ended(state: BargeInState): BargeInStep {
  const step = enter(state, "silent");
  return { ...step, actions: [{ type: "drop_rest" }, ...step.actions] };
}

const stay = (state: BargeInState): BargeInStep => ({ state, actions: [] });

function enter(before: BargeInState, kind: BargeInState["kind"]): BargeInStep {
  const state: BargeInState = { kind, isOpen: before.isOpen };
  const actions: BargeInAction[] = [];
  if (kind === "about_to_pause") actions.push({ type: "wait", ms: bargeInMs - onsetMs });
  else if (kind === "waiting_for_voice") actions.push({ type: "wait", ms: confirmMs });
  else if (isWaiting(before)) actions.push({ type: "stop_waiting" });
  if (isPaused(state) !== isPaused(before)) actions.push({ type: isPaused(state) ? "pause" : "resume" });
  if (kind === "silent" && before.kind !== "silent") actions.push({ type: "audible", isAudible: false });
  if (shownAs(state) !== shownAs(before)) actions.push({ type: "show", state: shownAs(state) });
  return { state, actions };
}
