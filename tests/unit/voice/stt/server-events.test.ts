import { describe, expect, it } from "vitest";
import { plainTexts } from "../../../../electron/voice/stt/plain-text.ts";
import { eventsIn } from "../../../../electron/voice/stt/server-events.ts";

/** An utterance as a server tells it, and as it is read. */
function read(more: object) {
  const { batch, unreadable } = eventsIn(
    { events: [{ type: "utterance_final", text: "one word", ...more }] },
    0,
  );
  return { event: batch[0]?.event, unreadable };
}

describe("an utterance is read", () => {
  // Bug: texts of some recognisers began with a space, and control characters of a server came into the prompt.
  it.each([
    [" hello there", "hello there"],
    ["hello\nthere ", "hello there"],
    ["stop\u0000it\u001b[31m now", "stop it [31m now"],
  ])("%j as %j", (text, wanted) => {
    expect(read({ text }).event).toMatchObject({ type: "utterance_final", text: wanted });
  });

  // Bug: silence that a recogniser wrote down as nothing was told to the user as an answer that cannot be read.
  it.each(["", "   ", "\n"])("as none where its text is %j", (text) => {
    const { event, unreadable } = read({ text });
    expect(event).toMatchObject({ type: "info", message: "no_words" });
    expect(unreadable).toEqual([]);
  });

  it("by its number, where a server counts them", () => {
    expect(read({ utterance_id: 7 }).event).toMatchObject({ utterance_id: "7" });
  });

  // Bug: every word of a server that writes 0 for what it does not know was dropped as unclear.
  it("without a confidence where that is 0", () => {
    expect(read({ confidence: 0 }).event).toMatchObject({ confidence: undefined });
    expect(read({ confidence: 0.01 }).event).toMatchObject({ confidence: 0.01 });
  });

  // Bug: other readings that came with a confidence of their own were left out.
  it("with readings as text or as objects", () => {
    const alternatives = [{ text: "won word", confidence: 0.4 }, "one world"];
    const words = [{ word: "one", start_ms: 0, end_ms: 1, confidence: 0.3, alternatives: [{ text: "won" }] }];
    expect(read({ alternatives, words }).event).toMatchObject({
      alternatives: ["won word", "one world"],
      words: [{ word: "one", alternatives: ["won"] }],
    });
  });
});

