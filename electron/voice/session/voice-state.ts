import type { UserError, VoiceStateName } from "../../../shared/conversation/events.ts";
import type { SpeechSource, VoiceSource } from "../../../shared/conversation/messages.ts";
import type { StartSessionArguments } from "../../../shared/voice/stt.ts";
import { microphoneSilent, type SpokenWords, type VoiceOn } from "../../../shared/voice/voice-snapshot.ts";
import type { VoiceEvent } from "../stt/voice-events.ts";
import { hasSlept, silentMicrophone, stalled } from "./voice-errors.ts";
import { type ModeRequest, modeRules, type VoiceMode } from "./voice-mode.ts";

/** What voice is started with. */
export interface VoiceStart extends ModeRequest {
  path?: string | undefined;
  pace?: StartSessionArguments["pace"] | undefined;
  deviceId?: string | undefined;
  deviceName?: string | undefined;
  /** In the place of the settings', for this session. */
  language?: string | undefined;
  endpointingMs?: number | undefined;
  utteranceEndMs?: number | undefined;
  /** A configured MCP server in the place of Parley's own. */
  server?: string | undefined;
  /** It listens for the quick prompt, and no longer than that is in sight. */
  isQuick?: boolean | undefined;
}

/** One source of a session. */
export interface SourceState {
  source: SpeechSource;
  doing: "starting" | "listening" | "hearing" | "transcribing" | "restarting" | "over";
  sessionId: string | null;
  /** The device that is heard, by its name. */
  device: string | null;
  /** The file that its sound is kept in. */
  recordingTo: string | null;
  /** Nothing comes from it, though it is open; null while there is sound. */
  silence: { isSystemMuted: boolean } | null;
  /** Why it is over; null where that was meant, or it is not. */
  failure: UserError | null;
}

/** What is counted from a session's start to the next one's. */
export interface Tally {
  utterances: number;
  prompts: number;
  restarts: number;
  lastText: string | null;
  lastError: UserError | null;
}

interface Live {
  mode: VoiceMode;
  /** The mode that it was started in, and that it goes back to after dictation. */
  startedIn: VoiceMode;
  sources: readonly SourceState[];
  isMuted: boolean;
  /** The user talks by a key. */
  isTalking: boolean;
  /** The wake phrase was heard a moment ago. */
  isAwake: boolean;
  /** The words that are being said. */
  partial: SpokenWords | null;
  /** Why it stands as was told last, where something went wrong. */
  detail: UserError | null;
  /** The microphone's utterance that is being said, and one that was begun while dictating. */
  openId: string | null;
  dictatedId: string | null;
  tally: Tally;
}

/** How voice stands. `stopping`: what was being said is still read. `draining`: off, and the last words may yet come. */
export type VoiceState =
  | { kind: "off"; tally: Tally }
  | { kind: "failed"; tally: Tally; detail: UserError }
  | ({ kind: "on" } & Live)
  | ({ kind: "stopping" } & Live)
  | ({ kind: "draining" } & Live);

export type VoiceStateEvent =
  | { type: "started"; sources: readonly SpeechSource[]; mode: VoiceMode }
  | { type: "heard"; source: SpeechSource; event: VoiceEvent }
  /** What became of an utterance is known. */
  | { type: "taken"; text: string; isPrompt: boolean }
  | { type: "muted"; isMuted: boolean }
  | { type: "dictating"; isOn: boolean }
  /** Something that is shown with it has changed elsewhere. */
  | { type: "refreshed" }
  | { type: "stopped" }
  /** The server takes its time over the last words: nobody waits for it. */
  | { type: "gone_on" };

export type VoiceStateAction =
  /** Says how voice stands now, and why. */
  | { type: "tell"; detail?: UserError }
  /** A prompt may come soon. */
  | { type: "expect_prompt" }
  /** What was begun did not become words, or will not any more. */
  | { type: "nothing_said" }
  /** One source is over though another goes on. */
  | { type: "tell_failure"; source: SpeechSource; failure: UserError };

