import type { VoiceStateName } from "../../../shared/conversation/events.ts";
import type { VoiceSource } from "../../../shared/conversation/messages.ts";

/** A speech start is told when about so much of it was heard, in milliseconds. */
const onsetMs = 130;
/** Somebody speaks for so long before speech pauses: a click or a cough is shorter. Milliseconds. */
export const bargeInMs = 200;
/** What became no words lets speech go on so much later, in milliseconds. */
export const goOnMs = 2_000;

/** How speech stands while somebody may speak over it. */
export type BargeInState = {
  /** A microphone listens, and nobody was heard to speak yet. */
  isOpen: boolean;
  /** Somebody is speaking into it. */
  isHearing?: boolean;
} & (
  | { kind: "silent" }
  | { kind: "speaking" }
  /** Somebody begins to speak: unless it is over at once, speech pauses. */
  | { kind: "about_to_pause" }
  /** Paused for a loud sound nearby: unless the recogniser hears speech, speech goes on. */
  | { kind: "waiting_for_voice" }
  /** Paused for somebody's voice: their words decide. `isNear`: it was loud beside the microphone, so it is no echo. */
  | { kind: "waiting_for_words"; isNear: boolean }
  /** Paused for what was nothing: in a moment speech goes on. */
  | { kind: "about_to_go_on" }
  /** Paused for what was, or may have been, a word to stop: it goes on when somebody wants it to. */
  | { kind: "held" }
);

export type BargeInEvent =
  /** The first sentence is audible: so many milliseconds after its text was complete. */
  | { type: "started"; firstAudioMs: number }
  /** Nothing more is to be said. */
  | { type: "drained" }
  /** Something loud is near the microphone. */
  | { type: "near_speech" }
  /** What voice does. `isDeaf`: what is said counts for nothing now. */
  | { type: "voice"; state: VoiceStateName; source: VoiceSource | null; isDeaf: boolean }
  /** The time of the last `wait` is over. */
  | { type: "waited" }
  /** Words that are nothing to speech: a listener's "mhm", Parley's own. */
  | { type: "ignored" }
  /** A short burst of words that may be misheard: nobody knows what it was. */
  | { type: "unclear" }
  /** A word to stop was heard over speech, by who listens for nothing else. */
  | { type: "stop_word" }
  /** Words, or a hand, that want what is paused to go on. */
  | { type: "go_on" }
  /** Words that were taken. */
  | { type: "taken" }
  /** Words, or a hand, that end speech. */
  | { type: "stopped" }
  /** What is left is said anew, such as at another rate. */
  | { type: "restarted" };

export type BargeInAction =
  | { type: "show"; state: "speaking" | "paused" | "stopped" | "silent"; firstAudioMs?: number }
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
        {
          ...state,
          isOpen: event.state === "listening" && hearsUser(event) && !event.isDeaf,
          isHearing: event.state === "hearing" && event.source === "microphone" && !event.isDeaf,
        },
        event,
      );
    case "waited":
      if (state.kind === "about_to_pause") return waitForWords(state, false);
      return isWaiting(state) ? enter(state, "speaking") : stay(state);
    case "ignored":
      return state.kind === "held" ? stay(state) : goesOn(state);
    case "unclear":
    case "stop_word":
      return state.kind === "silent" ? stay(state) : enter(state, "held");
    case "go_on":
      return goesOn(state);
    case "taken":
      return isPaused(state) ? ended(state) : stay(state);
  }
}

function listened(
  state: BargeInState,
  { state: voice, source, isDeaf }: Extract<BargeInEvent, { type: "voice" }>,
) {
  if (voice === "hearing") {
    if (isDeaf) return stay(state);
    if (state.kind === "waiting_for_voice" || state.kind === "about_to_go_on")
      return waitForWords(state, true);
    const isUser = source !== "loopback" && source !== "file";
    return isUser && state.kind === "speaking" ? enter(state, "about_to_pause") : stay(state);
  }
  if (voice === "transcribing") {
    // Too short to be speech, or speech whose words are on their way.
    if (state.kind === "about_to_pause") return enter(state, "speaking");
    return state.kind === "waiting_for_voice" ? waitForWords(state, true) : stay(state);
  }
  if (voice === "listening") return wordless(state);
  const isOver = voice === "off" || voice === "failed";
  return isOver && state.kind !== "held" ? goesOn(state) : stay(state);
}

/** Whatever it was, no words came of it: a cough must not end a reply, and who said something has time to say it again. */
function wordless(state: BargeInState): BargeInStep {
  if (state.kind === "about_to_pause") return enter(state, "speaking");
  return state.kind === "waiting_for_words" ? enter(state, "about_to_go_on") : stay(state);
}

const hearsUser = ({ source }: { source: VoiceSource | null }) =>
  source === "microphone" || source === "both";

export const isPaused = ({ kind }: BargeInState) =>
  kind === "waiting_for_voice" ||
  kind === "waiting_for_words" ||
  kind === "about_to_go_on" ||
  kind === "held";
const isWaiting = ({ kind }: BargeInState) =>
  kind === "waiting_for_voice" || kind === "about_to_pause" || kind === "about_to_go_on";
/** What is held may stay so for long: others may use the loudspeaker meanwhile. */
const isAudible = ({ kind }: BargeInState) => kind !== "silent" && kind !== "held";

export function shownAs(state: BargeInState): Extract<BargeInAction, { type: "show" }>["state"] {
  if (state.kind === "silent") return "silent";
  if (state.kind === "held") return "stopped";
  return isPaused(state) ? "paused" : "speaking";
}

const goesOn = (state: BargeInState): BargeInStep =>
  state.kind === "silent" ? stay(state) : enter(state, "speaking");

/** Who is speaking by then is not spoken over either. */
function begun(before: BargeInState, firstAudioMs: number): BargeInStep {
  const step = to(before, { kind: before.isHearing ? "about_to_pause" : "speaking", ...heardIn(before) });
  const actions = step.actions.map((action) =>
    action.type === "show" ? { ...action, firstAudioMs } : action,
  );
  return { ...step, actions };
}

/** Also of what is not audible yet. */
function ended(state: BargeInState): BargeInStep {
  const step = enter(state, "silent");
  return { ...step, actions: [{ type: "drop_rest" }, ...step.actions] };
}

const stay = (state: BargeInState): BargeInStep => ({ state, actions: [] });

const waitForWords = (before: BargeInState, isNear: boolean): BargeInStep =>
  to(before, { kind: "waiting_for_words", isNear, ...heardIn(before) });

const enter = (before: BargeInState, kind: Exclude<BargeInState["kind"], "waiting_for_words">): BargeInStep =>
  to(before, { kind, ...heardIn(before) });

const heardIn = ({ isOpen, isHearing = false }: BargeInState) => ({ isOpen, isHearing });

function to(before: BargeInState, state: BargeInState): BargeInStep {
  const actions: BargeInAction[] = [];
  if (state.kind === "about_to_pause") actions.push({ type: "wait", ms: bargeInMs - onsetMs });
  else if (isWaiting(state) && state.kind !== before.kind) actions.push({ type: "wait", ms: goOnMs });
  else if (isWaiting(before) && !isWaiting(state)) actions.push({ type: "stop_waiting" });
  if (isPaused(state) !== isPaused(before)) actions.push({ type: isPaused(state) ? "pause" : "resume" });
  if (isAudible(state) !== isAudible(before)) actions.push({ type: "audible", isAudible: isAudible(state) });
  if (shownAs(state) !== shownAs(before)) actions.push({ type: "show", state: shownAs(state) });
  return { state, actions };
}
