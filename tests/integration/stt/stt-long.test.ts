import { expect, test } from "vitest";
import { frameSamples } from "../../../shared/voice/stt.ts";
import { gc } from "../../fixtures/gc.ts";
import { finalsOf } from "./stt-client.ts";
import { clipPcm, embeddedModel, hearAll, type Step, silence } from "./stt-in-process.ts";

/** The silence after each clip, which ends its utterance: cheap to hear, and there is much of it in a session. */
const gapMs = 4000;

test("three minutes at fast pace: every utterance once and where it was said, and memory stays bounded", async () => {
  const model = await embeddedModel();
  const pcm = await clipPcm("0930");
  // Each step of the script begins a new frame.
  const roundMs = [pcm.length, gapMs * 16].reduce(
    (sum, samples) => sum + Math.ceil(samples / frameSamples) * 32,
    0,
  );
  const rounds = Math.ceil(180_000 / roundMs);
  const used: number[] = [];
  const events = await hearAll(model, {}, () =>
    Array.from({ length: rounds }, (): Step[] => [pcm, silence(gapMs), () => used.push(bytesInUse())]).flat(),
  );
  const finals = finalsOf(events);
  expect(finals).toHaveLength(rounds);
  // Where the first one began, so do all, as many rounds later: the clock does not drift.
  const first = finals[0]?.start_ms ?? Number.NaN;
  const drifts = finals.map(({ start_ms = Number.NaN }, round) =>
    Math.abs(start_ms - first - round * roundMs),
  );
  expect(Math.max(...drifts)).toBeLessThan(200);
  // After a third of the time all that is allocated once is there.
  const [early = 0, late = 0] = [used[Math.floor(rounds / 3)], used.at(-1)];
  expect((late - early) / 2 ** 20).toBeLessThan(40);
});

/** What is in use, the recogniser's own memory included: not what the garbage collector has yet to free, nor what it keeps for later. */
function bytesInUse(): number {
  gc();
  const { rss, heapTotal, heapUsed } = process.memoryUsage();
  return rss - heapTotal + heapUsed;
}
