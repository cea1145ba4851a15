import fc from "fast-check";
import { expect, test } from "vitest";
import { GrowingJson } from "../../../../electron/providers/anthropic/growing-json.ts";

const item = fc.record({ text: fc.string({ unit: "binary" }) });

test("whatever list is asked for after whatever other, it is that list as JSON", () => {
  // Lists of the same few items: some grow, some shrink, some differ in the middle.
  const asked = fc.array(item, { minLength: 1, maxLength: 4 }).chain((items) => {
    const list = fc.array(fc.constantFrom(...items), { maxLength: 6 });
    const grown = fc.array(fc.constantFrom(...items), { maxLength: 3 });
    return fc.array(
      fc.tuple(list, grown).map(([first, more]) => [first, [...first, ...more]]),
      { maxLength: 4 },
    );
  });
  fc.assert(
    fc.property(asked, (pairs) => {
      const json = new GrowingJson<{ text: string }>();
      const given = pairs.flat().map((list) => ({ list, bytes: json.of(list) }));
      // Looked at when all were asked for: an earlier request may still be on its way.
      for (const { list, bytes } of given) {
        expect(Buffer.from(bytes).toString()).toBe(JSON.stringify(list).slice(1, -1));
      }
    }),
  );
});
