import { crashCycles } from "../../soak/crash-cycles.ts";
import { seededRandom } from "../../soak/seeded-random.ts";
import { expect, test } from "../support/test.ts";
import { todayNumber } from "../support/today.ts";

test("killed in the middle of what it does, it loses, doubles, disorders and leaves running nothing", async () => {
  test.setTimeout(15 * 60_000);
  // Every other day in the middle of other things.
  const random = seededRandom(todayNumber());
  const { faults, done, skipped } = await crashCycles({ kills: 6, random, everything: true });
  expect(faults).toEqual([]);
  for (const [name, why] of Object.entries(skipped))
    test.info().annotations.push({ type: name, description: why });
  expect(Object.values(done).reduce((sum, times) => sum + times, 0)).toBe(6);
});
