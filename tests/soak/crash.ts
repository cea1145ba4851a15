import { crashCycles } from "./crash-cycles.ts";
import { seededRandom } from "./seeded-random.ts";

// npm run soak -- crash [--kills N] [--seed N] [--all] [--json]
// Kills the app N times (200) at random points of a run and looks for anything lost, doubled or left running.
// --all: with rate limits, cut and frozen streams, refused connections and killed MCP servers at the same time.
const number = (name: string, otherwise: number) => {
  const place = process.argv.indexOf(name);
  return place < 0 ? otherwise : Number(process.argv[place + 1]);
};
const seed = number("--seed", Date.now() % 1_000_000);
const asJson = process.argv.includes("--json");
const { faults, ...figures } = await crashCycles({
  kills: number("--kills", 200),
  random: seededRandom(seed),
  everything: process.argv.includes("--all"),
  onKill: (done) => {
    if (!asJson && done % 10 === 0) console.log(`${done} kills`);
  },
});
for (const fault of faults.slice(0, 50)) console.error(fault);
console.log(JSON.stringify({ ...figures, seed, faults: faults.length }));
process.exitCode = faults.length > 0 ? 1 : 0;
