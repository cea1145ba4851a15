import { expect, it } from "vitest";
import type { Recognised, RecogniserModel } from "../../../../electron/stt-server/recognisers/recogniser.ts";
import { ClosedGrammars } from "../../../../electron/stt-server/rescoring/closed-grammars.ts";

/** Words of 300 ms each from half a second on. */
const said = (text: string, sure: number | readonly number[] = 1, fromMs = 500): Recognised => ({
  text,
  words: text.split(" ").map((word, at) => ({
    ...{ word, startMs: fromMs + at * 300, endMs: fromMs + 300 + at * 300 },
    confidence: typeof sure === "number" ? sure : (sure[at] ?? 1),
  })),
});

/** What a second look makes of it, by a model that knows all words and hears this. */
async function secondLook(freely: Recognised, again: Recognised, unknown: readonly string[] = []) {
  let held: readonly string[] | null = null;
  const model: RecogniserModel = {
    name: "scripted",
    createRecogniser: () => expect.unreachable("It is held to a grammar."),
    knowsWord: (word) => !unknown.includes(word),
    createGrammarRecogniser: (phrases) => {
      held = phrases;
      return { accept: async () => "", finish: async () => again, dispose: () => undefined };
    },
    dispose: () => undefined,
  };
  const grammars = new ClosedGrammars(model);
  grammars.keep(new Int16Array(16_000));
  const heard = await grammars.heard(freely);
  grammars.dispose();
  return { text: heard?.text ?? null, held };
}

it.each([
  ["digits", "four to seven nine", "four two seven nine", "zero", "monday"],
  ["spelled letters", "sea e r l", "c e r l", "z", "seven"],
  ["a date", "monday third me", "monday third may", "december", "midnight"],
  ["a time of day", "half past eve pm", "half past eight pm", "midnight", "monday"],
])("hears %s again with a recogniser that knows nothing else", async (_what, freely, again, among, apart) => {
  const { text, held } = await secondLook(said(freely), said(again));
  expect(text).toBe(again);
  expect(held).toContain(among);
  expect(held).not.toContain(apart);
});

it("holds it to words that the model knows", async () => {
  const { held } = await secondLook(said("half past eight"), said("half past eight"), ["midnight"]);
  expect(held).toContain("noon");
  expect(held).not.toContain("midnight");
});

it.each<[string, Recognised, Recognised]>([
  ["what is half something else", said("call me at seven"), said("four two at seven")],
  ["what was written in digits", said("4 2 7 9"), said("four two seven nine")],
  ["what the second look is not sure of", said("four to seven"), said("four two seven", 0.8)],
  ["a word that none of its words is", said("two or three"), said("two oh three", [1, 0.71, 1])],
  ["what the second look knows no word for", said("four to seven"), said("four [unk] seven")],
  ["what the second look hears later", said("four to seven"), said("two seven", 1, 800)],
  ["what the second look hears less of", said("four to seven nine"), said("four two seven")],
])("leaves %s as it was heard", async (_what, freely, again) => {
  expect((await secondLook(freely, again)).text).toBeNull();
});
