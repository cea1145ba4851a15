import { beforeAll, describe, expect, it } from "vitest";
import { ModelStore } from "../../../../electron/stt-server/models/model-store.ts";
import type { RecogniserModel } from "../../../../electron/stt-server/recognisers/recogniser.ts";
import { spreadWords } from "../../../../electron/stt-server/recognisers/sherpa-words.ts";
import { openFlite } from "../../../../electron/voice/tts/flite.ts";
import { testFolders } from "../../../fixtures/folders.ts";
import { talkingMoonshine } from "../../../fixtures/onnx-moonshine.ts";
import { finalsOf } from "../stt-client.ts";
import { clipPcm, embeddedModel, hearAll, joinPcm, type Step, silence } from "../stt-in-process.ts";

const folders = testFolders("second");

let vosk: RecogniserModel;
beforeAll(async () => {
  vosk = await embeddedModel();
});

/** A model that says this, whatever it hears. */
async function moonshine(said: string): Promise<RecogniserModel> {
  const folder = await folders.make(said.replaceAll(/\W/g, "-"), talkingMoonshine(said));
  return new ModelStore({}, folders.root).get({ language: "en", model: folder });
}

/** What Vosk hears as a recogniser without times and confidences tells it. @param written how it writes a word */
const wordless = (written: (text: string) => string): RecogniserModel => ({
  name: "wordless",
  createRecogniser: (options) => {
    const inner = vosk.createRecogniser(options);
    return {
      accept: async (pcm) => written(await inner.accept(pcm)),
      finish: async () => {
        const text = written((await inner.finish()).text);
        return { text, words: spreadWords(text, { startMs: 0, endMs: 1000 }) };
      },
      dispose: () => inner.dispose(),
    };
  },
  dispose: () => undefined,
});

const heard = async (
  model: RecogniserModel,
  request: Record<string, unknown>,
  steps: Step[],
  second?: RecogniserModel,
) =>
  finalsOf(
    // A recording: it waits for a slow computer.
    await hearAll(model, { source: "file", ...request }, () => steps, { secondModel: second }),
  );

const said = async (text: string, voice: "slt" | "rms" = "slt") =>
  joinPcm([silence(500), (await (await openFlite(voice)).synthesise(text, 0.9)).pcm, silence(1500)]);

describe("a recogniser that tells no times", () => {
  it("hears the user's words all the same, with the punctuation that it wrote", async () => {
    const model = await moonshine("Tell zore vath, hello.");
    const pcm = await said("Tell Zorvath hello.");
    const [without] = await heard(model, {}, [pcm]);
    expect(without?.text).toBe("Tell zore vath, hello.");
    // Nobody knows how sure it is.
    expect(without).not.toHaveProperty("confidence");
    expect(without?.words?.map(({ word }) => word)).toEqual(["Tell", "zore", "vath,", "hello."]);
    expect(without?.words?.[0]).not.toHaveProperty("confidence");
    const starts = without?.words?.map(({ start_ms }) => start_ms) ?? [];
    expect(starts).toEqual([...starts].sort((one, other) => one - other));
    expect(starts[0]).toBeGreaterThanOrEqual((without?.start_ms ?? 0) - 200);
    expect(without?.words?.at(-1)?.end_ms).toBeLessThanOrEqual((without?.end_ms ?? 0) + 200);
    const [taught] = await heard(model, { hot_words: ["Zorvath"] }, [pcm]);
    expect(taught?.text).toBe("Tell Zorvath, hello.");
  });

  it("hears no word of the user's in what is nothing like it", async () => {
    const model = await moonshine("The mural of the town.");
    const [final] = await heard(model, { hot_words: ["Tavora", "Lydia"] }, [
      await said("The mural of the town."),
    ]);
    expect(final?.text).toBe("The mural of the town.");
  });
});

