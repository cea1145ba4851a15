import { describe, expect, it, test } from "vitest";
import { event, final, startVoice } from "./voice-rig.ts";

type Rig = ReturnType<typeof startVoice>;
const utterances = ({ events }: Rig) =>
  events.flatMap((one) =>
    one.type === "voice.utterance" ? [`${one.text}: ${one.dropped ?? one.rule ?? "sent"}`] : [],
  );
const notices = ({ events }: Rig) =>
  events.flatMap((one) => (one.type === "voice.notice" ? [one.message] : []));

/** A server that tells these events, then that it was spoken to at last. */
async function heard(...events: Record<string, unknown>[]): Promise<Rig> {
  const last = events.length + 1;
  const rig = startVoice({ updates: [{ events: [...events, final(last, "the last words")] }] });
  await rig.until(() => rig.prompts().includes("the last words"));
  await rig.voice.stop();
  return rig;
}

// Bug: each of them was sent as a prompt.
describe("what a server writes in place of words is no prompt", () => {
  it.each([
    "None",
    "null",
    "undefined",
    "NaN",
    "[BLANK_AUDIO]",
    "(silence)",
    "[Music]",
    "♪",
    "*coughs*",
    "<unk>",
    "[noise]",
  ])("%s: it is listed, and can be sent", async (text) => {
    const rig = await heard(final(1, text));
    expect(rig.prompts()).toEqual(["the last words"]);
    expect(utterances(rig)[0]).toBe(`${text}: no words`);
    const entry = rig.voice.snapshot().entries.find((one) => one.text === text);
    expect(entry?.rule).toBe("no_words");
    rig.voice.sendAnyway(entry?.droppedId ?? "");
    expect(rig.prompts()).toEqual(["the last words", text]);
  });

  it("an error is said once", async () => {
    const error = "Transcription(text=None, error='rate limited')";
    const rig = await heard(final(1, error), final(2, error));
    expect(rig.prompts()).toEqual(["the last words"]);
    expect(notices(rig)).toEqual([
      "The speech server sends what Parley cannot read: an error in place of words (“rate limited”).",
    ]);
  });

  it("nor is what Whisper writes for silence", async () => {
    const rig = await heard(final(1, "Thanks for watching!"), final(2, "thank you"));
    expect(rig.prompts()).toEqual(["thank you", "the last words"]);
  });

  it("nor are names of sounds among words, and partials are without them, too", async () => {
    const partial = (seq: number, text: string) =>
      event(seq, "utterance_partial", { utterance_id: "u3", text });
    const rig = await heard(
      partial(1, "[coughs]"),
      partial(2, "[coughs] open"),
      final(3, "[coughs] open the file"),
    );
    expect(rig.prompts()).toEqual(["open the file", "the last words"]);
    expect(rig.events.flatMap((one) => (one.type === "voice.partial" ? [one.text] : []))).toEqual(["open"]);
  });
});

test("what is invisible, or turns the direction of reading, does not come into a prompt", async () => {
  const rig = await heard(final(1, "open \u202Eelif\u202C\u200B the\nfile\u{E0041}"));
  expect(rig.prompts()[0]).toBe("open elif the file");
});

describe("an utterance that is told again", () => {
  it("is heard once", async () => {
    const again = { ...final(2, "open the file"), utterance_id: "u1" };
    const rig = await heard(final(1, "open the file"), again);
    expect(rig.prompts()).toEqual(["open the file", "the last words"]);
  });

  it("with better words corrects the prompt that waits", async () => {
    const better = { ...final(2, "open the file"), utterance_id: "u1" };
    const rig = await heard(final(1, "open a file"), better);
    expect(rig.prompts()).toEqual(["open the file", "the last words"]);
    expect(utterances(rig)).toEqual([
      "open a file: sent",
      "open the file: corrected",
      "the last words: sent",
    ]);
  });

  it("is dictated once", async () => {
    const better = { ...final(2, "open the file"), utterance_id: "u1" };
    const rig = startVoice({
      ...{ updates: [], canWait: true, saysItListens: true },
      onStop: [final(1, "open a file"), better],
    });
    await rig.until(({ state }) => state === "listening");
    await rig.voice.dictate(rig.target, true);
    await rig.voice.stop();
    expect(rig.dictated).toEqual(["c1: open a file"]);
    expect(rig.prompts()).toEqual([]);
    expect(rig.voice.snapshot().entries.map(({ rule }) => rule)).toContain("too_late");
  });
});