export interface VoiceStep {
  state: VoiceState;
  actions: VoiceStateAction[];
}

const nothingYet: Tally = { utterances: 0, prompts: 0, restarts: 0, lastText: null, lastError: null };
export const off: VoiceState = { kind: "off", tally: nothingYet };

type LiveState = Extract<VoiceState, { kind: "on" | "stopping" }>;
type DrainingState = Extract<VoiceState, { kind: "draining" }>;

export const isLive = (state: VoiceState): state is LiveState =>
  state.kind === "on" || state.kind === "stopping";

/** What a voice session does with what happens. Pure. */
export function stepVoice(state: VoiceState, event: VoiceStateEvent): VoiceStep {
  if (event.type === "started") {
    return isLive(state) ? stay(state) : { state: begun(event), actions: [{ type: "tell" }] };
  }
  if (state.kind === "draining") return drained(state, event);
  if (!isLive(state)) return stay(state);
  switch (event.type) {
    case "heard":
      return heard(state, event.source, event.event);
    case "taken":
      return stay(counted(state, event));
    case "muted":
      return told({ ...state, isMuted: event.isMuted });
    case "dictating": {
      const [mode, dictatedId] = event.isOn
        ? (["dictation", null] as const)
        : ([state.startedIn, state.openId] as const);
      const step = told({ ...state, mode, dictatedId });
      return { ...step, actions: [{ type: "nothing_said" }, ...step.actions] };
    }
    case "refreshed":
      return told(state);
    case "stopped":
      return state.kind === "stopping"
        ? stay(state)
        : { state: { ...state, kind: "stopping" }, actions: [{ type: "tell" }] };
    case "gone_on":
      return state.kind === "stopping"
        ? { state: { ...state, kind: "draining" }, actions: [{ type: "nothing_said" }, { type: "tell" }] }
        : stay(state);
  }
}

/** Only the last words and the end of their source count; nobody is told of it. */
function drained(state: DrainingState, event: VoiceStateEvent): VoiceStep {
  if (event.type === "taken") return stay(counted(state, event));
  if (event.type !== "heard" || event.event.type !== "ended") return stay(state);
  const sources = withDoing(state.sources, event.source, { doing: "over" });
  const isOver = sources.every(({ doing }) => doing === "over");
  return stay(isOver ? { kind: "off", tally: state.tally } : { ...state, sources });
}

function counted<S extends LiveState | DrainingState>(
  state: S,
  { text, isPrompt }: Extract<VoiceStateEvent, { type: "taken" }>,
): S {
  const { utterances, prompts } = state.tally;
  const more = { utterances: utterances + 1, prompts: prompts + (isPrompt ? 1 : 0), lastText: text };
  return { ...state, tally: { ...state.tally, ...more } };
}

/** Whether this utterance goes into the text box: what was begun there ends there. */
export function isDictated(state: VoiceState, source: SpeechSource, utteranceId: string): boolean {
  if (!(isLive(state) || state.kind === "draining") || source !== "microphone") return false;
  return modeRules[state.mode].wordsGoTo === "text_box" || state.dictatedId === utteranceId;
}

function begun(event: Extract<VoiceStateEvent, { type: "started" }>): LiveState {
  const { sources, mode } = event;
  return {
    kind: "on",
    mode,
    startedIn: mode,
    sources: sources.map((one) => ({
      source: one,
      doing: "starting",
      sessionId: null,
      device: null,
      recordingTo: null,
      silence: null,
      failure: null,
    })),
    isMuted: false,
    isTalking: false,
    isAwake: false,
    partial: null,
    detail: null,
    openId: null,
    dictatedId: null,
    tally: nothingYet,
  };
}

/** Who is heard is not silent, whatever the server says of sound. */
const soundEvents: ReadonlySet<VoiceEvent["type"]> = new Set(["onset", "partial", "final"]);