describe("odd answers of servers that nobody tested", () => {
  // Bug: these became prompts.
  it.each([
    ["Transcription(text=None, error='rate limited')", "an error in place of words (“rate limited”)"],
    ['{"error": "rate limited"}', "an error in place of words (“rate limited”)"],
  ])("%s is a fault, and no words", (text, fault) => {
    const { event, unreadable } = read({ text });
    expect(event).toMatchObject({ type: "info", message: "no_words" });
    expect(unreadable).toEqual([fault]);
  });

  // Bug: who read an error aloud lost the words.
  it("what looks like an error is kept, and told, unless the recogniser lists its words", () => {
    const text = "TypeError: x is not a function";
    const fault = `an error in place of words (“${text}”)`;
    expect(read({ text })).toMatchObject({ event: { type: "utterance_final", text }, unreadable: [fault] });
    const words = ["TypeError:", "x", "is", "not", "a", "function"];
    expect(read({ text, words })).toMatchObject({ event: { text }, unreadable: [] });
    expect(read({ type: "partial", text }).unreadable).toEqual([]);
  });

  it("an object with no words in it is silence", () => {
    expect(read({ text: '{"text": "", "language": "en"}' })).toMatchObject({
      event: { type: "info", message: "no_words" },
      unreadable: [],
    });
  });

  it("an error beside a null is a fault; a null alone is no words", () => {
    expect(read({ text: null, error: "no credit" }).unreadable).toEqual([
      "an error in place of words (“no credit”)",
    ]);
    expect(read({ text: null })).toMatchObject({ event: { message: "no_words" }, unreadable: [] });
  });

  it("names of sounds are left out of words, readings and lists of words", () => {
    const words = [{ word: "[coughs]", start: 0, end: 1 }, { word: "open" }, "it", { word: "" }, null];
    const alternatives = ["[Music]", "(coughs) open hit", { text: "RateLimitError: 429" }];
    expect(read({ text: "[coughs] open it", words, alternatives }).event).toMatchObject({
      text: "open it",
      words: [{ word: "open" }, { word: "it" }],
      alternatives: ["open hit"],
    });
  });

  // Bug: what is invisible, or turns the direction of reading, went to the prompt and the model as it came.
  it("texts are plain wherever they stand", () => {
    const text = "open\u202E it\u200B\nnow\u{E0041}";
    const words = [{ word: "open\u202E", start_ms: 0, end_ms: 9, alternatives: ["o\u2066pen"] }];
    expect(read({ text, words, alternatives: ["o\u200Bpen it"] }).event).toMatchObject({
      text: "open it now",
      words: [{ word: "open", alternatives: ["open"] }],
      alternatives: ["open it"],
    });
    const more = { type: "info", message: "device_changed", payload: { device_name: "M\u202Eic" } };
    expect(read(more).event).toMatchObject({ payload: { device_name: "Mic" } });
  });

  it("an utterance without an end is cut, and that is said", () => {
    const { event, unreadable } = read({ text: "the ".repeat(6000) });
    expect(event?.type === "utterance_final" && event.text).toHaveLength(20_000);
    expect(unreadable).toEqual(["an utterance of more than 20000 characters: its end is left out"]);
    // Answers are read as plain text before their events are.
    const plain = plainTexts({ text: "the ".repeat(6000) });
    expect(read(Object(plain)).unreadable).toEqual(unreadable);
    expect(read({ text: "the ".repeat(5000) }).unreadable).toEqual([]);
  });

  it.each([
    [87, 0.87],
    ["87%", 0.87],
    ["0.87", 0.87],
    [1.0000002, 1],
    [1.5, undefined],
    [250, undefined],
    [-0.4, undefined],
    [Number.NaN, undefined],
    ["high", undefined],
    [null, undefined],
  ])("a confidence of %j is %j", (confidence, wanted) => {
    expect(read({ confidence }).event).toMatchObject({ text: "one word", confidence: wanted });
  });

  it.each<[object, object]>([
    [
      { start_ms: 1200, end_ms: 2400 },
      { start_ms: 1200, end_ms: 2400 },
    ],
    [
      { start_ms: 1.2, end_ms: 2.4 },
      { start_ms: 1200, end_ms: 2400 },
    ],
    [
      { start_ms: 1200.5, end_ms: 2400.25 },
      { start_ms: 1200.5, end_ms: 2400.25 },
    ],
    [
      { start: 1.2, end: 2 },
      { start_ms: 1200, end_ms: 2000 },
    ],
    [
      { start: 1, end: 3 },
      { start_ms: 1000, end_ms: 3000 },
    ],
    [
      { start: 1200, end: 2400 },
      { start_ms: 1200, end_ms: 2400 },
    ],
    [
      { start_time: "1.5", end_time: "2.5" },
      { start_ms: 1500, end_ms: 2500 },
    ],
    [
      { start_ms: -5, end_ms: 700 },
      { start_ms: undefined, end_ms: 700 },
    ],
  ])("%j is read as %j", (times, wanted) => {
    expect(read(times).event).toMatchObject({ text: "one word", ...wanted });
  });

  it("words without times have those of the utterance", () => {
    const words = [
      { text: "one", confidence: 30 },
      { word: "word", start: 1.5, end: 2 },
    ];
    expect(read({ start: 1, end: 2, words }).event).toMatchObject({
      words: [
        { word: "one", start_ms: 1000, end_ms: 2000, confidence: 0.3 },
        { word: "word", start_ms: 1500, end_ms: 2000 },
      ],
    });
  });

  it.each<[string, object, string | null]>([
    [
      "`transcript` with `is_final`",
      { type: "transcript", is_final: true, text: undefined, transcript: "one" },
      "final: one",
    ],
    ["`result` that is not final", { type: "result", is_final: false, text: "one" }, "partial: one"],
    ["no type, with `is_final`", { type: undefined, is_final: true, text: "one" }, "final: one"],
    ["`final`", { type: "final", text: "one" }, "final: one"],
    ["`partial`", { type: "partial", text: "one" }, "partial: one"],
    ["words under `transcript`", { text: undefined, transcript: "one" }, "final: one"],
    ["words under `utterance`", { text: null, utterance: "one" }, "final: one"],
    ["words under `final`", { text: undefined, final: "one" }, "final: one"],
    [
      "words in the payload, by another name",
      { text: undefined, payload: { transcript: "one" } },
      "final: one",
    ],
    ["words in the payload beside an empty `text`", { text: "", payload: { text: "one" } }, "final: one"],
    ["words beside an empty `text`", { text: "", transcript: "one" }, "final: one"],
    [
      "a flag and words called `final`",
      { type: "result", text: null, is_final: true, final: "one" },
      "final: one",
    ],
    ["a number as text", { text: 42 }, "final: 42"],
    [
      "a flag in figures beside words",
      { type: "result", text: undefined, final: 1, transcript: "one" },
      "final: one",
    ],
    [
      "a flag as text beside words",
      { type: "result", text: undefined, final: "true", transcript: "one" },
      "final: one",
    ],
    ["the number of an utterance beside an empty `text`", { text: "", utterance: 3 }, null],
    ["`result` that does not say whether it is final", { type: "result", text: "one" }, null],
  ])("%s", (_, more, wanted) => {
    const { event } = read(more);
    const is = event?.type === "utterance_final" ? "final" : "partial";
    expect(event && "text" in event ? `${is}: ${event.text}` : null).toBe(wanted);
  });
});
