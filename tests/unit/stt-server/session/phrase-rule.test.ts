import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { phraseOf, requiredSilenceMs } from "../../../../electron/stt-server/session/phrase-rule.ts";

const limits = { endpointingMs: 500, utteranceEndMs: 1000 };
/** In milliseconds. */
const silenceAfter = (text: string, endCost: number | null = null, mayBeEnglish = true) =>
  requiredSilenceMs(phraseOf(text, { endCost, mayBeEnglish }), limits);

describe("phrase rule", () => {
  it("takes endpointing_ms for an ordinary sentence, and while nothing is recognised", () => {
    expect(silenceAfter("open the door")).toBe(500);
    expect(silenceAfter("")).toBe(500);
    expect(silenceAfter("more respectable than he was")).toBe(500);
  });

  it("gives a sentence that plainly goes on more time", () => {
    for (const text of ["open the door and", "i want to", "the", "it is because um"]) {
      expect(silenceAfter(text)).toBe(900);
    }
  });

  it("needs less silence after a whole short answer, but not after a sentence that ends in it", () => {
    expect(silenceAfter("yes please")).toBe(350);
    expect(silenceAfter("i said yes please")).toBe(500);
  });

  it.each(
    "yes|no|yeah|okay|stop|cancel|yes please|no thanks|no thank you|thanks|thank you|never mind|go on|go ahead|stop listening|that's all|that is all".split(
      "|",
    ),
  )("takes “%s” for a whole answer", (text) => {
    expect(silenceAfter(text)).toBe(350);
  });

  it.each(["that is all", "that's all", "that's it", "right now", "for me please", "thank you very much"])(
    "takes “%s” for the end of what was said, but not within a word",
    (text) => {
      expect(silenceAfter(`do this ${text}`)).toBe(350);
      expect(silenceAfter(`do un${text}`)).toBe(500);
    },
  );

  it("waits while a number is read out, but not after an amount", () => {
    for (const text of ["call five five", "it is double seven", "my code is four", "pin 4", "4 2"]) {
      expect(silenceAfter(text)).toBe(900);
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
      expect(silenceAfter(text)).toBe(500);
    }
  });

  it("waits after a preposition, but not where a question ends in one", () => {
    expect(silenceAfter("send the report with")).toBe(900);
    expect(silenceAfter("with")).toBe(500);
    expect(silenceAfter("who is the report from")).toBe(500);
    expect(silenceAfter("turn it on")).toBe(500);
  });

  it("needs less silence after a clear finish", () => {
    for (const text of ["stop the timer right now", "I think that's all.", "is it open?"]) {
      expect(silenceAfter(text)).toBe(350);
    }
  });

  it("reads text with capitals and stops as it reads text without", () => {
    expect(silenceAfter("Open the door and.")).toBe(900);
    expect(silenceAfter("Open the door,")).toBe(900);
    expect(silenceAfter(" Open the door, ")).toBe(900);
    expect(silenceAfter("Open the door.")).toBe(500);
    expect(silenceAfter("Yes, please.")).toBe(350);
  });

  it("waits after words that hardly any sentence of their language ends with, but for a question or a whole answer", () => {
    expect(silenceAfter("ich fahre mit dem", 5.2, false)).toBe(900);
    expect(silenceAfter("ich fahre mit dem zug", 1.4, false)).toBe(500);
    expect(silenceAfter("what is it like", 3.9)).toBe(500);
    expect(silenceAfter("never mind", 4)).toBe(350);
  });

  // Bug: English words that want more kept finished German sentences waiting.
  it("knows what wants more in English of English only", () => {
    for (const text of ["ruf mich bitte an", "wie spät ist es um", "eins zwei", "what is it with"]) {
      expect(silenceAfter(text, null, false)).toBe(500);
    }
    expect(silenceAfter("die datei,", null, false)).toBe(900);
    expect(silenceAfter("when der", 4, false)).toBe(900);
    expect(silenceAfter("ist sie offen?", null, false)).toBe(350);
  });

  it("never asks for more than utterance_end_ms", () => {
    fc.assert(
      fc.property(
        fc.constantFrom("", "and", "yes", "open the door"),
        fc.integer({ min: 100, max: 10_000 }),
        fc.integer({ min: 100, max: 20_000 }),
        (text, endpointingMs, utteranceEndMs) =>
          requiredSilenceMs(phraseOf(text, { endCost: null, mayBeEnglish: true }), {
            endpointingMs,
            utteranceEndMs,
          }) <= utteranceEndMs,
      ),
    );
  });
});
