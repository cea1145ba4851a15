import type { Utterance } from "../stt/voice-events.ts";

/** When something was said, milliseconds since the epoch, by this computer's clock. */
export interface SaidTimes {
  startedAt: number;
  endedAt: number;
}

/** Two clocks that agree may be so far apart, in milliseconds. */
const slackMs = 2000;
/** No utterance is longer, in milliseconds. */
const maxLengthMs = 600_000;

/**
 * When an utterance was said that is known now. The clock of a speech server may be another one: then it has ended just now, and
 * only its length counts. Pure.
 * @param maxLateMs how long after its end it may become known, in milliseconds @returns null: the server tells no times
 */
export function saidTimes(
  { startedAt, endedAt }: Pick<Utterance, "startedAt" | "endedAt">,
  now: number,
  maxLateMs: number,
): SaidTimes | null {
  const end = endedAt ?? startedAt;
  if (end === null) return null;
  const lengthMs = Math.max(0, Math.min(maxLengthMs, end - (startedAt ?? end)));
  const isOurs = end <= now + slackMs && end >= now - maxLateMs;
  const ended = isOurs ? end : now;
  return { startedAt: ended - lengthMs, endedAt: ended };
}
