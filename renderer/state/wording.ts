import type { ToolEffect, VoiceStateName } from "../../shared/events.ts";
import type { PromptOrigin, SpeechSource, VoiceSource } from "../../shared/messages.ts";

/** A duration in milliseconds as people read it: `9 ms`, `1.4 s`, `12 s`, `2 min 5 s`. */
export function duration(ms: number): string {
  if (ms < 1000) return `${Math.max(0, Math.round(ms))} ms`;
  if (ms < 9950) return `${(ms / 1000).toFixed(1)} s`;
  return wholeSeconds(ms);
}

/** Elapsed time for a line that ticks: whole seconds only, so that it does not flicker. */
export function wholeSeconds(ms: number): string {
  const seconds = Math.max(0, Math.round(ms / 1000));
  return seconds < 60 ? `${seconds} s` : `${Math.floor(seconds / 60)} min ${seconds % 60} s`;
}

const clock = new Intl.DateTimeFormat(undefined, { hour: "numeric", minute: "2-digit" });
/** The time of day, as the system writes it. */
export const timeOfDay = (at: number): string => clock.format(at);

/** How a prompt came in. Words that are not the user's own say so. */
export function originLabel(origin: PromptOrigin | "steering", source: SpeechSource | null): string {
  if (origin === "steering") return "said during the run";
  if (origin === "quick") return "quick prompt";
  if (origin === "typed") return "typed";
  return source === null ? "spoken" : sourceLabels[source];
}

const sourceLabels: Record<SpeechSource, string> = {
  microphone: "spoken",
  loopback: "heard on this computer",
  file: "from an audio file",
};

/** What a tool that waits for the user wants, after its name. */
export const effectWords: Record<ToolEffect, string> = {
  read: "wants to read",
  write: "wants to change files",
  execute: "wants to run a command",
  network: "wants to reach the network",
  app: "wants to change Parley",
};

export const voiceLabels: Record<VoiceStateName, string> = {
  off: "Voice off",
  starting: "Starting",
  listening: "Listening",
  hearing: "Hearing you",
  transcribing: "Transcribing",
  restarting: "Restarting",
  stopping: "Stopping",
  failed: "Voice failed",
};

/** What voice is doing, in two words; what a computer plays is not "you". */
export const voiceLabel = (state: VoiceStateName, source: VoiceSource | null): string =>
  state === "hearing" && source !== "microphone" ? "Hearing speech" : voiceLabels[state];

export const sourceName: Record<VoiceSource, string> = {
  microphone: "Microphone",
  loopback: "What this computer plays",
  file: "Audio file",
  both: "A meeting: microphone and computer",
};

/** Keys as the platform writes them. */
export const keyLabel = (platform: string | undefined, key: string, shift = false): string =>
  platform === "darwin" ? `${shift ? "⇧" : ""}⌘${key}` : `Ctrl+${shift ? "Shift+" : ""}${key}`;
