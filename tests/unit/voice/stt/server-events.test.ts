import { describe, expect, it } from "vitest";
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
