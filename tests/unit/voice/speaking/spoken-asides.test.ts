import { expect, test } from "vitest";
import {
  isBackchannel,
  isGoOn,
  isShortBurst,
  maxBackchannelMs,
  spokenCommand,
} from "../../../../electron/voice/speaking/spoken-asides.ts";

test.each<[string, number | null, boolean]>([
  ["mhm", 300, true],
  ["yeah", 400, true],
  ["OK.", 350, true],
  ["uh huh", 500, true],
  ["I see", 600, true],
  ["yeah", 900, false],
  ["no", 300, false],
  // What "stop" that was cut short sounds like.
  ["oh", 300, false],
  ["stop", 300, false],
  ["yeah but what about tomorrow", 600, false],
  ["okay", null, true],
  ["mm hmm", 500, true],
  ["got it", 500, true],
  ["Oh, okay.", 500, true],
  ["yeah, yeah", 500, true],
  ["all right", 500, true],
  ["uh-huh", 500, true],
  ["mm-hmm", 500, true],
  ["yeah sure", 500, false],
  ["", 100, false],
])("“%s” in %s ms is a backchannel: %s", (text, durationMs, is) => {
  expect(isBackchannel(text, durationMs)).toBe(is);
});

test.each([
  ["go on", true],
  ["Go on!", true],
  ["Continue.", true],
  ["please go on", true],
  ["go on with the second one", false],
  ["go", false],
  ["go there", false],
])("“%s” wants what is paused to go on: %s", (text, is) => {
  expect(isGoOn(text)).toBe(is);
});

test("where an answer is waited for a yes is one, and a hum is none", () => {
  expect(["yes", "okay", "sure", "mhm", "mm hmm"].map((text) => isBackchannel(text, 300, true))).toEqual([
    ...[false, false, false, true, true],
  ]);
});

test.each<[string, number | null, boolean]>([
  ["school", 500, true],
  ["but up", 1_500, true],
  ["school", null, true],
  ["school", 1_501, false],
  ["what about tomorrow", 900, false],
])("“%s” in %s ms is too little to know what it was: %s", (text, durationMs, is) => {
  expect(isShortBurst(text, durationMs)).toBe(is);
});

test.each<[string, ReturnType<typeof spokenCommand>]>([
  ["repeat that", "repeat"],
  ["Say that again!", "repeat"],
  ["repeat", "repeat"],
  ["Please, repeat that.", "repeat"],
  ["Repeat that, please.", "repeat"],
  ["Parley, skip that, please", "skip"],
  ["Slower.", "slower"],
  ["speak slower", "slower"],
  ["slow down", "slower"],
  ["slower, please", "slower"],
  ["faster", "faster"],
  ["speak faster", "faster"],
  ["speed up", "faster"],
  ["faster, please", "faster"],
  ["", null],
  ["slower is better", null],
  ["repeat that test for me", null],
])("“%s” is the command %s", (text, command) => {
  expect(spokenCommand(text)).toBe(command);
});

test("from its longest time on it is something to say", () => {
  expect(isBackchannel("mhm", maxBackchannelMs - 1)).toBe(true);
  expect(isBackchannel("mhm", maxBackchannelMs)).toBe(false);
});

test.each([
  ["again", "repeat"],
  ["Skip.", "skip"],
  ["Read it all!", "read it all"],
  ["read the rest", "read it all"],
  ["read it all to my mother", null],
  ["skip the second chapter", null],
])("“%s” says to the voice itself: %s", (text, command) => expect(spokenCommand(text)).toBe(command));
