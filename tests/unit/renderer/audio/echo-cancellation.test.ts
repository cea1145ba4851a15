import { expect, it } from "vitest";
import { echoCancellationFor } from "../../../../renderer/audio/echo-cancellation.ts";

it.each([
  [{ echoCancellation: [true, false, "all", "remote-only"] }, "all"],
  [{ echoCancellation: [true, false] }, true],
  [{}, true],
  [undefined, true],
])("of a microphone that can %o echo cancellation is asked for: %s", (can, wanted) => {
  expect(echoCancellationFor(can)).toBe(wanted);
});
