import { once } from "node:events";
import { join } from "node:path";
import type { Worker } from "node:worker_threads";
import { afterEach, expect, test } from "vitest";
import { WorkerCalls } from "../../../electron/store/thread/worker-calls.ts";

const entry = join(import.meta.dirname, "../../fixtures/answering-thread.mjs");
let calls: WorkerCalls;

afterEach(() => calls.close());

test("a thread that nobody calls ends, and the next call has a new one", async () => {
  calls = new WorkerCalls({ name: "The thread", entry, data: () => ({}), restMs: 50 });
  const started = once(process, "worker");
  const first = await calls.call("who", null);
  const [worker]: Worker[] = await started;
  if (!worker) throw new Error("No thread was started.");
  await once(worker, "exit");
  expect(await calls.call("who", null)).not.toBe(first);
});

test("calls that follow one another have the same thread", async () => {
  calls = new WorkerCalls({ name: "The thread", entry, data: () => ({}), restMs: 60_000 });
  const first = await calls.call("who", null);
  expect(await calls.call("who", null)).toBe(first);
});
