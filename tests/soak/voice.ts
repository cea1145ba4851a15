import { parseArgs } from "node:util";
import { sttFaults } from "../fakes/stt/stt-faults.ts";
import { hearAll, wantedOf } from "./hear-all.ts";

// npm run soak -- voice [--count N] [--seed N] [--json]
// Utterances from a speech server that makes every kind of mistake: none may be lost or run twice.

const { values } = parseArgs({
  options: {
    count: { type: "string", default: "10000" },
    seed: { type: "string", default: "1" },
    json: { type: "boolean", default: false },
  },
});
const count = Number(values.count);
const random = mulberry32(Number(values.seed));
// About every third answer is wrong in some way.
const faults = Array.from({ length: count }, () =>
  random() < 0.4 ? (sttFaults[Math.floor(random() * sttFaults.length)] ?? "none") : "none",
);

const warmUp = Math.min(1000, Math.floor(count / 5));
let rssAtFirst = 0;
const { ran, maxQueue, leftOpen, last } = await hearAll(faults, count, (runs) => {
  if (runs === warmUp) rssAtFirst = process.memoryUsage().rss;
});
const times = new Map<string, number>();
for (const text of ran) times.set(text, (times.get(text) ?? 0) + 1);
const result = {
  utterances: count,
  lost: wantedOf(count).filter((text) => !times.has(text)).length,
  doubled: [...times.values()].filter((time) => time > 1).length,
  maxQueue,
  rssGrowthMb: Math.round(((process.memoryUsage().rss - rssAtFirst) / 2 ** 20) * 10) / 10,
  restarts: last.restarts,
  leftOpen: leftOpen.length,
};
console.log(
  values.json
    ? JSON.stringify(result)
    : Object.entries(result)
        .map((pair) => pair.join(": "))
        .join("\n"),
);
if (result.lost > 0 || result.doubled > 0 || result.leftOpen > 0) process.exitCode = 1;

/** A small generator of numbers in [0, 1), the same for the same seed. */
function mulberry32(seed: number): () => number {
  let state = seed;
  return () => {
    state = (state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  };
}
