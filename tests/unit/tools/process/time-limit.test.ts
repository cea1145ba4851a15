import { afterEach, beforeEach, expect, test, vi } from "vitest";
import { TimeLimit } from "../../../../electron/tools/process/time-limit.ts";

beforeEach(() => {
  vi.useFakeTimers();
});
afterEach(() => {
  vi.useRealTimers();
});

test("stands still while somebody is waited for, and passes after the rest of its time", async () => {
  const passed = vi.fn();
  const limit = new TimeLimit(1000);
  void limit.passed.then(passed);
  await vi.advanceTimersByTimeAsync(900);
  limit.pause(true);
  await vi.advanceTimersByTimeAsync(5000);
  expect(passed).not.toHaveBeenCalled();
  limit.pause(false);
  await vi.advanceTimersByTimeAsync(101);
  expect(passed).toHaveBeenCalledOnce();
});

// Bug: an answer that came after the command had ended started its clock again.
test("that has ended starts no timer when the waiting ends", () => {
  const limit = new TimeLimit(1000);
  limit.pause(true);
  limit.end();
  limit.pause(false);
  expect(vi.getTimerCount()).toBe(0);
});
