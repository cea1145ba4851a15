import type { UserError } from "../../../shared/conversation/events.ts";
import { microphoneSilent } from "../../../shared/voice/voice-snapshot.ts";
import { SttError } from "../stt/stt-client.ts";

/** What ends a session for good: starting it again would fail the same way until the user does something. */
const final: ReadonlySet<string> = new Set([
  "refused",
  "malformed",
  "late",
  "unsupported",
  "NotFoundError",
  "NotAllowedError",
  "SecurityError",
  "OverconstrainedError",
  "file",
  "unsupported",
  "not_installed",
  "model",
]);

/** Whether a new session may well succeed where this one failed. */
export const mayRestart = (error: UserError): boolean => !final.has(error.code);

/** A failure of the voice path, from the server's own `error` event or from a call that failed. */
export function describeFailure(failure: unknown): UserError {
  const message = messageOf(failure);
  const code = failure instanceof SttError ? failure.kind : kindOf(failure);
  return { code, message };
}

export const connectionLost = (message: string): UserError => ({ code: "ended", message });

function messageOf(failure: unknown): string {
  if (typeof failure === "object" && failure !== null && "message" in failure) return String(failure.message);
  return String(failure);
}

function kindOf(failure: unknown): string {
  if (typeof failure === "object" && failure !== null && "kind" in failure && failure.kind !== undefined) {
    return String(failure.kind);
  }
  return "error";
}

/** Nothing went wrong: the source is opened anew because it may have gone deaf meanwhile. */
export const hasSlept: UserError = {
  code: "slept",
  message: "The computer was asleep.",
  hint: "Parley is opening its sound source again.",
};

/** The device is open, and gives nothing. @param device its name; null, or empty, where the server does not say */
export function silentMicrophone(device: string | null, isSystemMuted: boolean): UserError {
  return {
    code: microphoneSilent,
    message: isSystemMuted
      ? `${device || "The microphone"} is muted in the system.`
      : `No sound comes from ${device || "the microphone"}: it may be muted.`,
    hint: isSystemMuted
      ? "Unmute it in the system's sound settings, or choose another microphone."
      : "Check its mute switch, its plug and the system's sound settings, or choose another microphone.",
  };
}

/** The session goes on, and so does its device: nothing was started again. */
export const stalled: UserError = {
  code: "audio_stalled",
  message: "No sound is coming from the device.",
  hint: "Parley continues as soon as it does.",
};
