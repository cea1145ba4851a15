import { expect, test } from "vitest";
import { writtenLanguage } from "../../../../renderer/state/conversation/written-language.ts";

test.each([
  ["今日は良い天気ですね。散歩に行きましょう。", "ja"],
  ["今天天气很好，我们去散步吧。", "zh"],
  ["오늘 날씨가 좋네요", "ko"],
  ["Сегодня хорошая погода, see example.com", "ru"],
  ["Сьогодні гарна погода, ходімо", "uk"],
  ["שלום, מה שלומך?", "he"],
  ["مرحبا، كيف حالك؟", "ar"],
  ["Καλημέρα σας", "el"],
  ["नमस्ते, आप कैसे हैं?", "hi"],
])("“%s” is written in %s", (text, language) => {
  expect(writtenLanguage(text)).toBe(language);
});

test.each(["Good morning", "Guten Morgen, schöne Grüße", "The word 今日 means today", "1 + 1 = 2", ""])(
  "“%s” may be any language",
  (text) => {
    expect(writtenLanguage(text)).toBeUndefined();
  },
);
