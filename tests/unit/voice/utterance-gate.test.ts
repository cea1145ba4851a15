import { expect, test } from "vitest";
import { gateUtterance } from "../../../electron/voice/utterance-gate.ts";
import { defaultSettings } from "../../../shared/settings.ts";

const gate = (text: string, confidence: number | null = 0.9) =>
  gateUtterance({ text, confidence, source: "microphone" }, defaultSettings);

test.each([
  ["a", 0.9, "too short"],
  ["…!", 0.9, "too short"],
  ["maybe this", 0.29, "too unsure"],
])("“%s” at %d is not sent: %s", (text, confidence, why) => {
  expect(gate(text, confidence)).toEqual({ pass: false, why });
});

test.each([
  ["ok", 0.3],
  ["was it", null],
  ["7 8", 1],
  ["été", 0.9],
  ["/help", 0.9],
])("“%s” at %s is a prompt", (text, confidence) => {
  expect(gate(text, confidence)).toEqual({ pass: true });
});
