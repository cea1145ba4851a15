import { crashCycles } from "./crash-cycles.ts";
import { seededRandom } from "./seeded-random.ts";

// npm run soak -- crash [--kills N] [--seed N] [--all] [--json]
// Kills the app N times (200) in the middle of typed prompts and looks for anything lost, doubled, out of order or left running.
// --all: in the middle of everything that `npm run soak -- all` does, too.
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
  onKill: (kills, name) => {
    if (!asJson) console.log(`${kills} ${name}`);
  },
});
for (const fault of faults.slice(0, 50)) console.error(fault);
console.log(JSON.stringify({ ...figures, seed, faults: faults.length }));
process.exitCode = faults.length > 0 ? 1 : 0;
