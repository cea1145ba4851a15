import { describe, expect, test } from "vitest";
import { OwnWords } from "../../../../electron/stt-server/rescoring/own-words.ts";

/** @param said words with how sure the recogniser is of them after a `:` where it is not sure */
const heard = (said: string) =>
  said.split(" ").map((part, index) => {
    const [word = "", confidence = "1"] = part.split(":");
    return { word, confidence: Number(confidence), start_ms: index * 100, end_ms: index * 100 + 100 };
  });
const text = (own: string[], said: string) =>
  new OwnWords(own)
    .applied(heard(said))
    .map(({ word }) => word)
    .join(" ");

describe("the user's own words", () => {
  test.each([
    ["Kubernetes", "deploy it to cuban:0.4 at:0.5 ease:0.4 today", "deploy it to Kubernetes today"],
    ["Kubernetes", "deploy it to cooper:0.4 nettie's:0.5 today", "deploy it to Kubernetes today"],
    ["Mirelle", "write to mural:0.5 please", "write to Mirelle please"],
    ["Zoltan Farkas", "ask soul:0.3 tan:0.4 far:0.6 cuss:0.3 about it", "ask Zoltan Farkas about it"],
    ["Tavora", "ask to:0.5 vora:0.4 now", "ask Tavora now"],
  ])("%s stands in place of what sounds like it: “%s”", (own, said, expected) => {
    expect(text([own], said)).toBe(expected);
  });

  test.each([
    ["Lydia", "see you later:0.5"],
    ["Anna", "and a:0.4 banana:0.5"],
    ["Bo", "go:0.2 home"],
    ["Mirelle", "the mural of the town"],
    ["Tavora", "the favour:0.5 of it"],
  ])("%s is not heard in “%s”", (own, said) => {
    expect(text([own], said)).toBe(said.replaceAll(/:[\d.]+/g, ""));
  });

  test("what was heard in its place is kept with it, and its time", () => {
    expect(new OwnWords(["Tavora"]).applied(heard("ask to:0.5 vora:0.4 now"))[1]).toEqual({
      ...{ word: "Tavora", start_ms: 100, end_ms: 300, confidence: 0.45, alternatives: ["to vora"] },
    });
  });
});
