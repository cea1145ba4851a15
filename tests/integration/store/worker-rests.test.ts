import { once } from "node:events";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
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

// Bug: such an answer ended Parley.
test("a thread that sends an invalid answer is ended, and the next call starts a new one", async () => {
  calls = new WorkerCalls({ name: "The thread", entry, data: () => ({}) });
  const first = await calls.call("who", null);
  await expect(calls.call("nonsense", null)).rejects.toThrow("The thread ended unexpectedly.");
  expect(await calls.call("who", null)).not.toBe(first);
});

// Bug: the call stayed open, and with it the thread and the process.
test("a call that cannot be sent fails, and the thread still rests", async () => {
  calls = new WorkerCalls({ name: "The thread", entry, data: () => ({}), restMs: 50 });
  const started = once(process, "worker");
  await expect(calls.call("who", () => {})).rejects.toThrow("could not be cloned");
  const [worker]: Worker[] = await started;
  if (!worker) throw new Error("No thread was started.");
  await once(worker, "exit");
});

// Bug: SQLite's library aborted the whole process where its thread was stopped within a call.
test("a thread that is closed finishes the call that it is in, and none behind it", async () => {
  calls = new WorkerCalls({ name: "The thread", entry, data: () => ({}) });
  const started = once(process, "worker");
  const gates = [1, 2].map(() => new Int32Array(new SharedArrayBuffer(8)));
  const waiting = Promise.allSettled(gates.map((gate) => calls.call("wait", { gate })));
  const [worker]: Worker[] = await started;
  if (!worker) throw new Error("No thread was started.");
  await once(worker, "message");
  const closed = calls.close();
  for (const gate of gates) {
    Atomics.store(gate, 0, 1);
    Atomics.notify(gate, 0);
  }
  await closed;
  expect(gates.map((gate) => gate[1])).toEqual([1, 0]);
  expect((await waiting).map(({ status }) => status)).toEqual(["rejected", "rejected"]);
});

// Bug: the end of such a thread was an error of whoever closed it, and nobody waits for that.
test("a thread that fails at its start can be closed meanwhile", async () => {
  calls = new WorkerCalls({ name: "The thread", entry: `${entry}.missing`, data: () => ({}) });
  const answer = calls.call("who", null);
  const closed = calls.close();
  await expect(answer).rejects.toThrow("The thread was closed.");
  await closed;
});

// Bug: it counted as an answer of the new thread, which then was ended in the middle of a call: that never settled.
test("a late answer of a thread that was ended does not end the next one", async () => {
  calls = new WorkerCalls({ name: "The thread", entry, data: () => ({}), restMs: 300 });
  const started = once(process, "worker");
  const [late, long] = [0, 1].map(() => new Int32Array(new SharedArrayBuffer(8)));
  if (!late || !long) throw new Error("There are no gates.");
  const open = (gate: Int32Array) => {
    Atomics.store(gate, 0, 1);
    Atomics.notify(gate, 0);
  };
  const failed = expect(calls.call("wait", { gate: late })).rejects.toThrow("The thread was closed.");
  const [worker]: Worker[] = await started;
  if (!worker) throw new Error("No thread was started.");
  await once(worker, "message");
  const renewed = calls.renew();
  const next = await calls.call("who", null);
  open(late);
  await Promise.all([renewed, failed]);
  const answer = calls.call("wait", { gate: long });
  await sleep(400);
  open(long);
  expect(await answer).toBe(next);
});
