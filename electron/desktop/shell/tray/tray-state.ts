import { isOn, silenceOf, type VoiceSnapshot } from "../../../../shared/voice/voice-snapshot.ts";

/** What the tray icon shows, from what matters least to what matters most. */
export type TrayStateName = "off" | "listening" | "thinking" | "speaking" | "hearing";

/** What the tray shows of Parley as a whole. */
export interface TrayState {
  name: TrayStateName;
  /** For the tooltip; null where there is nothing to tell. */
  words: string | null;
  isVoiceOn: boolean;
}

/** Pure. Somebody who speaks comes first, then what Parley does about it. @param isRunning a conversation is at work */
export function trayState(
  { now, speech }: Pick<VoiceSnapshot, "now" | "speech">,
  isRunning: boolean,
): TrayState {
  const isVoiceOn = isOn(now);
  const isMuted = isVoiceOn && now.isMuted;
  const isHeard = isVoiceOn && !isMuted;
  const name = (): TrayStateName => {
    if (isHeard && (now.state === "hearing" || now.state === "transcribing")) return "hearing";
    if (speech?.state === "speaking") return "speaking";
    if (isRunning) return "thinking";
    return isHeard ? "listening" : "off";
  };
  const shown = { name: name(), isVoiceOn };
  // Why it stopped by itself is told until it is on again.
  if (now.state === "failed") return { ...shown, words: `Voice stopped: ${now.detail.message}` };
  if (isMuted && shown.name === "off") return { ...shown, words: "Parley is muted" };
  return { ...shown, words: silenceOf(now)?.message ?? words[shown.name] };
}

const words: Record<TrayStateName, string | null> = {
  off: null,
  listening: "Parley is listening",
  hearing: "Parley hears you",
  thinking: "Parley is thinking",
  speaking: "Parley is speaking",
};

/** The conversations that were used last, the latest first, whether pinned or not. */
export const recentOf = <One extends { updatedAt: number }>(all: readonly One[], count: number): One[] =>
  all.toSorted((one, other) => other.updatedAt - one.updatedAt).slice(0, count);
