import { mkdir, mkdtemp, readdir, readFile, rm, stat, utimes, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { beforeAll, describe, expect, it } from "vitest";
import type { RecogniserModel } from "../../../../electron/stt-server/recognisers/recogniser.ts";
import { openFlite } from "../../../../electron/voice/tts/flite.ts";
import { GainControl } from "../../../../shared/voice/gain-control.ts";
import { frameSamples, type SttEvent, sampleRateHz, sttInfo } from "../../../../shared/voice/stt.ts";
import { finalsOf } from "../stt-client.ts";
import {
  clipPcm,
  embeddedModel,
  hearAll,
  joinPcm,
  movableClock,
  type Step,
  silence,
} from "../stt-in-process.ts";

let model: RecogniserModel;
const clips = new Map<string, Int16Array>();
beforeAll(async () => {
  model = await embeddedModel();
  for (const name of ["0870", "0880", "0890", "0920", "0930"]) clips.set(name, await clipPcm(name));
});

const clip = (name: string) => clips.get(name) ?? new Int16Array(0);
const infos = (events: SttEvent[], message: string) =>
  events.flatMap((event) => (event.type === "info" && event.message === message ? [event] : []));
const epochsOf = (events: SttEvent[]) =>
  infos(events, sttInfo.audioStarted).map(({ payload }) => Number(Reflect.get(Object(payload), "epoch_ms")));
const texts = (events: SttEvent[]) => finalsOf(events).map(({ text }) => text);
const louder = (pcm: Int16Array, gain: number) => pcm.map((sample) => sample * gain);

/** The first and the last word as the same recogniser hears them, as loud, when nothing decides what it is given. */
async function ungated(pcm: Int16Array) {
  const recogniser = model.createRecogniser();
  const gain = new GainControl();
  let lowest = Number.POSITIVE_INFINITY;
  for (let at = 0; at < pcm.length; at += frameSamples) {
    gain.follow(pcm.subarray(at, at + frameSamples));
    lowest = Math.min(lowest, gain.gain);
  }
  await recogniser.accept(pcm.map((sample) => sample * lowest));
  const { words } = await recogniser.finish();
  recogniser.dispose();
  return { startMs: words[0]?.startMs ?? Number.NaN, endMs: words.at(-1)?.endMs ?? Number.NaN };
}

describe("what a session hears", { timeout: 180_000 }, () => {
  it.each([
    [300, 1, ["0870", "0880"]],
    [710, 0.4, ["0890", "0930"]],
    [1290, 1.6, ["0920"]],
  ])(
    "keeps the first and the last word, %i ms into the session at gain %d",
    async (beforeMs, gain, names) => {
      for (const name of names) {
        const pcm = joinPcm([silence(beforeMs), louder(clip(name), gain), silence(700)]);
        const all = await ungated(pcm);
        const words = finalsOf(await hearAll(model, {}, () => [pcm])).flatMap((final) => final.words ?? []);
        // Where it is doubtful which word it was, that there is one at its place is what counts.
        expect(Math.abs((words[0]?.start_ms ?? Number.NaN) - all.startMs)).toBeLessThan(150);
        expect(Math.abs((words.at(-1)?.end_ms ?? Number.NaN) - all.endMs)).toBeLessThan(150);
      }
    },
  );

  it("drops what comes while it is muted, and says how much", async () => {
    const events = await hearAll(model, {}, (session) => [
      joinPcm([clip("0880"), silence(1500)]),
      () => session.update({ muted: true }),
      joinPcm([clip("0870"), silence(1000)]),
      () => session.update({ muted: false }),
      joinPcm([clip("0930"), silence(1500)]),
    ]);
    const finals = finalsOf(events);
    expect(finals).toHaveLength(2);
    expect(finals[0]?.text).toMatch(/young man/);
    expect(finals[1]?.text).toMatch(/himself/);
    expect(texts(events).join(" ")).not.toMatch(/dashwood/);
    const mutedMs = (clip("0870").length / 16_000) * 1000 + 1000;
    const [unmuted] = infos(events, sttInfo.unmuted);
    const payload = JSON.parse(JSON.stringify(unmuted?.payload));
    expect(Math.abs(payload.gap_ms - mutedMs)).toBeLessThan(100);
    expect(infos(events, sttInfo.muted)).toHaveLength(1);
    // Times go on through the gap.
    expect(finals[1]?.start_ms).toBeGreaterThan(payload.offset_ms);
  });

  it("makes what was being said an utterance when it is muted", async () => {
    const long = clip("0870");
    const events = await hearAll(model, {}, (session) => [
      long.subarray(0, 40_000),
      () => session.update({ muted: true }),
      long.subarray(40_000),
    ]);
    expect(finalsOf(events)).toMatchObject([{ reason: "muted", text: expect.stringMatching(/dashwood/) }]);
  });

  it("takes other silences while it listens", async () => {
    const steps: Step[] = [clip("0880"), silence(850), clip("0930"), silence(2500)];
    expect(texts(await hearAll(model, {}, () => steps))).toHaveLength(2);
    const changed = await hearAll(model, {}, (session) => [
      clip("0880").subarray(0, 16_000),
      () => session.update({ endpointingMs: 1500, utteranceEndMs: 2000 }),
      clip("0880").subarray(16_000),
      ...steps.slice(1),
    ]);
    expect(texts(changed)).toHaveLength(1);
  });

  it("tells what doubtful words may have been instead", async () => {
    const script = [clip("0890"), silence(1000), clip("0920"), silence(1000)];
    const events = await hearAll(model, {}, () => script);
    const words = finalsOf(events).flatMap((final) => final.words ?? []);
    expect(words.some(({ confidence = 0 }) => confidence >= 0.6)).toBe(true);
    for (const word of words) {
      if ((word.confidence ?? 0) >= 0.6) expect(word.alternatives).toBeUndefined();
      else expect(word.alternatives ?? []).not.toContain(word.word);
    }
    expect(words.flatMap(({ alternatives = [] }) => alternatives).length).toBeGreaterThan(0);
  });

  it("tells what else an utterance may be as a whole where it is not sure, and nothing where it is", async () => {
    const script = [clip("0890"), silence(1000), clip("0920"), silence(1000), clip("0870"), silence(1000)];
    const finals = finalsOf(await hearAll(model, {}, () => script));
    expect(finals).toHaveLength(3);
    for (const { text, alternatives = [], words = [] } of finals) {
      if (alternatives.length > 0) expect(words.some(({ confidence = 1 }) => confidence < 0.6)).toBe(true);
      expect(alternatives).not.toContain(text);
      expect(new Set(alternatives).size).toBe(alternatives.length);
      expect(alternatives.length).toBeLessThanOrEqual(8);
    }
    expect(finals.flatMap(({ alternatives = [] }) => alternatives).length).toBeGreaterThan(5);
  });

  it("hears only the phrases of a grammar", async () => {
    const grammar = ["He might even have been made amiable himself", "open the door"];
    const steps = [clip("0880"), silence(1200), clip("0930"), silence(1200), clip("0890"), silence(1200)];
    const events = await hearAll(model, { grammar }, () => steps);
    expect(texts(events)).toEqual(["he might even have been made amiable himself"]);
    expect(events.filter(({ type }) => type === "utterance_partial").length).toBeLessThan(3);
  });

  it("waits for the wake phrase, hears what follows it, and sleeps again", async () => {
    const events = await hearAll(model, { wake_phrase: "John Dashwood" }, () => [
      joinPcm([clip("0930"), silence(1200)]),
      joinPcm([clip("0870"), silence(1200)]),
      joinPcm([clip("0880"), silence(10_000)]),
      joinPcm([clip("0930"), silence(1200)]),
    ]);
    const [woken, followUp, ...more] = finalsOf(events);
    expect(woken?.text).toMatch(/^(\w+ )?then leisure to consider/);
    expect(followUp?.text).toMatch(/young man/);
    expect(more).toEqual([]);
    // The words' times are those of the sound, not of the part that was recognised.
    expect(woken?.words?.[0]?.start_ms).toBeGreaterThan((woken?.start_ms ?? 0) + 1000);
    expect(infos(events, sttInfo.wakePhrase)).toHaveLength(1);
    expect(infos(events, sttInfo.asleep)).toHaveLength(1);
    const seqOf = (message: string) => infos(events, message)[0]?.seq ?? 0;
    expect(seqOf(sttInfo.wakePhrase)).toBeLessThan(woken?.seq ?? 0);
    expect(seqOf(sttInfo.asleep)).toBeGreaterThan(followUp?.seq ?? 0);
  });

  it("refuses a wake phrase that the model cannot hear", async () => {
    await expect(hearAll(model, { wake_phrase: "hey zzzq" }, () => [])).rejects.toThrow(/“zzzq”/);
    await expect(hearAll(model, { grammar: ["…"] }, () => [])).rejects.toThrow(/no words/);
  });

  it("says that the computer slept, ends what was being said, and sets its clock anew", async () => {
    const clock = movableClock();
    const long = clip("0870");
    const events = await hearAll(
      model,
      { source: "microphone" },
      () => [
        long.subarray(0, 40_000),
        () => clock.move(3_600_000),
        silence(500),
        clip("0880"),
        silence(1500),
      ],
      { clock },
    );
    const [before, after, ...more] = finalsOf(events);
    expect(before?.text).toMatch(/dashwood/);
    expect(after?.text).toMatch(/young man/);
    expect(more).toEqual([]);
    const warnings = events.filter(({ type }) => type === "warning");
    expect(warnings).toMatchObject([{ message: expect.stringMatching(/3600 s.*asleep/) }]);
    const epochs = epochsOf(events);
    const slept = events.findIndex(({ type }) => type === "warning");
    // No time passes here but the sleep: the next epoch is later by it, less what was played until then.
    const moved = (epochsOf(events.slice(slept))[0] ?? 0) - (epochs[0] ?? 0);
    expect(3_600_000 - moved).toBeGreaterThan(2000);
    expect(3_600_000 - moved).toBeLessThan(3000);
  });

  it("tells when words were spoken though the first sound of the session had to wait for it", async () => {
    const clock = movableClock();
    const startedAt = clock.now();
    const spoken = joinPcm([silence(320), clip("0880"), silence(1500)]);
    const waitedMs = 960;
    const waited = (waitedMs * sampleRateHz) / 1000;
    const frames: Step[] = [() => clock.move(waitedMs)];
    for (let at = 0; at < spoken.length; at += frameSamples) {
      if (at >= waited) frames.push(() => clock.move((frameSamples * 1000) / sampleRateHz));
      frames.push(spoken.subarray(at, at + frameSamples));
    }
    const events = await hearAll(model, { source: "microphone" }, () => frames, { clock });
    const [final, ...more] = finalsOf(events);
    expect(more).toEqual([]);
    const until = events.findIndex(({ type }) => type === "utterance_final");
    expect(epochsOf(events.slice(0, until)).at(-1)).toBe(startedAt);
    // The silence that ends a turn lies between the last word and its final.
    const spokenAt = startedAt + (final?.end_ms ?? 0);
    expect(Date.parse(final?.timestamp_utc ?? "") - spokenAt).toBeGreaterThanOrEqual(500);
  });

  it("tells a stop word that was said alone and is not clear by its sound, and takes no other word for one", async () => {
    const commands = ["stop", "cancel", "zzzq"];
    const voice = await openFlite("rms");
    const heard = async (text: string, request: Record<string, unknown> = { commands }) => {
      const { pcm } = await voice.synthesise(text, 0.9);
      const events = await hearAll(model, request, () => [joinPcm([silence(800), pcm, silence(1500)])]);
      return finalsOf(events).map(({ command = null }) => command);
    };
    // The recogniser takes them for "john" and "can sure".
    expect(await heard("Stop.")).toEqual(["stop"]);
    expect(await heard("Cancel.")).toEqual(["cancel"]);
    expect(await heard("Stop.", {})).toEqual([null]);
    for (const other of ["Yes.", "Hello.", "What?"]) expect(await heard(other)).not.toContain("stop");
    expect(await heard("Please do not stop what you are doing there now.")).not.toContain("stop");
    // Nothing but the wake phrase wakes it.
    expect(await heard("Stop.", { commands, wake_phrase: "hey computer" })).toEqual([]);
    expect(await heard("Zero.", { commands: ["zzzq"] })).toEqual([null]);
  });

  it("records what it hears only when asked, without what is muted, and deletes what is old", async () => {
    const folder = await mkdtemp(join(tmpdir(), "parley-record-"));
    const record_to = join(folder, "kept");
    await mkdir(record_to);
    const old = new Date(Date.now() - 8 * 24 * 3_600_000);
    for (const name of ["parley-old.wav", "mine.wav"]) {
      await writeFile(join(record_to, name), "x");
      await utimes(join(record_to, name), old, old);
    }
    try {
      const before = await readdir(folder);
      await hearAll(model, {}, () => [clip("0880")]);
      expect(await readdir(folder)).toEqual(before);
      const events = await hearAll(model, { record_to }, (session) => [
        clip("0880"),
        () => session.update({ muted: true }),
        clip("0870"),
        () => session.update({ muted: false }),
        clip("0930"),
      ]);
      const names = (await readdir(record_to)).sort();
      expect(names).toEqual(["mine.wav", expect.stringMatching(/^parley-.*\.wav$/)]);
      const path = join(record_to, names[1] ?? "");
      expect(infos(events, sttInfo.recording)).toMatchObject([{ payload: { path } }]);
      expect((await stat(path)).mode & 0o077).toBe(0);
      const frames = (pcm: Int16Array) => Math.ceil(pcm.length / 512) * 512;
      const heard = (frames(clip("0880")) + frames(clip("0930"))) * 2;
      const wav = await readFile(path);
      expect(wav.length).toBe(44 + heard);
      expect(wav.readUInt32LE(40)).toBe(heard);
      await expect(hearAll(model, { record_to: path }, () => [])).rejects.toThrow(/cannot be written/);
    } finally {
      await rm(folder, { recursive: true });
    }
  });
});
