import { beforeAll, describe, expect, it } from "vitest";
import type { RecogniserModel } from "../../../../electron/stt-server/recognisers/recogniser.ts";
import { type SpottedPhrase, StopSpotter } from "../../../../electron/stt-server/recognisers/stop-spotter.ts";
import { openFlite } from "../../../../electron/voice/tts/flite.ts";
import { frameSamples, type SpokenOver, sampleRateHz } from "../../../../shared/voice/stt.ts";
import { clipPcm, embeddedModel, joinPcm, silence } from "../stt-in-process.ts";

const words = ["stop", "wait", "cancel", "never mind"];
let model: RecogniserModel;
beforeAll(async () => {
  model = await embeddedModel();
});

/**
 * @param isNear whether they are louder than an echo
 * @returns what was spotted, and how many milliseconds after the sound's first sample
 */
async function spotted(
  sounds: Partial<Record<SpokenOver, Int16Array>>,
  phrases: readonly string[] = words,
  isNear = true,
) {
  const spotter = StopSpotter.of(model, phrases);
  const found: (SpottedPhrase & { afterMs: number })[] = [];
  const longest = Math.max(...Object.values(sounds).map((sound) => sound.length));
  for (let from = 0; from + frameSamples <= longest; from += frameSamples) {
    for (const of of ["played", "cancelled", "cleaned"] as const) {
      const pcm = sounds[of]?.subarray(from, from + frameSamples);
      const said = pcm && (await spotter?.hear({ of, pcm, isFirst: from === 0, isNear }));
      if (said) found.push({ ...said, afterMs: ((from + frameSamples) * 1000) / sampleRateHz });
    }
  }
  spotter?.dispose();
  return found;
}

const leadMs = 1_000;
async function said(text: string, voice: "rms" | "awb" | "slt" = "rms", rate = 1) {
  const { pcm } = await (await openFlite(voice)).synthesise(text, rate);
  const from = pcm.findIndex((sample) => Math.abs(sample) > 500);
  return joinPcm([silence(leadMs), pcm.subarray(from), silence(1_000)]);
}

describe("a word to stop", () => {
  it.each([
    ["stop", "rms"],
    ["stop", "awb"],
    ["wait", "awb"],
    ["cancel", "rms"],
    ["never mind", "rms"],
  ] as const)("“%s” of %s is spotted in either stream before a second is over", async (word, voice) => {
    for (const of of ["cancelled", "cleaned"] as const) {
      const [first, ...more] = await spotted({ [of]: await said(word, voice) });
      expect(first).toMatchObject({ phrase: word, of });
      expect(first?.afterMs).toBeLessThan(leadMs + 1_000);
      expect(more).toEqual([]);
    }
  });

  it("of the user's own is spotted, and one that the model does not know is left out", async () => {
    const own = await spotted({ cleaned: await said("silence") }, ["silence", "xyzzyplugh"]);
    expect(own.map(({ phrase }) => phrase)).toEqual(["silence"]);
    expect(StopSpotter.of(model, ["xyzzyplugh"])).toBeNull();
  });

  it("that Parley says itself does not count, and the user's after it does", async () => {
    const own = await said("Then it will stop there and go on.", "slt");
    const echo = joinPcm([silence(150), own]);
    expect(await spotted({ played: own, cancelled: echo, cleaned: echo })).toEqual([]);
    const users = await said("stop", "rms");
    const both = joinPcm([echo, users]);
    const after = await spotted({ played: joinPcm([own, silence(3_000)]), cancelled: both });
    expect(after.map(({ phrase }) => phrase)).toEqual(["stop"]);
  });

  it("that is no louder than an echo does not count, whatever it sounds like", async () => {
    expect(
      await spotted({ cleaned: await said("stop"), cancelled: await said("wait") }, words, false),
    ).toEqual([]);
  });

  it("is rarely in what people say otherwise: they pause a reply by that, too", async () => {
    const speech = joinPcm(await Promise.all(["0870", "0880", "0890", "0920", "0930"].map(clipPcm)));
    expect((await spotted({ cleaned: speech }, ["stop", "wait", "cancel"])).length).toBeLessThan(2);
  });
});