function heard(before: LiveState, source: SpeechSource, event: VoiceEvent): VoiceStep {
  const state = soundEvents.has(event.type) ? withSource(before, source, { silence: null }) : before;
  switch (event.type) {
    case "opened": {
      const { sessionId, device } = event;
      return stay(withSource(state, source, { sessionId, device, recordingTo: null, silence: null }));
    }
    case "restarting": {
      const isFault = event.why.code !== hasSlept.code;
      const { restarts } = state.tally;
      const tally = isFault ? { ...state.tally, restarts: restarts + 1, lastError: event.why } : state.tally;
      const next = withSource({ ...state, tally }, source, {
        doing: "restarting",
        sessionId: null,
        silence: null,
      });
      const step = told(next, event.why);
      return { ...step, actions: [{ type: "nothing_said" }, ...step.actions] };
    }
    // "Listening" is said only while there is something to listen to.
    case "audio_flows":
      return event.flows
        ? does(state, source, "listening")
        : told(withSource(state, source, { doing: "restarting" }), stalled);
    case "no_sound":
      return told(withSource(state, source, { silence: { isSystemMuted: event.isSystemMuted } }));
    case "sound":
      return told(withSource(state, source, { silence: null }));
    case "onset":
      return does(state, source, "hearing");
    case "speech_end":
      return does(state, source, "transcribing");
    case "no_words": {
      const step = does(state, source, "listening");
      return { ...step, actions: [{ type: "nothing_said" }, ...step.actions] };
    }
    case "partial": {
      const { utteranceId, text } = event;
      const next = source === "microphone" ? { ...state, openId: utteranceId } : state;
      const who = source === "loopback" ? ("them" as const) : ("me" as const);
      const isMeeting = modeRules[state.startedIn].wordsGoTo === "meeting";
      const partial = { utteranceId, text, ...(isMeeting && { who }) };
      // A server need not tell that speech begins.
      return tellingOfSound({ ...next, partial }, [{ type: "expect_prompt" }]);
    }
    case "final":
      return event.utterance.isSaidOver ? stay(state) : does(state, source, "listening");
    case "talk":
      return told({ ...state, isTalking: event.isTalking });
    case "device":
      return told(withSource(state, source, { device: event.name, silence: null }));
    case "recording":
      return told(withSource(state, source, { recordingTo: event.path }));
    case "wake":
      return told({ ...state, isAwake: event.isAwake });
    case "ended":
      return ended(state, source, event.failure);
    default:
      return stay(state);
  }
}

function ended(state: LiveState, source: SpeechSource, failure: UserError | null): VoiceStep {
  const next = withSource(state, source, { doing: "over", sessionId: null, silence: null, failure });
  const actions: VoiceStateAction[] = [{ type: "nothing_said" }];
  if (next.sources.some(({ doing }) => doing !== "over")) {
    // The other one of a meeting goes on; that this one does not must be seen.
    if (failure) actions.push({ type: "tell_failure", source, failure });
    return tellingOfSound(next, actions);
  }
  const first = next.sources.find((one) => one.failure !== null)?.failure ?? null;
  const haveFailed = next.sources.every((one) => one.failure !== null) && state.kind !== "stopping";
  if (first === null || !haveFailed) {
    return { state: { kind: "off", tally: state.tally }, actions: [...actions, { type: "tell" }] };
  }
  return {
    state: {
      kind: "failed",
      tally: { ...state.tally, lastError: first },
      detail: first,
    },
    actions: [...actions, { type: "tell", detail: first }],
  };
}

function does(state: LiveState, source: SpeechSource, doing: SourceState["doing"]): VoiceStep {
  const before = nameOf(state);
  const step = told(withSource(state, source, { doing }));
  const isReady = doing === "listening" && (before === "starting" || before === "restarting");
  if (doing === "hearing") return { ...step, actions: [{ type: "expect_prompt" }, ...step.actions] };
  return isReady ? { ...step, actions: [...step.actions, { type: "expect_prompt" }] } : step;
}

