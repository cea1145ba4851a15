import { crashCycles } from "../../soak/crash-cycles.ts";
import { seededRandom } from "../../soak/seeded-random.ts";
import { expect, test } from "../support/test.ts";

test("killed in the middle of its runs, it loses, doubles and leaves running nothing", async () => {
  test.setTimeout(180_000);
  const { faults, requests } = await crashCycles({ kills: 6, random: seededRandom(7) });
  expect(faults).toEqual([]);
  expect(requests).toBeGreaterThan(6);
});
