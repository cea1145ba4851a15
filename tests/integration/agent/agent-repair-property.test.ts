import fc from "fast-check";
import { expect, test } from "vitest";
import type { Conversation } from "../../../electron/agent/conversation/conversation.ts";
import { textOf } from "../../../shared/conversation/messages.ts";
import { nextEvent, rigForEachTest } from "./agent-rig.ts";

const makeRig = rigForEachTest();

/** What somebody does after an utterance: says the next thing, goes on with this one, or stops the run. */
const step = fc.record({
  isUnclear: fc.boolean(),
  how: fc.constantFrom("next", "on", "on after a sound", "stop"),
  answer: fc.constantFrom("mended", "something else", "nothing", "an error"),
  waits: fc.boolean(),
});

/** Nothing runs, and nothing waits. */
async function quiet(conversation: Conversation): Promise<void> {
  while (conversation.state !== "idle" || conversation.view().queue.length > 0) {
    await nextEvent(conversation, () => true);
  }
}

test("whatever is mended, refused or stopped, each word is said once and in its order", async () => {
  await fc.assert(
    fc.asyncProperty(fc.array(step, { minLength: 1, maxLength: 6 }), async (steps) => {
      const rig = await makeRig({ settings: { "voice.repair": "on" } });
      const { server } = rig;
      const conversation = rig.conversations.create();
      let last = "";
      for (const [place, { isUnclear, how, answer, waits }] of steps.entries()) {
        const words = { text: `sonks${place}`, readings: [`songs${place}`] };
        server.answerRepairs(
          {
            mended: `[[script:text {"text":"songs${place}"}]]`,
            "something else": '[[script:text {"text":"rm -rf slash"}]]',
            nothing: "[[script:empty]]",
            "an error": '[[script:status {"times":-1}]]',
          }[answer],
        );
        const prompt = { ...words, origin: "voice", source: "microphone", isUnclear } as const;
        if (how === "on after a sound") conversation.suspend(last);
        const isJoined = how.startsWith("on") && conversation.mergeInto(last, prompt);
        if (!isJoined) {
          conversation.resume(last);
          last = conversation.submit(prompt).inputId ?? "";
        }
        if (how === "stop") conversation.abort();
        if (waits) await quiet(conversation);
      }
      await quiet(conversation);
      const said = conversation.history
        .filter(({ role }) => role === "user")
        .flatMap(({ content }) => textOf(content).split(" "));
      expect(rig.store.loadInputs(conversation.id)).toEqual([]);
      const places = said.map((word) => /^(?:sonks|songs)(\d)$/.exec(word)?.[1]);
      expect(places).toEqual(steps.map((_, place) => String(place)));
    }),
    { numRuns: 25 },
  );
});
