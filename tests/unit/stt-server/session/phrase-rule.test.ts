import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { requiredSilenceMs } from "../../../../electron/stt-server/session/phrase-rule.ts";

const limits = { endpointingMs: 500, utteranceEndMs: 1000 };

describe("phrase rule", () => {
  it("takes endpointing_ms for an ordinary sentence, and while nothing is recognised", () => {
    expect(requiredSilenceMs("open the door", limits)).toBe(500);
    expect(requiredSilenceMs("", limits)).toBe(500);
    expect(requiredSilenceMs("more respectable than he was", limits)).toBe(500);
  });

  it("gives a sentence that plainly goes on more time", () => {
    for (const text of ["open the door and", "i want to", "the", "it is because um"]) {
      expect(requiredSilenceMs(text, limits)).toBe(900);
    }
  });

  it("needs less silence after a whole short answer, but not after a sentence that ends in it", () => {
    expect(requiredSilenceMs("yes please", limits)).toBe(350);
    expect(requiredSilenceMs("i said yes please", limits)).toBe(500);
  });

  it.each(
    "yes|no|yeah|okay|stop|cancel|yes please|no thanks|no thank you|thanks|thank you|never mind|go on|go ahead|stop listening|that's all|that is all".split(
      "|",
    ),
  )("takes “%s” for a whole answer", (text) => {
    expect(requiredSilenceMs(text, limits)).toBe(350);
  });

  it.each(["that is all", "that's all", "that's it", "right now", "for me please", "thank you very much"])(
    "takes “%s” for the end of what was said, but not within a word",
    (text) => {
      expect(requiredSilenceMs(`do this ${text}`, limits)).toBe(350);
      expect(requiredSilenceMs(`do un${text}`, limits)).toBe(500);
    },
  );

  it("waits while a number is read out, but not after an amount", () => {
    for (const text of ["call five five", "it is double seven", "my code is four", "pin 4", "4 2"]) {
      expect(requiredSilenceMs(text, limits)).toBe(900);
    }
    for (const text of [
      "set a timer for five",
      "there are two",
      "five",
      "5",
      "wait 45",
      "the number of my room is five",
      "it is 5 45",
      "my pin is here",
    ]) {
      expect(requiredSilenceMs(text, limits)).toBe(500);
    }
  });

  it("waits after a preposition, but not where a question ends in one", () => {
    expect(requiredSilenceMs("send the report with", limits)).toBe(900);
    expect(requiredSilenceMs("with", limits)).toBe(500);
    expect(requiredSilenceMs("who is the report from", limits)).toBe(500);
    expect(requiredSilenceMs("turn it on", limits)).toBe(500);
  });

  it("needs less silence after a clear finish", () => {
    for (const text of ["stop the timer right now", "I think that's all.", "is it open?"]) {
      expect(requiredSilenceMs(text, limits)).toBe(350);
    }
  });

  it("reads text with capitals and stops as it reads text without", () => {
    expect(requiredSilenceMs("Open the door and.", limits)).toBe(900);
    expect(requiredSilenceMs("Open the door,", limits)).toBe(900);
    expect(requiredSilenceMs(" Open the door, ", limits)).toBe(900);
    expect(requiredSilenceMs("Open the door.", limits)).toBe(500);
    expect(requiredSilenceMs("Yes, please.", limits)).toBe(350);
  });

  it("never asks for more than utterance_end_ms", () => {
    fc.assert(
      fc.property(
        fc.constantFrom("", "and", "yes", "open the door"),
        fc.integer({ min: 100, max: 10_000 }),
        fc.integer({ min: 100, max: 20_000 }),
        (text, endpointingMs, utteranceEndMs) =>
          requiredSilenceMs(text, { endpointingMs, utteranceEndMs }) <= utteranceEndMs,
      ),
    );
  });
});
