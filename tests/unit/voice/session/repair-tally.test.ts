import { expect, test } from "vitest";
import {
  noRepairs,
  repairLine,
  tallyText,
  withRepair,
} from "../../../../electron/voice/session/repair-tally.ts";

const usage = { inputTokens: 500, outputTokens: 20, cacheReadTokens: 0, cacheWriteTokens: 0 };
const repaired = {
  type: "voice.repaired",
  id: 1,
  conversationId: "a",
  at: 0,
  inputId: "i",
  heard: "play the sonks",
  latencyMs: 600,
} as const;
const mended = {
  ...repaired,
  outcome: "mended",
  text: "play the songs",
  model: "m",
  usage,
  usd: 0.001,
} as const;

test("repairs are counted, and what they took as far as it is known", () => {
  const one = withRepair(noRepairs, mended);
  const two = withRepair(one, { ...repaired, outcome: "late" });
  expect(two).toEqual({ asked: 2, mended: 1, tokens: 520, usd: 0.001 });
  expect(tallyText(two)).toBe("1 of 2 unclear prompts, 520 tokens, $0.0010");
  const three = withRepair(two, { ...repaired, outcome: "refused", usage, usd: null });
  expect(three).toEqual({ asked: 3, mended: 1, tokens: 1040, usd: null });
  expect(tallyText(three)).toBe("1 of 3 unclear prompts, 1,040 tokens, cost not known");
});

test("a repair is a line, with what was heard and what it took", () => {
  expect(repairLine(mended)).toBe("“play the sonks” was corrected to “play the songs” (520 tokens, $0.0010)");
  expect(repairLine({ ...repaired, outcome: "late" })).toBe(
    "“play the sonks” stays as heard: the model took longer than 600 ms",
  );
  expect(repairLine({ ...repaired, outcome: "stopped" })).toBeNull();
});
