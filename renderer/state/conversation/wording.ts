import type { PromptOrigin, SpeechSource } from "../../../shared/conversation/messages.ts";
import type { TranscriptItem } from "../../../shared/conversation/transcript.ts";
import type { ApprovalItem } from "../../../shared/conversation/transcript-items.ts";
import { isOn, type VoiceEntry, type VoiceNow } from "../../../shared/voice/voice-snapshot.ts";
import type { IconName } from "../../components/ui/Icon.tsx";
import { texts } from "../../texts/texts.ts";

const { units, keys, origins } = texts.common;

/** A duration in milliseconds as people read it: `9 ms`, `1.4 s`, `12 s`, `2 min 5 s`. */
export function duration(ms: number): string {
  if (ms < 1000) return units.milliseconds(Math.max(0, Math.round(ms)));
  if (ms < 9950) return units.seconds((ms / 1000).toFixed(1));
  return wholeSeconds(ms);
}

/** Elapsed time for a line that ticks: whole seconds only, so that it does not flicker. */
export function wholeSeconds(ms: number): string {
  const seconds = Math.max(0, Math.round(ms / 1000));
  return seconds < 60 ? units.seconds(seconds) : units.minutes(Math.floor(seconds / 60), seconds % 60);
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

/** How a prompt came in. Words that are not the user's own say so. */
export function originLabel(origin: PromptOrigin | "steering", source: SpeechSource | null): string {
  if (origin !== "voice") return origins[origin];
  return source === null || source === "microphone" ? origins.spoken : origins[source];
}

/** The sign of the same. */
export function originIcon(origin: PromptOrigin | "steering", source: SpeechSource | null): IconName {
  if (origin !== "voice") return originIcons[origin];
  return source === "loopback" ? "speaker" : source === "file" ? "file" : "mic";
}

const originIcons = { typed: "keyboard", quick: "bolt", steering: "send" } as const;

/** What is asked of the user where a tool waits for approval. */
export function approvalQuestion({ effect, wish, detail }: ApprovalSubject): string {
  const { effects, openAddress, wish: wishes } = texts.approvals;
  if (wish?.tool !== undefined) return texts.approvals.toolQuestion(wish.tool, wish.who);
  if (wish) return wishes(wish.who, wish.what);
  return effect === "network" && URL.canParse(detail.trim()) ? openAddress : effects[effect];
}

/** What the user decided, and why where they said it. */
export function decisionWords({ status, scope, outside, holdsInConversation, reason }: ApprovalItem): string {
  const { decided } = texts.approvals;
  if (status === "stopped") return decided.stopped;
  if (status === "denied") return reason ? decided.deniedBecause(reason) : decided.denied;
  if (outside) return decided.outside;
  return decided[scope ?? (holdsInConversation ? "session" : "once")];
}

type ApprovalSubject = Pick<Extract<TranscriptItem, { kind: "approval" }>, "effect" | "wish" | "detail">;

/** What voice is doing, in two words; what a computer plays is not "you". */
export const voiceLabel = (now: VoiceNow): string => {
  if (isOn(now) && now.isMuted) return texts.voice.muted;
  return now.state === "hearing" && now.source !== "microphone"
    ? texts.voice.hearingSpeech
    : texts.voice.states[now.state];
};

/** Keys as the platform writes them. */
export function keyLabel(platform: string | undefined, key: string, shift = false): string {
  if (platform === "darwin") return shift ? keys.pressedWithShiftOnMac(key) : keys.pressedOnMac(key);
  return shift ? keys.pressedWithShift(key) : keys.pressed(key);
}

/** What the gate made of an utterance, in a few words. */
export function ruleLabel({ rule, dropped }: Pick<VoiceEntry, "rule" | "dropped">): string {
  const { rules } = texts.voicePanel;
  if (rule !== undefined) return rules[rule];
  return dropped === undefined ? rules.sent : rules.ignored(dropped);
}

/** @param rms 0–1 */
export const decibels = (rms: number): string =>
  rms > 0 ? units.decibels(Math.round(20 * Math.log10(rms))) : units.silence;

export const megabytes = (bytes: number): string => units.megabytes(Math.max(1, Math.round(bytes / 1e6)));