describe("a second listener", () => {
  it("makes the words doubtful that it heard otherwise, and tells its readings", async () => {
    const model = await moonshine("Please call the otter now.");
    const [final] = await heard(model, {}, [await said("Please call the doctor now.")], vosk);
    expect(final?.text).toBe("Please call the otter now.");
    const doubtful = final?.words?.filter(({ confidence = 1 }) => confidence < 0.6) ?? [];
    expect(doubtful.map(({ word }) => word)).toEqual(["otter"]);
    expect(doubtful[0]?.alternatives).toContain("doctor");
    expect(final?.alternatives?.length).toBeGreaterThan(0);
    expect(final?.alternatives?.some((reading) => reading.includes("doctor"))).toBe(true);
    expect(final?.alternatives?.length).toBeLessThanOrEqual(8);
  });

  it("leaves what both heard as sure as it is, with times of its own, in real speech", async () => {
    const steps = [await clipPcm("0870"), silence(1500)];
    const truly =
      "Mr. John Dashwood had then leisure to consider how much there might be prudently in his power to do for them.";
    const [first] = await heard(vosk, {}, steps);
    const [both] = await heard(await moonshine(truly), {}, steps, vosk);
    expect(both?.text).toBe(truly);
    expect(both?.confidence).toBeGreaterThan(0.85);
    for (const name of ["Dashwood", "leisure", "consider", "power"]) {
      const startOf = (final: typeof both) =>
        final?.words?.find(({ word }) => word.toLowerCase() === name.toLowerCase())?.start_ms ?? 0;
      expect(both?.words?.find(({ word }) => word === name)?.confidence, name).toBe(1);
      expect(Math.abs(startOf(both) - startOf(first)), name).toBeLessThan(200);
    }
  });

  it("hears the user's words by its readings, and none where both agree", async () => {
    const pcm = await said("Please write a letter to Pelmarch about it.");
    const sure = wordless(() => "Please write a letter to Palmer about it.");
    const [name] = await heard(sure, { hot_words: ["Pelmarch"] }, [pcm], vosk);
    expect(name?.text).toBe("Please write a letter to Pelmarch about it.");
    const mural = await said("They painted a mural on the wall.");
    const [plain] = await heard(
      wordless((text) => text),
      {},
      [mural],
      vosk,
    );
    const [taught] = await heard(
      wordless((text) => text),
      { hot_words: ["Mirelle"] },
      [mural],
      vosk,
    );
    expect(taught?.text).toBe(plain?.text);
  });

  it("reads digits out again by a closed grammar, and leaves those that were written in digits", async () => {
    const pcm = await said("four two seven nine three", "rms");
    const [words] = await heard(await moonshine("For to seven nine three."), {}, [pcm], vosk);
    expect(words?.text).toBe("four two seven nine three");
    expect(words?.alternatives).toContain("For to seven nine three.");
    const [digits] = await heard(await moonshine("42793."), {}, [pcm], vosk);
    expect(digits?.text).toBe("42793.");
    // What is digits already is not taken for others.
    const [others] = await heard(await moonshine("Four two seven nine nine."), {}, [pcm], vosk);
    expect(others?.text).toBe("Four two seven nine nine.");
    expect(others?.words?.at(-1)?.alternatives).toContain("three");
  });

  it("waits for a wake phrase and tells short commands", async () => {
    const model = await moonshine("Hello there.");
    const steps = [await said("Computer."), await said("Hello there.")];
    const finals = await heard(model, { wake_phrase: "computer" }, steps, vosk);
    expect(finals.map(({ text }) => text)).toContain("Hello there.");
    const [command] = await heard(
      await moonshine("Sport."),
      { commands: ["stop"] },
      [await said("Stop.")],
      vosk,
    );
    expect(command?.command).toBe("stop");
  });
});

// Bug: models other than Vosk knew of no language but English what wants more, and of that only a list of words.
it("tells a second listener's first model what hardly any sentence ends with", async () => {
  const [before, after] = await Promise.all([
    said("Please give them several"),
    said("letters for the doctor."),
  ]);
  // Longer than what ends a sentence, with what the voice leaves, shorter than what ends one that wants more.
  const withPause = joinPcm([before.slice(0, before.length - 28_800), after]);
  const written = (text: string) => (text === "" ? "" : `${text.charAt(0).toUpperCase()}${text.slice(1)}.`);
  const textsOf = async (second?: RecogniserModel) =>
    (await heard(wordless(written), {}, [withPause], second)).map(({ text }) => text);
  expect(await textsOf()).toEqual(["Please give them several.", expect.stringMatching(/ the doctor\.$/)]);
  expect(await textsOf(vosk)).toEqual([
    expect.stringMatching(/^Please give them several\. .* the doctor\.$/),
  ]);
});
