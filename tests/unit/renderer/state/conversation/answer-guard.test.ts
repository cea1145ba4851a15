import { afterEach, beforeEach, expect, test, vi } from "vitest";
import { AnswerGuard, freshMs } from "../../../../../renderer/state/conversation/answer-guard.ts";

beforeEach(() => void vi.useFakeTimers());
afterEach(() => void vi.useRealTimers());

test("a card takes nothing before it has stood still for a moment, and nothing that is not there", () => {
  const guard = new AnswerGuard();
  guard.came("a");
  vi.advanceTimersByTime(freshMs - 1);
  expect(guard.takes("a")).toBe(false);
  vi.advanceTimersByTime(1);
  expect(guard.takes("a")).toBe(true);
  guard.moved("a");
  expect(guard.takes("a")).toBe(false);
  expect(guard.takesOwnKey("a")).toBe(true);
  guard.gone("a");
  vi.advanceTimersByTime(freshMs);
  expect(guard.takes("a")).toBe(false);
});

test("a key that answered one card makes the others fresh, and they are told", () => {
  const guard = new AnswerGuard();
  const told = vi.fn();
  guard.came("a");
  guard.came("b", told);
  vi.advanceTimersByTime(freshMs);
  expect(guard.takesKey("a")).toBe(true);
  expect(told).toHaveBeenCalledTimes(1);
  expect(guard.takes("b")).toBe(false);
  expect(guard.takesKey("b")).toBe(false);
  vi.advanceTimersByTime(freshMs);
  expect(guard.takesKey("b")).toBe(true);
});
