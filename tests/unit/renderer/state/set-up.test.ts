import { expect, test } from "vitest";
import { readSoFar } from "../../../../renderer/state/read-aloud.ts";
import { makerOfKey, SetUp } from "../../../../renderer/state/set-up.ts";

const sentence = "The kettle is on, the window is open, and I am ready to begin.";

test.each([
  ["sk-ant-api03-abc", "anthropic"],
  ["AIzaSyabc", "gemini"],
  ["sk-proj-abc", "openai"],
  ["sk-abc", "openai"],
  ["something else", null],
])("a key such as %s is of %s", (key, maker) => {
  expect(makerOfKey(key)).toBe(maker);
});

test.each([
  ["", 0, 0],
  ["the kettle is on", 4, 4],
  ["the kettle is on the window is open and", 9, 9],
  ["the cattle is on", 4, 3],
  ["the kettle is on the window is open and i am ready to begin", 14, 14],
  ["something else altogether", 0, 0],
  // The one word is far ahead: nobody has read up to there.
  ["begin", 0, 0],
])("of “%s” %i words were reached and %i understood", (heard, reached, understood) => {
  expect(readSoFar(sentence, heard)).toMatchObject({ reached, understood });
});

test("the microphone is tried, and closed once with the sheet; what it heard is shown", async () => {
  const asked: { route: string; input: unknown }[] = [];
  const setUp = new SetUp(async (route, input) => {
    asked.push({ route, input });
    return Object({ ok: true, value: undefined });
  });
  setUp.open();
  await setUp.listen("a");
  setUp.hear("the kettle");
  setUp.end();
  setUp.hear("is on");
  expect(setUp.isOpen.get()).toBe(false);
  expect(setUp.heard.get()).toBe("the kettle is on");
  await setUp.stopListening();
  expect(asked).toEqual([
    { route: "setUp.look", input: undefined },
    { route: "voice.dictate", input: { conversationId: "a", isOn: true, isTrial: true } },
    { route: "voice.dictate", input: { conversationId: "a", isOn: false } },
    { route: "setUp.end", input: undefined },
  ]);
});
