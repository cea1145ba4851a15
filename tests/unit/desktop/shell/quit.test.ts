import { EventEmitter } from "node:events";
import { afterEach, beforeEach, expect, test, vi } from "vitest";
import { endWith, quitCleanly, quitTimeoutMs } from "../../../../electron/desktop/shell/quit.ts";

const electron = vi.hoisted(() => ({ app: null as unknown as FakeApp }));
vi.mock("electron", () => ({
  get app() {
    return electron.app;
  },
}));

class FakeApp extends EventEmitter {
  readonly exits: number[] = [];
  exit(code: number): void {
    this.exits.push(code);
  }
  /** As Electron does it: whoever hears of it may hold it up. */
  quit(): void {
    let isHeld = false;
    this.emit("before-quit", { preventDefault: () => (isHeld = true) });
    if (!isHeld) this.exits.push(-1);
  }
}

const signals = ["SIGINT", "SIGTERM", "SIGHUP"] as const;
let kept: Map<(typeof signals)[number], NodeJS.SignalsListener[]>;
let uncaught: NodeJS.UncaughtExceptionListener[];

beforeEach(() => {
  electron.app = new FakeApp();
  kept = new Map(signals.map((name) => [name, process.listeners(name)]));
  uncaught = process.listeners("uncaughtException");
  vi.useFakeTimers();
});
afterEach(() => {
  vi.useRealTimers();
  for (const [name, listeners] of kept) {
    process.removeAllListeners(name);
    for (const listener of listeners) process.on(name, listener);
  }
  for (const listener of process.listeners("uncaughtException")) {
    if (!uncaught.includes(listener)) process.off("uncaughtException", listener);
  }
});

const hangs = () => new Promise<void>(() => {});

test("the app ends when it has cleaned up, not before", async () => {
  let finish = () => {};
  const cleaned = new Promise<void>((resolve) => {
    finish = resolve;
  });
  quitCleanly({ interrupt: () => false, cleanUp: () => cleaned });
  electron.app.quit();
  await vi.advanceTimersByTimeAsync(quitTimeoutMs - 1);
  expect(electron.app.exits).toEqual([]);
  finish();
  await vi.advanceTimersByTimeAsync(0);
  expect(electron.app.exits).toEqual([0]);
  await vi.advanceTimersByTimeAsync(quitTimeoutMs);
  expect(electron.app.exits).toEqual([0]);
});

test("a clean-up that hangs holds the app for five seconds and no longer", async () => {
  quitCleanly({ interrupt: () => false, cleanUp: hangs });
  electron.app.quit();
  await vi.advanceTimersByTimeAsync(4999);
  expect(electron.app.exits).toEqual([]);
  await vi.advanceTimersByTimeAsync(1);
  expect(electron.app.exits).toEqual([0]);
});

// Bug: after `parley -p` had printed its answer, a clean-up that hung, such as a server's that would not end, kept it for ever.
test("what ends by itself ends with its own code, when it has cleaned up or that takes too long", async () => {
  void endWith(3, async () => {});
  await vi.advanceTimersByTimeAsync(0);
  expect(electron.app.exits).toEqual([3]);
  void endWith(1, hangs);
  await vi.advanceTimersByTimeAsync(quitTimeoutMs - 1);
  expect(electron.app.exits).toEqual([3]);
  await vi.advanceTimersByTimeAsync(1);
  expect(electron.app.exits).toEqual([3, 1]);
});

test.each(["SIGTERM", "SIGHUP", "SIGINT"] as const)("a second wish ends it at once: %s", (name) => {
  quitCleanly({ interrupt: () => false, cleanUp: hangs });
  process.emit(name, name);
  expect(electron.app.exits).toEqual([]);
  process.emit(name, name);
  expect(electron.app.exits).toEqual([0]);
});

test("Ctrl+C in the terminal stops what runs first; only then it quits", () => {
  const cleaned = vi.fn(hangs);
  const stopped = [true, false];
  quitCleanly({ interrupt: () => stopped.shift() ?? false, cleanUp: cleaned });
  process.emit("SIGINT", "SIGINT");
  expect(cleaned).not.toHaveBeenCalled();
  process.emit("SIGINT", "SIGINT");
  expect(cleaned).toHaveBeenCalledOnce();
});
