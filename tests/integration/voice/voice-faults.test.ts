import fc from "fast-check";
import { expect, test } from "vitest";
import { type SttFault, sttFaults } from "../../fakes/stt/stt-faults.ts";
import { programPath } from "../../fixtures/built-programs.ts";
import { hearAll, wantedOf } from "../../soak/hear-all.ts";

const heardAll = (faults: readonly SttFault[], count: number) =>
  hearAll(faults, count, undefined, programPath("faulty-stt-server"));

test("whatever a speech server does, each utterance runs exactly once, in order, and every session is stopped", async () => {
  const fault = fc.constantFrom<SttFault>(...sttFaults);
  await fc.assert(
    fc.asyncProperty(
      fc.array(fault, { maxLength: 20 }),
      fc.integer({ min: 1, max: 40 }),
      async (faults, count) => {
        const { ran, leftOpen, maxQueue } = await heardAll(faults, count);
        expect(ran).toEqual(wantedOf(count));
        expect(leftOpen).toEqual([]);
        expect(maxQueue).toBeLessThanOrEqual(20);
      },
    ),
    { numRuns: 10, examples: [[["hole", "stopped"], 6]] },
  );
});

test.each(sttFaults)("%s, again and again", async (fault) => {
  const { ran, leftOpen } = await heardAll(
    Array.from({ length: 8 }, () => fault),
    30,
  );
  expect(ran).toEqual(wantedOf(30));
  expect(leftOpen).toEqual([]);
});
