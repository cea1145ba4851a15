import type { AgentEventBody, VoiceStateName } from "../../shared/events.ts";
import type { PromptOrigin, SpeechSource } from "../../shared/messages.ts";
import { type SttEvent, sttInfo } from "../../shared/stt.ts";
import { gateUtterance } from "./utterance-gate.ts";

/** The conversation that voice belongs to, as the voice path needs it. */
export interface VoiceTarget {
  readonly id: string;
  submit(input: { text: string; origin: PromptOrigin; source: SpeechSource | null }): {
    inputId: string | null;
  };
  emit(body: AgentEventBody): void;
}

/** What is known when an event is heard. */
export interface Hearing {
  target: VoiceTarget;
  source: SpeechSource;
  /** When the session's first sample arrived, milliseconds since the epoch. */
  audioStartedAt: number | null;
  /** Utterances that were finished before. */
  utterances: number;
  settings: { "voice.minConfidence": number };
  /** Looks at an utterance before it may become a prompt. @returns why it is none */
  intercept?: Intercept | undefined;
}

export type Intercept = (text: string, source: SpeechSource, durationMs: number | null) => string | null;

/** What came of an event. */
export interface Heard {
  state?: VoiceStateName;
  audioStartedAt?: number | null;
  utterance?: { text: string; wasSent: boolean };
}

/** Shows an event of the speech server in the conversation; a finished utterance becomes a prompt there. */
export function hear(event: SttEvent, hearing: Hearing): Heard {
  const { target } = hearing;
  // Servers of the older kind number no utterances: what is said until the next final is one.
  const unnumbered = `utterance-${hearing.utterances + 1}`;
  switch (event.type) {
    case "speech_start":
      return { state: "hearing" };
    case "speech_end":
      return { state: "transcribing" };
    case "utterance_partial":
      target.emit({ type: "voice.partial", utteranceId: event.utterance_id, text: event.text });
      return {};
    case "utterance_final":
      return { state: "listening", utterance: finish(event, unnumbered, hearing) };
    case "info": {
      if (event.message === sttInfo.noWords) return { state: "listening" };
      if (event.message === sttInfo.audioStarted) return { audioStartedAt: epochOf(event.payload) };
      const text = olderPartial(event);
      if (text !== null) target.emit({ type: "voice.partial", utteranceId: unnumbered, text });
      return {};
    }
    default:
      return {};
  }
}

function finish(
  event: Extract<SttEvent, { type: "utterance_final" }>,
  unnumbered: string,
  { target, source, settings, audioStartedAt, intercept }: Hearing,
): { text: string; wasSent: boolean } {
  const { text } = event;
  const confidence = event.confidence ?? null;
  const durationMs =
    event.start_ms === undefined || event.end_ms === undefined ? null : event.end_ms - event.start_ms;
  const gated = gateUtterance({ text, confidence, source }, settings);
  // Noise that is no utterance must not stop what is being said.
  const why = gated.pass ? (intercept?.(text, source, durationMs) ?? null) : null;
  const decision = why === null ? gated : { pass: false as const, why };
  const inputId = decision.pass ? target.submit({ text, origin: "voice", source }).inputId : null;
  target.emit({
    type: "voice.utterance",
    utteranceId: event.utterance_id ?? unnumbered,
    text,
    reason: event.reason ?? "unknown",
    confidence,
    ...(inputId === null ? {} : { inputId }),
    ...(decision.pass ? {} : { dropped: decision.why }),
    timing: { audioStartedAt, speechEndMs: event.end_ms ?? null, finalAt: timeOf(event.timestamp_utc) },
  });
  return { text, wasSent: inputId !== null };
}

/** Servers of the older kind send partials as `info`. */
function olderPartial({ message, payload }: Extract<SttEvent, { type: "info" }>): string | null {
  if (message !== "provisional_text" && message !== "stable_text") return null;
  if (typeof payload !== "object" || payload === null || !("text" in payload)) return null;
  return typeof payload.text === "string" ? payload.text : null;
}

function timeOf(utc: string): number | null {
  const time = Date.parse(utc);
  return Number.isNaN(time) ? null : time;
}

function epochOf(payload: unknown): number | null {
  if (typeof payload !== "object" || payload === null || !("epoch_ms" in payload)) return null;
  return typeof payload.epoch_ms === "number" ? payload.epoch_ms : null;
}
