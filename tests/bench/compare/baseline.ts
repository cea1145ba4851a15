import { z } from "zod";

/** One scenario as it was measured: how many times the reference of the same run it takes. */
export const kept = z.object({
  title: z.string(),
  /** The median of the groups' ratios. */
  ratio: z.number().positive(),
  /** The lowest and the highest of the groups; of many, what nine of ten stayed within. */
  low: z.number().positive(),
  high: z.number().positive(),
});
export type Kept = z.infer<typeof kept>;

/** tests/bench/baseline.json. */
export const baseline = z.object({
  /** YYYY-MM-DD. */
  date: z.string().regex(/^\d{4}-\d\d-\d\d$/),
  /** What all are compared with, in words. */
  reference: z.string(),
  scenarios: z.record(z.string(), kept),
});
export type Baseline = z.infer<typeof baseline>;

/** More than this times what was kept, and more than any group of then: it got worse. */
export const tolerance = 1.3;

/** @param ratios of the groups, at least one */
export function summed(ratios: readonly number[]): Pick<Kept, "ratio" | "low" | "high"> {
  const sorted = ratios.toSorted((one, other) => one - other);
  const at = (share: number) =>
    round(sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * share))] ?? 0);
  return { ratio: at(0.5), low: at(0.05), high: at(0.95) };
}

/** What got worse, better or is new, in words for people; `worse` counts the first. */
export function compared(before: Baseline, now: Baseline): { lines: string[]; worse: number } {
  let worse = 0;
  const lines = Object.entries(now.scenarios).map(([id, { title, ratio }]) => {
    const known = before.scenarios[id];
    if (!known) return `new    ${title}: ${ratio}`;
    const change = `${title}: ${known.ratio} → ${ratio} (${percent(ratio / known.ratio)})`;
    if (ratio > known.ratio * tolerance && ratio > known.high) {
      worse++;
      return `WORSE  ${change}`;
    }
    return `${ratio < known.ratio / tolerance && ratio < known.low ? "better" : "same  "} ${change}`;
  });
  const gone = Object.entries(before.scenarios).filter(([id]) => !now.scenarios[id]);
  lines.push(...gone.map(([, { title }]) => `not measured  ${title}`));
  return { lines, worse };
}

const percent = (share: number) => `${share >= 1 ? "+" : "−"}${Math.abs(Math.round((share - 1) * 100))} %`;

/** Three digits. */
const round = (value: number) => Number(value.toPrecision(3));