const withDoing = (all: readonly SourceState[], source: SpeechSource, changes: Partial<SourceState>) =>
  all.map((one) => (one.source === source ? { ...one, ...changes } : one));

/** In other states nothing is being said. */
const speaks: ReadonlySet<SourceState["doing"]> = new Set(["hearing", "transcribing"]);

function withSource(state: LiveState, source: SpeechSource, changes: Partial<SourceState>): LiveState {
  const sources = withDoing(state.sources, source, changes);
  const isSaid = changes.doing !== undefined && !speaks.has(changes.doing);
  return { ...state, sources, partial: isSaid ? null : state.partial };
}

const stay = (state: VoiceState): VoiceStep => ({ state, actions: [] });

/** While it stops, only the end is news. */
function told(state: LiveState, why?: UserError): VoiceStep {
  const detail = why ?? silenceIn(state);
  return {
    state: { ...state, detail },
    actions: state.kind === "stopping" ? [] : [{ type: "tell", ...(detail && { detail }) }],
  };
}

/** What was told of silence is told no more where it is over. */
function tellingOfSound(state: LiveState, actions: VoiceStateAction[]): VoiceStep {
  if (state.detail?.code !== microphoneSilent || silenceIn(state)) return { state, actions };
  const step = told(state);
  return { ...step, actions: [...actions, ...step.actions] };
}

/** Whether nothing that is said counts before the key to talk is held, or the wake phrase was said. */
export function waitsIn({ mode, startedIn, isTalking, isAwake }: LiveState): boolean {
  if (mode === "dictation") return false;
  const { waitsFor } = modeRules[startedIn];
  return (waitsFor === "key" && !isTalking) || (waitsFor === "phrase" && !isAwake);
}

/** That nothing comes from the microphone; null where something does, or nothing need come now. */
function silenceIn(state: LiveState): UserError | null {
  const microphone = state.sources.find(({ source }) => source === "microphone");
  if (!microphone?.silence || state.isMuted) return null;
  // Who waits for the wake phrase has to be heard.
  if (modeRules[state.startedIn].waitsFor === "key" && waitsIn(state)) return null;
  return silentMicrophone(microphone.device, microphone.silence.isSystemMuted);
}

/** Of several sources: what the user should know first. */
const precedence = ["restarting", "starting", "hearing", "transcribing", "listening"] as const;

/** How voice stands, in one word. */
export function nameOf(state: LiveState): VoiceOn["state"];
export function nameOf(state: VoiceState): VoiceStateName;
export function nameOf(state: VoiceState): VoiceStateName {
  if (state.kind === "draining") return "off";
  if (state.kind !== "on") return state.kind;
  return precedence.find((name) => state.sources.some(({ doing }) => doing === name)) ?? "listening";
}

/** What is listened to: both sources of a meeting are one thing. */
export function sourceOf({ sources }: LiveState): VoiceSource {
  return sources.length > 1 ? "both" : (sources[0]?.source ?? "microphone");
}

/** How voice stands, for whoever only looks; after it was switched off, how it ended. */
export interface VoiceStatus extends Tally {
  state: VoiceStateName;
  source: VoiceSource | null;
  conversationId: string | null;
  /** Of both sources in a meeting, joined by a comma. */
  sessionId: string | null;
  isMuted: boolean;
  /** That nothing comes from the microphone; null where something does. */
  silence: UserError | null;
}

/** @param conversationId where its words go */
export function statusOf(state: VoiceState, conversationId: string | null): VoiceStatus {
  const name = nameOf(state);
  if (!isLive(state)) {
    const nowhere = { source: null, conversationId: null, sessionId: null, isMuted: false, silence: null };
    return { state: name, ...nowhere, ...state.tally };
  }
  const { isMuted, sources, tally } = state;
  const ids = sources.flatMap(({ sessionId }) => (sessionId === null ? [] : [sessionId]));
  return {
    state: name,
    source: sourceOf(state),
    conversationId,
    sessionId: ids.join(", ") || null,
    isMuted,
    silence: silenceIn(state),
    ...tally,
  };
}
