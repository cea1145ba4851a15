import { type ChildProcess, fork } from "node:child_process";
import { once } from "node:events";
import { z } from "zod";
import { createModelServer } from "../../fakes/model-server/model-server.ts";

/**
 * The fake model server in a process of its own: what reads the window's events keeps its process busy just when a
 * request comes, and a request's first byte would be seen late.
 */
export interface ModelProcess {
  readonly url: string;
  /** How many requests came so far. */
  readonly count: number;
  /** When request number `count` came: milliseconds since the epoch, with fractions. */
  requested(count: number): Promise<{ atMs: number }>;
  /** Every answer from now on begins so much later. */
  answerAfter(ms: number): void;
  /** What prompts without a marker get from now on, as a marker. */
  answerUnmarked(marker: string): void;
  /** From now on so many deltas a second; null: all at once. */
  pace(deltasPerSecond: number | null): void;
  close(): Promise<void>;
}

const told = z.union([z.object({ url: z.string() }), z.object({ atMs: z.number() })]);
const order = z.union([
  z.object({ answerAfterMs: z.number() }),
  z.object({ unmarked: z.string() }),
  z.object({ deltasPerSecond: z.number().nullable() }),
]);
type Order = z.infer<typeof order>;

export async function startModelProcess(): Promise<ModelProcess> {
  const child = fork(import.meta.filename, { execArgv: ["--import", "tsx"] });
  const times: number[] = [];
  const waiting = new Set<() => void>();
  child.on("message", (message) => {
    const news = told.parse(message);
    if (!("atMs" in news)) return;
    times.push(news.atMs);
    for (const look of [...waiting]) look();
  });
  const url = await addressOf(child);
  return {
    url,
    get count() {
      return times.length;
    },
    requested: (count) =>
      new Promise((resolve) => {
        const look = () => {
          const atMs = times[count - 1];
          if (atMs === undefined) return;
          waiting.delete(look);
          resolve({ atMs });
        };
        waiting.add(look);
        look();
      }),
    answerAfter(ms) {
      child.send({ answerAfterMs: ms } satisfies Order);
    },
    answerUnmarked(marker) {
      child.send({ unmarked: marker } satisfies Order);
    },
    pace(deltasPerSecond) {
      child.send({ deltasPerSecond } satisfies Order);
    },
    async close() {
      const exited = once(child, "exit");
      child.disconnect();
      const [code] = await exited;
      if (code !== 0) throw new Error(`The model server ended with exit code ${code}.`);
    },
  };
}

async function addressOf(child: ChildProcess): Promise<string> {
  const [first] = await once(child, "message");
  const news = told.parse(first);
  if (!("url" in news)) throw new Error("The model server did not say its address.");
  return news.url;
}

async function serve(): Promise<void> {
  const model = await createModelServer();
  process.on("message", (message) => {
    const given = order.parse(message);
    if ("answerAfterMs" in given) model.answerAfter(given.answerAfterMs);
    else if ("unmarked" in given) model.answerUnmarked(given.unmarked);
    else model.pace(given.deltasPerSecond);
  });
  process.on("disconnect", () => void model.close().then(() => process.exit(0)));
  process.send?.({ url: model.url });
  for (let count = 1; ; count++) process.send?.({ atMs: (await model.requested(count)).atMs });
}

if (process.argv[1] === import.meta.filename) await serve();
