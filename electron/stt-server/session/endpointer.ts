import type { UtteranceEndReason } from "../../../shared/voice/stt.ts";
import { type Phrase, requiredSilenceMs, type SilenceLimits } from "./phrase-rule.ts";

/** Milliseconds, as the arguments of `stt_start_session`. */
export interface EndpointSettings extends SilenceLimits {
  maxUtteranceMs: number;
}

/** Where an utterance stands; times are milliseconds on the session's sample clock. */
export type EndpointState = { kind: "idle"; sinceMs: number } | { kind: "utterance"; startMs: number };

/** What is known after one more frame that ends at `nowMs`. */
export interface EndpointInput {
  nowMs: number;
  speaking: boolean;
  /** When the speech that goes on at present began; counts only while `speaking`. */
  onsetMs: number;
  /** When the latest speech ended; counts only while not `speaking`. */
  speechEndMs: number;
  /** What the words so far want. */
  phrase: Phrase;
}

export type EndpointAction =
  | { type: "start"; startMs: number }
  | { type: "end"; reason: UtteranceEndReason; startMs: number; endMs: number };

/** Nothing was said yet; an utterance cannot begin before `sinceMs`, where the one before ended. */
export const idleSince = (sinceMs: number): EndpointState => ({ kind: "idle", sinceMs });

/**
 * Decides when an utterance begins and ends. Pure: the clock is that of the samples. An utterance ends after the
 * silence that the phrase rule asks for, at the latest after `utteranceEndMs` of it, and is never longer than
 * `maxUtteranceMs`.
 */
export function stepEndpointer(
  state: EndpointState,
  input: EndpointInput,
  settings: EndpointSettings,
): { state: EndpointState; action: EndpointAction | null } {
  if (state.kind === "idle") {
    if (!input.speaking) return { state, action: null };
    const startMs = Math.min(input.nowMs, Math.max(state.sinceMs, input.onsetMs));
    return { state: { kind: "utterance", startMs }, action: { type: "start", startMs } };
  }
  const { startMs } = state;
  const heardMs = input.speaking ? input.nowMs : Math.max(startMs, input.speechEndMs);
  const limitMs = startMs + settings.maxUtteranceMs;
  const end = (reason: UtteranceEndReason) => {
    const endMs = Math.min(heardMs, limitMs);
    return {
      state: idleSince(endMs),
      action: { type: "end" as const, reason, startMs, endMs },
    };
  };
  const silenceMs = input.nowMs - heardMs;
  if (silenceMs >= settings.utteranceEndMs) return end("utterance_end");
  if (!input.speaking && silenceMs >= requiredSilenceMs(input.phrase, settings)) return end("endpoint");
  if (input.nowMs >= limitMs) return end("max_length");
  return { state, action: null };
}
