import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { parseArgs } from "node:util";
import { type Baseline, baseline, compared, type Kept, summed } from "./compare/baseline.ts";
import { makeScenarios, reference as referenceText } from "./compare/scenarios.ts";

// npm run bench -- compare [--rounds 12] [--keep] [--json]
// Times a few scenarios by turns with a reference, in seven groups of rounds, and compares the ratios with tests/bench/baseline.json: what got
// worse on whatever computer this is. --keep writes them there; `npm run performance-doc` then makes docs/performance.md anew.
// Exit code 1: something got worse.
const { values } = parseArgs({
  options: {
    rounds: { type: "string", default: "12" },
    keep: { type: "boolean", default: false },
    json: { type: "boolean", default: false },
  },
});
const file = join(import.meta.dirname, "baseline.json");
/** Of each the fastest run of both counts: what else the computer does can only make them slower. */
const groups = 7;
/** The compiler's rounds. */
const warmUps = 5;

const now = await measured(Number(values.rounds));
if (values.keep) {
  writeFileSync(file, `${JSON.stringify(now, null, 2)}\n`);
  console.log("Kept. Now: npm run performance-doc");
} else {
  const { lines, worse } = compared(baseline.parse(JSON.parse(readFileSync(file, "utf8"))), now);
  if (!values.json) console.log(lines.join("\n"));
  if (worse > 0) process.exitCode = 1;
}
if (values.json) console.log(JSON.stringify(now));

async function measured(rounds: number): Promise<Baseline> {
  const { list, reference, close } = await makeScenarios();
  const scenarios: Record<string, Kept> = {};
  for (const [id, { title, run }] of Object.entries(list)) {
    const ratios: number[] = [];
    for (let warmUp = 0; warmUp < warmUps; warmUp++) await run();
    for (let group = 0; group < groups; group++) {
      let [own, beside] = [Number.POSITIVE_INFINITY, Number.POSITIVE_INFINITY];
      for (let round = 0; round < rounds; round++) {
        beside = Math.min(beside, await timed(reference));
        own = Math.min(own, await timed(run));
      }
      ratios.push(own / beside);
    }
    scenarios[id] = { title, ...summed(ratios) };
  }
  close();
  return { date: new Date().toISOString().slice(0, 10), reference: referenceText, scenarios };
}

/** Milliseconds. */
async function timed(work: () => unknown): Promise<number> {
  const since = performance.now();
  await work();
  return performance.now() - since;
}
