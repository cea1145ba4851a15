import type { ApprovalWish, ToolEffect, VoiceStateName } from "../../../shared/conversation/events.ts";
import type { PromptOrigin, SpeechSource, VoiceSource } from "../../../shared/conversation/messages.ts";
import type { VoiceEntry } from "../../../shared/voice/voice-panel.ts";

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

const clockWithSeconds = new Intl.DateTimeFormat(undefined, {
  hour: "numeric",
  minute: "2-digit",
  second: "2-digit",
});
/** The same to the second, for what comes many times a minute. */
export const timeOfDaySeconds = (at: number): string => clockWithSeconds.format(at);

const weekday = new Intl.DateTimeFormat(undefined, { weekday: "short" });
const day = new Intl.DateTimeFormat(undefined, { day: "numeric", month: "short" });
const dayOfYear = new Intl.DateTimeFormat(undefined, { day: "numeric", month: "short", year: "numeric" });
const weekMs = 6 * 24 * 60 * 60 * 1000;

/** When something was, as short as it can be told: time of day, day of the week, or date. */
export function listTime(at: number, now = Date.now()): string {
  const [date, today] = [new Date(at), new Date(now)];
  if (date.toDateString() === today.toDateString()) return timeOfDay(at);
  if (now - at < weekMs && now > at) return `${weekday.format(at)} ${timeOfDay(at)}`;
  return (date.getFullYear() === today.getFullYear() ? day : dayOfYear).format(at);
}

/** The path as people write it: the home folder is `~`. */
export function withTilde(path: string, home: string): string {
  const rest = path.slice(home.length);
  return home !== "" && path.startsWith(home) && /^([/\\]|$)/.test(rest) ? `~${rest}` : path;
}

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
/** Who waits for the user's word, and for what. */
export function wishWords({ name, effect, wish }: ApprovalSubject): { who: string; words: string } {
  return wish ? { who: wish.who, words: `wants ${wish.what}` } : { who: name, words: effectWords[effect] };
}

interface ApprovalSubject {
  name: string;
  effect: ToolEffect;
  wish?: ApprovalWish | undefined;
}

const effectWords: Record<ToolEffect, string> = {
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

/** What the gate made of an utterance, in a few words. */
export function ruleLabel({ rule, dropped }: Pick<VoiceEntry, "rule" | "dropped">): string {
  if (dropped !== undefined) return `ignored: ${dropped}`;
  return rule === undefined ? "sent" : ruleLabels[rule];
}

const ruleLabels: Record<NonNullable<VoiceEntry["rule"]>, string> = {
  too_short: "ignored: too short",
  too_unsure: "ignored: too unsure",
  own_voice: "ignored: own voice",
  echo: "ignored: echo",
  aside: "not a prompt",
  stop_word: "stopped the run",
  answer: "answered the question",
  approval: "answered the approval",
  merged: "joined to the words before",
  steered: "said into the running turn",
  interrupted: "interrupted the run",
  held: "held: too many wait",
  review: "to be looked at before it is sent",
  noted: "noted in the meeting",
  dictated: "put into the text box",
};

/** @param rms 0–1 */
export const decibels = (rms: number): string =>
  rms > 0 ? `${Math.round(20 * Math.log10(rms))} dB` : "silence";

export const megabytes = (bytes: number): string => `${Math.max(1, Math.round(bytes / 1e6))} MB`;
