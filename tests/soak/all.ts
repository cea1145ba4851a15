import { parseArgs } from "node:util";
import { soak } from "./all/soak.ts";

// npm run soak -- all [--minutes N] [--seed N] [--json]
// The real app under everything at once: storms, cuts, stalls, killed processes, a full disk, jumping clocks, closed windows,
// fifty conversations. Looks for anything lost, doubled, out of order, left running or growing. The same seed does the same.
const { values } = parseArgs({
  options: {
    minutes: { type: "string", default: "3" },
    seed: { type: "string", default: String(Date.now() % 1_000_000) },
    json: { type: "boolean", default: false },
  },
});
const seed = Number(values.seed);
const { faults, samples, ...figures } = await soak({
  minutes: Number(values.minutes),
  seed,
  onAction: (name, count) => {
    if (!values.json) console.log(`${count} ${name}`);
  },
});
if (!values.json) console.table(samples);
for (const fault of faults.slice(0, 50)) console.error(fault);
console.log(
  JSON.stringify({ ...figures, seed, samples: samples.length, last: samples.at(-1), faults: faults.length }),
);
process.exitCode = faults.length > 0 ? 1 : 0;
