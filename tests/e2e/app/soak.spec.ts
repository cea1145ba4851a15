import { actions } from "../../soak/all/actions.ts";
import { soak } from "../../soak/all/soak.ts";
import { expect, test } from "../support/test.ts";
import { todayNumber } from "../support/today.ts";

test("three minutes of everything at once: nothing is lost, doubled, out of order, left running or growing", async () => {
  test.setTimeout(20 * 60_000);
  const { faults, done, skipped } = await soak({ minutes: 3, seed: todayNumber() });
  expect(faults).toEqual([]);
  for (const [name, why] of Object.entries(skipped))
    test.info().annotations.push({ type: name, description: why });
  // Every other day another order; each of them at least once.
  expect(Object.keys({ ...done, ...skipped }).sort()).toEqual(Object.keys(actions).sort());
});
