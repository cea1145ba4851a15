import { costText, tokensOf } from "../../../shared/conversation/cost.ts";
import type { AgentEvent } from "../../../shared/conversation/events.ts";
import type { RepairTally } from "../../../shared/voice/voice-snapshot.ts";

type Repaired = Extract<AgentEvent, { type: "voice.repaired" }>;

export const noRepairs: RepairTally = { asked: 0, mended: 0, tokens: 0, usd: 0 };

/** What one more repair makes of it. */
export function withRepair(tally: RepairTally, { outcome, usage, usd }: Repaired): RepairTally {
  const price = usage === undefined ? 0 : (usd ?? null);
  return {
    asked: tally.asked + 1,
    mended: tally.mended + (outcome === "mended" ? 1 : 0),
    tokens: tally.tokens + (usage === undefined ? 0 : tokensOf(usage)),
    usd: tally.usd === null || price === null ? null : tally.usd + price,
  };
}

/** A repair as a line for people; null: nobody waited for it. */
export function repairLine({ outcome, heard, text, usage, usd, latencyMs }: Repaired): string | null {
  if (outcome === "stopped") return null;
  const cost = usage === undefined ? "" : ` (${costText(tokensOf(usage), usd ?? null)})`;
  if (outcome === "mended" && text !== undefined) return `“${heard}” was corrected to “${text}”${cost}`;
  return `“${heard}” stays as heard: ${reasons(latencyMs)[outcome]}${cost}`;
}

const reasons = (latencyMs: number) => ({
  mended: "",
  kept: "the model agrees",
  refused: "the model answered with other words",
  late: `the model took longer than ${latencyMs} ms`,
  failed: "the model gave no answer",
});

/** For `/voice status`. */
export const tallyText = ({ asked, mended, tokens, usd }: RepairTally): string =>
  `${mended} of ${asked} unclear prompts, ${costText(tokens, usd)}`;
