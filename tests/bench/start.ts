import { parseArgs } from "node:util";
import { spread } from "./spread.ts";
import { idleFigures } from "./start/idle.ts";
import { quickPromptMs } from "./start/quick-prompt.ts";
import { freshHome, type Milestones, startBare, startParley } from "./start/start-once.ts";
import { voiceLeftMb } from "./start/voice-left.ts";

// npm run bench -- start [PART …] [--rounds N] [--idle-seconds S] [--json]
// Parts: start (from the process to the first picture with a text box, by turns with a window that holds nothing else), idle
// (memory and processor time of a window that nobody touches; Linux), quick (from the shortcut to the picture), voice (memory
// 30 s after it was stopped). None named: the first three.
const { values, positionals: named } = parseArgs({
  allowPositionals: true,
  options: {
    rounds: { type: "string", default: "7" },
    "idle-seconds": { type: "string", default: "60" },
    json: { type: "boolean", default: false },
  },
});
const rounds = Number(values.rounds);
const parts: Record<string, () => Promise<Record<string, unknown>>> = {
  start: startFigures,
  idle: () => idleFigures(Number(values["idle-seconds"]), tell),
  quick: async () => ({ quickPromptMs: spread(await quickPromptMs(Math.max(rounds, 20))) }),
  voice: async () => ({ voiceLeftMb: await voiceLeftMb(tell) }),
};
const unknown = named.find((name) => !(name in parts));
if (unknown !== undefined) {
  console.error(`There is no part "${unknown}". There are ${Object.keys(parts).join(", ")}.`);
  process.exit(1);
}

const figures: Record<string, unknown> = {};
for (const [name, part] of Object.entries(parts)) {
  if (named.length === 0 ? name !== "voice" : named.includes(name)) Object.assign(figures, await part());
}
console.log(JSON.stringify(figures));

function tell(line: string): void {
  if (!values.json) console.log(line);
}

/** `warm`: where Parley has been before; `fresh`: where it never was. */
async function startFigures(): Promise<Record<string, unknown>> {
  const bareHome = freshHome();
  const home = freshHome();
  const found: Record<"bare" | "warm" | "fresh", Milestones[]> = { bare: [], warm: [], fresh: [] };
  for (let round = 0; round <= rounds; round++) {
    const starts = {
      bare: () => startBare(bareHome),
      warm: () => startParley(home),
      fresh: () => startParley(freshHome()),
    };
    for (const kind of ["bare", "warm", "fresh"] as const) {
      const { milestones, end } = await starts[kind]();
      await end();
      // The first round reads from the disk, and makes the home that the next ones come back to.
      if (round === 0) continue;
      found[kind].push(milestones);
      tell(`${kind}: ${JSON.stringify(milestones)}`);
    }
  }
  const painted = (all: readonly Milestones[]) => spread(all.map(({ painted = Number.NaN }) => painted));
  const names = Object.keys(found.warm[0] ?? {});
  const median = (name: string) => spread(found.warm.map((one) => one[name] ?? Number.NaN)).p50;
  const inOrder = names.map((name) => [name, median(name)] as const).sort(([, a], [, b]) => a - b);
  return {
    warmMs: painted(found.warm),
    freshMs: painted(found.fresh),
    bareMs: painted(found.bare),
    milestonesMs: Object.fromEntries(inOrder),
  };
}
