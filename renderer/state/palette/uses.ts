import { mostUses, type Use } from "../../../shared/remembered.ts";

export type Uses = Readonly<Record<string, Use>>;

/** A use counts half as much after so long. */
const halfLifeMs = 14 * 24 * 3_600_000;
const mostBonus = 0.4;

/** What having been chosen often and lately adds to a score. @param now milliseconds since the epoch */
export function bonusOf(use: Use | undefined, now: number): number {
  if (!use) return 0;
  const fresh = use.count * 0.5 ** (Math.max(0, now - use.at) / halfLifeMs);
  return Math.min(mostBonus, 0.12 * Math.log2(1 + fresh));
}

/** Once more; beyond `mostUses` those that were not chosen for the longest are forgotten. */
export function usedOnceMore(uses: Uses, id: string, now: number): Uses {
  const known = uses[id];
  const all = { ...uses, [id]: { count: Math.min(1_000_000, (known?.count ?? 0) + 1), at: now } };
  const entries = Object.entries(all);
  if (entries.length <= mostUses) return all;
  return Object.fromEntries(entries.sort(([, a], [, b]) => b.at - a.at).slice(0, mostUses));
}
