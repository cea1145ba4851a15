import { spawn } from "node:child_process";
import { once } from "node:events";
import { join } from "node:path";
import { createInterface } from "node:readline";
import { setTimeout as sleep } from "node:timers/promises";
import { z } from "zod";
import type { Tool } from "../../electron/agent/ports/ports.ts";
import type { AgentEvent } from "../../shared/conversation/events.ts";
import { runConversation } from "./loop-conversation.ts";
import type { LoopFigures, LoopOrder } from "./loop-order.ts";
import { spread } from "./spread.ts";

// npm run bench -- loop [--rounds 7] [--json]: what a step of Parley's loop costs, the database included, against a
// bare hand loop on the raw SDK. Both run in processes of their own, in turn, against one lean local server; a first
// round of each does not count, and every other round begins with the other one. JSON in the last line: {"stepMs":{p50,p95},"floorStepMs":{…},"ratio":…,"ratioDeep":…,"parallelExtraMs":…}
// The ratios are medians over the rounds, each of the round's median step to its hand loop's: at 0 and at 2,000
// earlier messages. parallelExtraMs: what 8 calls at once cost beyond the slowest of them.
const rounds = process.argv.includes("--rounds")
  ? Number(process.argv[process.argv.indexOf("--rounds") + 1])
  : 7;
const asJson = process.argv.includes("--json");
/** The first steps of a process are its compiler's. */
const warmUpSteps = 20;

const server = spawn(process.execPath, ["--import", "tsx", scriptPath("loop-server")], {
  stdio: ["ignore", "pipe", "inherit"],
});
try {
  const [address]: string[] = await once(createInterface({ input: server.stdout }), "line");
  const shallow = await compare({ steps: 120, parallel: 1, history: 0 });
  const deep = await compare({ steps: 60, parallel: 1, history: 2000 });
  const parallelExtraMs = await parallelExtra();
  console.log(
    JSON.stringify({
      stepMs: spread(shallow.parley),
      floorStepMs: spread(shallow.floor),
      ratio: shallow.ratio,
      ratioDeep: deep.ratio,
      stepDeepMs: spread(deep.parley),
      floorStepDeepMs: spread(deep.floor),
      parallelExtraMs,
    }),
  );

  async function compare(order: Omit<LoopOrder, "baseUrl">) {
    const parley: number[] = [];
    const floor: number[] = [];
    const ratios: number[] = [];
    // Round 0 fills the caches of the disk and of the server.
    for (let round = 0; round <= rounds; round++) {
      const isOursFirst = round % 2 === 0;
      const early = isOursFirst ? await measured("loop-runner", order) : null;
      const bare = await measured("loop-floor", order);
      const ours = early ?? (await measured("loop-runner", order));
      if (round === 0) continue;
      floor.push(...bare);
      parley.push(...ours);
      ratios.push(median(ours) / median(bare));
      say(
        `${order.history} earlier messages, round ${round}: ${median(ours).toFixed(2)} ms a step, by hand ${median(bare).toFixed(2)}`,
      );
    }
    return { parley, floor, ratio: hundredths(median(ratios)) };
  }

  /** One conversation in a process of its own. @returns its steps after the first, in milliseconds */
  async function measured(name: string, { steps, parallel, history }: Omit<LoopOrder, "baseUrl">) {
    const child = spawn(process.execPath, ["--import", "tsx", scriptPath(name)], {
      stdio: ["ignore", "pipe", "inherit"],
      env: {
        ...process.env,
        BASE_URL: addressFor({ steps, parallel }),
        STEPS: `${steps}`,
        PARALLEL: `${parallel}`,
        HISTORY: `${history}`,
      },
    });
    let last = "";
    for await (const line of createInterface({ input: child.stdout })) last = line;
    const figures: LoopFigures = JSON.parse(last);
    if (figures.steps !== steps) throw new Error(`${name} made ${figures.steps} steps instead of ${steps}.`);
    return figures.stepMs.slice(warmUpSteps);
  }

  /** The median over 20 rounds of calls that take about 50 ms each. */
  async function parallelExtra(): Promise<number> {
    const parallel = 8;
    const extras: number[] = [];
    let slowest = 0;
    let firstAt = 0;
    let ended = 0;
    const input = z.object({ text: z.string() });
    const slowEcho: Tool<z.infer<typeof input>> = {
      name: "echo",
      description: "Returns its input after a while.",
      input,
      effect: "read",
      everyProfile: true,
      async run(given) {
        const startedAt = performance.now();
        await sleep(50);
        slowest = Math.max(slowest, performance.now() - startedAt);
        return { text: JSON.stringify(given) };
      },
    };
    const onEvent = ({ type }: AgentEvent) => {
      if (type === "tool.started" && firstAt === 0) firstAt = performance.now();
      if (type !== "tool.ended" || ++ended < parallel) return;
      extras.push(performance.now() - firstAt - slowest);
      [slowest, firstAt, ended] = [0, 0, 0];
    };
    const baseUrl = addressFor({ steps: 20, parallel });
    await runConversation({ baseUrl, steps: 20, parallel, history: 0 }, slowEcho, onEvent);
    return hundredths(median(extras));
  }

  function addressFor({ steps, parallel }: { steps: number; parallel: number }): string {
    return `${address}/${performance.now()}/${steps}/${parallel}`;
  }
} finally {
  server.kill();
}

function scriptPath(name: string): string {
  return join(import.meta.dirname, `${name}.ts`);
}

function median(figures: readonly number[]): number {
  return figures.toSorted((a, b) => a - b)[Math.floor(figures.length / 2)] ?? Number.NaN;
}

function hundredths(figure: number): number {
  return Math.round(figure * 100) / 100;
}

function say(line: string): void {
  if (!asJson) console.log(line);
}
