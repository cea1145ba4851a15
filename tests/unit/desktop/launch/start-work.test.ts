import { afterEach, expect, test, vi } from "vitest";
import { startWork } from "../../../../electron/desktop/launch/start-work.ts";

afterEach(() => {
  vi.restoreAllMocks();
});

const refused = Object.assign(new Error("The disk is full."), { hint: "Free some space." });

// Bug: what failed early in a start, such as on a full disk, left a process that never ended, without a word.
test.each([
  ["before it is ready", () => Promise.reject(refused), async () => {}],
  [
    "at its work",
    () => Promise.resolve(),
    async () => {
      throw refused;
    },
  ],
])("a start that fails %s says why and ends with code 1", async (_, ready, work) => {
  const said = vi.spyOn(process.stderr, "write").mockReturnValue(true);
  const ends: unknown[] = [];
  await startWork(ready(), work, (...end) => ends.push(end));
  expect(ends).toEqual([[1, "The disk is full. Free some space."]]);
  expect(said.mock.calls).toEqual([["parley: The disk is full. Free some space.\n"]]);
});

test("a start that works is ended by nobody", async () => {
  const ends: unknown[] = [];
  await startWork(
    Promise.resolve(),
    async () => {},
    (...end) => ends.push(end),
  );
  expect(ends).toEqual([]);
});
