import { describe, expect, it, test } from "vitest";
import { isWhisperPhantom, isWordless, writtenText } from "../../../../electron/voice/stt/heard-words.ts";

// Bug: all of these became prompts.
describe("no words are", () => {
  it.each([
    "None",
    "null",
    "undefined",
    "NaN",
    "'None'",
    "[BLANK_AUDIO]",
    "(silence)",
    "[Music]",
    "[ Silence ]",
    "♪",
    "♪ ♪",
    "♪ la la la ♪",
    "*coughs*",
    "<unk>",
    "[noise]",
    "[noise] <unk> (coughing)",
    "[speaking in foreign language]",
    "(upbeat music)",
    "<|nospeech|>",
    "(音楽)",
    "[Musik]",
    "[x y z]",
    "(laughs).",
    "RateLimitError: too many",
    "<whisper.Result object at 0x7f3a>",
  ])("%s", (text) => {
    expect(isWordless(text)).toBe(true);
  });

  it.each([
    "none",
    "None.",
    "null and void",
    "is it null",
    "thank you",
    "bye",
    "music",
    "silence please",
    "(see the second file)",
    "stop",
    "停",
    "C",
    "?",
    "open [Music]",
  ])("not %s", (text) => {
    expect(isWordless(text)).toBe(false);
  });

  it("not what the recogniser lists as a word", () => {
    expect(isWordless("null", ["null"])).toBe(false);
    expect(isWordless("null", [])).toBe(true);
    expect(isWordless("Error: no model. Why?", ["Error:", "no", "model.", "Why?"])).toBe(false);
  });
});

describe("of what a server wrote for an utterance", () => {
  it.each([
    ["[coughs] open the file", "open the file"],
    ["open (coughs) the file.", "open the file."],
    ["open the file [Music]", "open the file"],
    ["♪ open the file", "open the file"],
    ["*sighs*, open the file", "open the file"],
    ["open the <unk> file", "open the file"],
    ["open f(x) and a[0]", "open f(x) and a[0]"],
    ["the sum (of all) is 2 * 3 * 4", "the sum (of all) is 2 * 3 * 4"],
    ["[Music]", "[Music]"],
    ["I like music", "I like music"],
    // Bug: the space before the dot was lost.
    ["what is in the .env file", "what is in the .env file"],
    ["-5 degrees (coughs) in .NET", "-5 degrees in .NET"],
    ["[coughs] .env is missing", ".env is missing"],
    ["ça va ?", "ça va ?"],
    ["open (coughs), (laughs) the file", "open, the file"],
    ['{"text": "open the file", "language": "en"}', "open the file"],
    ["Transcription(text='open the file', error=None)", "open the file"],
    ["{'text': \"don't stop\"}", "don't stop"],
  ])("%s, the words are %s", (written, text) => {
    expect(writtenText(written)).toEqual({ text });
  });

  it.each([
    ["Transcription(text=None, error='rate limited')", "an error in place of words (“rate limited”)"],
    ['{"error": "rate limited"}', "an error in place of words (“rate limited”)"],
    ['{"error": {"code": 429, "message": "slow down"}}', "an error in place of words (“slow down”)"],
    ["{'text': None}", "an object in place of words"],
    ["{}", "an object in place of words"],
    ['[{"start": 0}]', "an object in place of words"],
  ])("%s is a fault", (written, fault) => {
    expect(writtenText(written)).toEqual({ fault });
  });

  it.each([
    "RateLimitError: too many",
    "openai.RateLimitError: 429",
    "Error: no model",
    "<whisper.Result object at 0x7f3a>",
  ])("%s is most likely an error, and may have been said", (text) => {
    expect(writtenText(text)).toEqual({ text, fault: `an error in place of words (“${text}”)` });
  });

  it.each(["the error is gone", "an error: fix it", "call print(x)", "plot(x=1)", "set a to {b}"])(
    "%s is said",
    (text) => {
      expect(writtenText(text)).toEqual({ text });
    },
  );
});

test.each([
  ["Thanks for watching!", true],
  ["Thank you for watching.", true],
  ["Thank you so much for watching, see you in the next video.", true],
  ["Please subscribe.", true],
  ["Please subscribe to my channel.", true],
  ["Don't forget to like and subscribe!", true],
  ["Subtitles by the Amara.org community", true],
  ["Transcription by CastingWords", true],
  ["Subs by www.zeoranger.co.uk", true],
  ["Sous-titres réalisés par la communauté d'Amara.org", true],
  ["ご視聴ありがとうございました", true],
  ["Субтитры сделал DimaTorzok", true],
  ["Thank you.", false],
  ["Thank you very much.", false],
  ["Bye.", false],
  ["Bye bye.", false],
  ["thanks for watching the build, now run the tests", false],
  ["Add “thanks for watching” to the page", false],
  ["subscribe to the event in the store", false],
  ["Subscribe.", false],
  ["Captions by default", false],
  ["transcript by email, please", false],
  ["See you next time", false],
  ["You", false],
])("Whisper's phantoms: %s: %s", (text, is) => {
  expect(isWhisperPhantom(text)).toBe(is);
});
