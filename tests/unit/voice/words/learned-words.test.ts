import { describe, expect, test } from "vitest";
import { learnedWords } from "../../../../electron/voice/words/learned-words.ts";

const learned = (text: string, corrected: string, readings: string[] = [], language = "en") =>
  learnedWords({ text, readings }, corrected, language);

describe("a correction teaches", () => {
  test.each([
    ["write to sore vat about it", "Write to Zorvath about it.", "Zorvath", "sore vat"],
    ["ask soul tan far cuss about it", "ask Zoltan Farkas about it", "Zoltan Farkas", "soul tan far cuss"],
    ["deploy it to cooper nettie's", "Deploy it to Kubernetes!", "Kubernetes", "cooper nettie's"],
    ["i never had mural yesterday", "I met Mirelle yesterday", "Mirelle", "mural"],
    ["mural is late", "Mirelle is late", "Mirelle", "mural"],
    ["open cube control now", "open kubeCtl now", "kubeCtl", "cube control"],
  ])("“%s” → “%s”", (heard, corrected, word, form) => {
    expect(learned(heard, corrected)).toEqual([{ word, heardAs: [form], isOrdinary: false }]);
  });

  test("two names of one sentence, and what they are in the other readings", () => {
    const readings = ["ask morel and tab or today", "ask mural and tower today", "see you later"];
    expect(learned("ask mural and tub or today", "ask Mirelle and Tavora today", readings)).toEqual([
      { word: "Mirelle", heardAs: ["mural", "morel"], isOrdinary: false },
      { word: "Tavora", heardAs: ["tub or", "tab or", "tower"], isOrdinary: false },
    ]);
  });

  // Bug: "Whether" that was corrected to "Weather" once stood in the list of names, and so did each word of other scripts.
  test.each([
    ["Whether is nice today", "Weather is nice today", "Weather", "whether"],
    ["I see. Whether is nice today", "I see. Weather is nice today", "Weather", "whether"],
    ["שלום לך חבר", "שלום לך דבר", "דבר", "חבר"],
    ["هذا بيت كبير", "هذا بنت كبير", "بنت", "بيت"],
  ])("of “%s” → “%s” a word like any other", (heard, corrected, word, form) => {
    expect(learned(heard, corrected)).toEqual([{ word, heardAs: [form], isOrdinary: true }]);
  });

  // Bug: in German every noun has a capital, so that one correction of any noun taught it as a name.
  test.each([
    ["de", "Ich sehe die Maus heute", "Ich sehe das Haus heute", "Haus", true],
    ["de-AT", "Er mag den Thee sehr", "Er mag den Tee sehr", "Tee", true],
    ["de", "Zeig mir Cube Control bitte", "Zeig mir KubeCtl bitte", "KubeCtl", false],
    ["den", "Er mag den Thee sehr", "Er mag den Tee sehr", "Tee", false],
  ])("in “%s”: “%s” → “%s” %s", (language, heard, corrected, word, isOrdinary) => {
    expect(learned(heard, corrected, [], language)).toContainEqual(
      expect.objectContaining({ word, isOrdinary }),
    );
  });

  test.each([
    ["Cube control is here", "KubeCtl is here", "KubeCtl"],
    ["Soul tan far cuss is here", "Zoltan Farkas is here", "Zoltan Farkas"],
  ])("at the beginning of “%s” → “%s” a name all the same", (heard, corrected, word) => {
    expect(learned(heard, corrected)).toMatchObject([{ word, isOrdinary: false }]);
  });

  test("a word like any other is marked as such", () => {
    expect(learned("send the male today", "send the mail today")).toEqual([
      { word: "mail", heardAs: ["male"], isOrdinary: true },
    ]);
  });
});

test.each([
  ["the same words", "write to Mirelle", "write to Mirelle"],
  ["other case and punctuation", "write to mirelle", "Write to Mirelle!"],
  ["a sentence without spaces", "我们去公园吧今天天气很好", "我们去花园吧今天天气很好"],
  ["another day", "the meeting is on tuesday", "the meeting is on Thursday"],
  ["words that everybody uses", "their is a problem", "There is a problem"],
  ["a sentence that was written anew", "what is the weather", "Please call Zorvath at nine about Budapest"],
  [
    "a word that sounds like nothing there",
    "what about the weather in paris today please",
    "Ignore Kubernetes",
  ],
  ["words that were added", "write to mirelle", "write to mirelle and to Zorvath"],
  ["words that were taken out", "write to mirelle and to zorvath", "write to mirelle"],
  ["letters alone", "take the bee", "take the B"],
  ["nothing", "", ""],
])("%s teach nothing", (_, heard, corrected) => {
  expect(learned(heard, corrected)).toEqual([]);
});
