import { afterEach, expect, test, vi } from "vitest";
import { ulids } from "../../../shared/ulids.ts";

afterEach(() => {
  vi.useRealTimers();
});

test("ids sort by when they were made, also within a millisecond and when the clock is set back", () => {
  vi.useFakeTimers({ now: 1_700_000_000_000 });
  const newId = ulids();
  const made: string[] = [];
  for (const step of [0, 0, 0, 1, 0, -5, 0, 1000]) {
    vi.setSystemTime(Date.now() + step);
    made.push(newId());
  }
  expect(made.toSorted()).toEqual(made);
  expect(made.every((id) => /^[0-9A-HJKMNP-TV-Z]{26}$/.test(id))).toBe(true);
});

test("ids differ, of one source and of another, however many there are", () => {
  vi.useFakeTimers({ now: 1_700_000_000_000 });
  const sources = [ulids(), ulids()];
  const made: string[] = [];
  for (let count = 0; count < 2_000; count++) {
    vi.setSystemTime(Date.now() + 1);
    for (const newId of sources) made.push(newId());
  }
  // The part after the time, in each of its characters.
  const tails = made.map((id) => id.slice(10));
  expect(new Set(tails).size).toBe(made.length);
  for (let place = 0; place < 16; place++) expect(new Set(tails.map((tail) => tail[place])).size).toBe(32);
});
