import { spawn } from "node:child_process";
import { once } from "node:events";
import { mkdtemp, readFile, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import {
  getSessionResult,
  listModelsResult,
  type SttEvent,
  sttInfo,
  sttTool,
} from "../../../shared/voice/stt.ts";
import { wordErrors } from "../../bench/word-errors.ts";
import { makeWav } from "../../fixtures/audio/make-wav.ts";
import { programPath } from "../../fixtures/built-programs.ts";
import { finalsOf, type SttClient } from "./stt-client.ts";
import { connectStdio } from "./stt-program.ts";

const audio = resolve(import.meta.dirname, "../../fixtures/audio");
const clip = (name: string) => join(audio, `librivox_${name}.wav`);

let stt: SttClient;
let folder: string;
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), "parley-stt-"));
  stt = await connectStdio();
});
afterAll(async () => {
  await stt.close();
  await rm(folder, { recursive: true });
});

async function clipSamples(name: string): Promise<number[]> {
  const pcm = (await readFile(clip(name))).subarray(44);
  return Array.from({ length: pcm.length / 2 }, (_, i) => pcm.readInt16LE(i * 2) / 32_768);
}

async function wavOf(name: string, samples: ArrayLike<number>, format = {}): Promise<string> {
  const path = join(folder, name);
  await writeFile(path, makeWav(samples, format));
  return path;
}

const recorded = new Map<string, Promise<SttEvent[]>>();

/** What the server says of a whole clip; recognised once for all tests that ask. */
function eventsOf(name: string): Promise<SttEvent[]> {
  const events = recorded.get(name) ?? stt.transcribe(join(audio, `${name}.wav`));
  recorded.set(name, events);
  return events;
}

const seconds = (count: number) => new Array<number>(count * 16_000).fill(0);
const types = (events: SttEvent[]) => events.map(({ type }) => type);

async function references(): Promise<Map<string, string>> {
  const lines = (await readFile(join(audio, "transcripts.txt"), "utf8")).trim().split("\n");
  return new Map(lines.map((line) => [line.split("|")[0] ?? "", line.split("|")[1] ?? ""]));
}

describe("the speech-to-text server over stdio", () => {
  it("lists its tools, with the arguments a client may send", async () => {
    const { tools } = await stt.client.listTools();
    expect(tools.map(({ name }) => name)).toEqual(Object.values(sttTool));
    const start = tools.find(({ name }) => name === sttTool.startSession);
    expect(Object.keys(start?.inputSchema.properties ?? {})).toEqual(
      expect.arrayContaining([
        "source",
        "path",
        "mic_device_id",
        "language",
        "sample_rate",
        "endpointing_ms",
      ]),
    );
    expect(start?.inputSchema.required ?? []).toEqual([]);
  });

  it("recognises real recordings, with words, times and confidence", async () => {
    let errors = 0;
    let words = 0;
    for (const [name, transcript] of await references()) {
      const finals = finalsOf(await eventsOf(name));
      expect(finals).toHaveLength(1);
      const [final] = finals;
      const wrong = wordErrors(transcript, final?.text ?? "");
      errors += wrong.errors;
      words += wrong.words;
      expect(final?.words?.map(({ word }) => word).join(" ")).toBe(final?.text);
      expect(final?.confidence).toBeGreaterThan(0.5);
      expect(final?.reason).toBe("endpoint");
      const startMs = final?.start_ms ?? Number.NaN;
      const endMs = final?.end_ms ?? Number.NaN;
      expect(startMs).toBeLessThan(500);
      for (const word of final?.words ?? []) {
        expect(word.start_ms).toBeGreaterThan(startMs - 700);
        expect(word.end_ms).toBeLessThan(endMs + 300);
      }
    }
    expect(words).toBeGreaterThan(60);
    expect(errors / words).toBeLessThan(0.35);
  });

  it("tells what happens in order, and never the same partial twice", async () => {
    const events = await eventsOf("librivox_0880");
    expect(events.map(({ seq }) => seq)).toEqual(events.map((_, index) => index + 1));
    const milestones = types(events).filter((type) => type !== "utterance_partial");
    expect(milestones).toEqual(["info", "speech_start", "speech_end", "utterance_final", "info"]);
    expect(events[0]).toMatchObject({ message: sttInfo.audioStarted });
    expect(events.at(-1)).toMatchObject({ message: sttInfo.sourceEnded });
    const partials = events.flatMap((event) => (event.type === "utterance_partial" ? [event] : []));
    expect(partials.length).toBeGreaterThan(3);
    partials.slice(1).forEach((partial, index) => {
      expect(partial.text).not.toBe(partials[index]?.text);
    });
    const [final] = finalsOf(events);
    expect(new Set(partials.map(({ utterance_id }) => utterance_id))).toEqual(new Set([final?.utterance_id]));
  });

  it("finds where speech ends in the samples", async () => {
    const ends: Record<string, number> = JSON.parse(await readFile(join(audio, "speech-ends.json"), "utf8"));
    for (const [name, sample] of Object.entries(ends)) {
      const events = await eventsOf(name);
      expect(Math.abs((finalsOf(events)[0]?.end_ms ?? Number.NaN) - sample / 16)).toBeLessThan(140);
    }
  });

  it("makes recordings with pauses between them separate utterances, each word in exactly one", async () => {
    const names = ["0880", "0930", "0890"];
    const samples: number[] = [];
    for (const name of names) samples.push(...(await clipSamples(name)), ...seconds(2));
    const finals = finalsOf(await stt.transcribe(await wavOf("joined.wav", samples)));
    const transcripts = await references();
    expect(finals).toHaveLength(names.length);
    finals.forEach((final, index) => {
      const wrong = wordErrors(transcripts.get(`librivox_${names[index]}`) ?? "", final.text);
      expect(wrong.errors / wrong.words).toBeLessThan(0.5);
    });
    const words = finals.flatMap((final) => final.words ?? []);
    words.slice(1).forEach((word, index) => {
      expect(word.start_ms).toBeGreaterThanOrEqual((words[index]?.end_ms ?? 0) - 20);
    });
  });

  it("reads other rates, depths and channels", async () => {
    const samples = await clipSamples("0930");
    const stereo48: number[] = [];
    for (let i = 0; i < samples.length * 3; i++) {
      const left = samples[Math.floor(i / 3)] ?? 0;
      stereo48.push(left, left);
    }
    const path = await wavOf("stereo.wav", stereo48, { rateHz: 48_000, channels: 2, bits: 32, code: 3 });
    const [final] = finalsOf(await stt.transcribe(path));
    const wrong = wordErrors((await references()).get("librivox_0930") ?? "", final?.text ?? "");
    expect(wrong.errors / wrong.words).toBeLessThan(0.5);
  });

  it("makes no utterance of five minutes of silence, nor of white noise", { timeout: 600_000 }, async () => {
    let seed = 1;
    const noise = Array.from({ length: 300 * 16_000 }, () => {
      seed = (seed * 1_103_515_245 + 12_345) % 2 ** 31;
      return (seed / 2 ** 30 - 1) * 0.3;
    });
    for (const samples of [seconds(300), noise]) {
      const events = await stt.transcribe(await wavOf("no-speech.wav", samples));
      expect(finalsOf(events)).toEqual([]);
      expect(types(events)).not.toContain("utterance_partial");
      expect(events.at(-1)).toMatchObject({ message: sttInfo.sourceEnded });
    }
  });

  it("cuts an utterance that is longer than max_utterance_ms and loses none of it", async () => {
    const finals = finalsOf(await stt.transcribe(clip("0870"), { max_utterance_ms: 2500 }));
    expect(finals.map(({ reason }) => reason)).toEqual(["max_length", "max_length", "endpoint"]);
    for (const { start_ms = Number.NaN, end_ms = Number.NaN } of finals)
      expect(end_ms - start_ms).toBeLessThanOrEqual(2500);
    const heard = finals.map(({ text }) => text).join(" ");
    const wrong = wordErrors((await references()).get("librivox_0870") ?? "", heard);
    expect(wrong.errors / wrong.words).toBeLessThan(0.5);
  });

  it("flushes what is being said when it is stopped, and stays readable", async () => {
    const sessionId = await stt.start({ source: "file", path: clip("0870"), pace: "realtime" });
    const said = (events: SttEvent[]) =>
      events.some((event) => event.type === "utterance_partial" && event.text.split(" ").length >= 5);
    const { events: before, status } = await stt.read(sessionId, said);
    expect(status).toBe("running");
    const stopped = await stt.stop(sessionId);
    expect(stopped).toMatchObject({ status: "stopped", stable_chunk_count: 1, error_count: 0 });
    const { events } = await stt.read(sessionId, undefined, before);
    expect(finalsOf(events)).toHaveLength(1);
    const [final] = finalsOf(events);
    expect(final?.reason).toBe("session_stop");
    expect(final?.text).toMatch(/john dashwood/);
    expect(await stt.stop(sessionId)).toEqual(stopped);
    const described = getSessionResult.parse(await stt.call(sttTool.getSession, { session_id: sessionId }));
    expect(described).toMatchObject({ status: "stopped", latest_transcript: final?.text, language: "en" });
    expect(described.next_seq).toBe((events.at(-1)?.seq ?? 0) + 1);
  });

  it("changes a session while it listens, and says how it stands then", async () => {
    const sessionId = await stt.start({ source: "file", path: clip("0870"), pace: "realtime" });
    const update = (changes: object) =>
      stt.call(sttTool.updateSession, { session_id: sessionId, ...changes });
    expect(await update({ endpointing_ms: 800, muted: true })).toMatchObject({
      endpointing_ms: 800,
      utterance_end_ms: 1000,
      max_utterance_ms: 30_000,
      muted: true,
    });
    expect(await update({})).toMatchObject({ endpointing_ms: 800, muted: true });
    await expect(update({ endpointing_ms: 5 })).rejects.toThrow(/endpointing_ms/);
    await expect(stt.call(sttTool.updateSession, { session_id: "stt-none" })).rejects.toThrow(/no session/);
    const isMuted = (events: SttEvent[]) =>
      events.some((event) => event.type === "info" && event.message === sttInfo.muted);
    expect((await stt.read(sessionId, isMuted)).status).toBe("running");
    await stt.stop(sessionId);
  });

  it("lists models that can be downloaded, and refuses one that it does not list", async () => {
    const { models } = listModelsResult.parse(await stt.call(sttTool.listModels));
    expect(models.map(({ id }) => id)).toContain("zipformer-en");
    await expect(stt.call(sttTool.downloadModel, { model: "nova" })).rejects.toThrow(/“nova”.*zipformer-en/);
    await expect(
      stt.start({ source: "file", path: clip("0880"), model: "vosk-small-de-0.15" }),
    ).rejects.toThrow(/does not know the language “en”/);
  });

  it("forgets sessions that ended long ago, but not the latest", async () => {
    const path = await wavOf("short.wav", new Array<number>(1600).fill(0));
    const ids: string[] = [];
    for (let i = 0; i < 22; i++) {
      ids.push(await stt.start({ source: "file", path, pace: "fast" }));
      await stt.read(ids[i] ?? "");
    }
    await expect(stt.stop(ids[0] ?? "")).rejects.toThrow("no session");
    expect(await stt.stop(ids[21] ?? "")).toMatchObject({ status: "stopped" });
  });

  it.each([
    [{ source: "file", path: "/nowhere/a.wav" }, /no file \/nowhere\/a\.wav/],
    [{ source: "file", path: audio }, /is a folder/],
    [{ source: "file", path: join(audio, "transcripts.txt") }, /not a WAV file.*ffmpeg/],
    [{ source: "file" }, /needs `path`/],
    [{ source: "microphone", path: "/a.wav" }, /source “file” only/],
    [{ source: "radio" }, /source/],
    [{ sample_rate: 4000 }, /sample_rate/],
    [{ source: "file", path: clip("0880"), language: "fr" }, /“fr”.*PARLEY_STT_MODEL/],
    [{ source: "file", path: clip("0880"), model: "nova-2" }, /no speech model “nova-2”/],
  ])("refuses %j in words", async (args, words) => {
    await expect(stt.call(sttTool.startSession, args)).rejects.toThrow(words);
  });

  it("refuses an unknown session and an unreadable range in words", async () => {
    await expect(stt.stop("stt-none")).rejects.toThrow(/no session “stt-none”.*stt_start_session/);
    await expect(stt.call(sttTool.getUpdates, { session_id: "x", limit: 501 })).rejects.toThrow(/limit/);
  });

  it("says where a model belongs when the release has none", async () => {
    const bare = await connectStdio({
      ...process.env,
      PARLEY_STT_MODEL: join(folder, "none"),
    });
    try {
      await expect(bare.start({ source: "file", path: clip("0880") })).rejects.toThrow(
        /PARLEY_STT_MODEL.*not the folder/,
      );
    } finally {
      await bare.close();
    }
  });

  it("writes nothing but JSON-RPC to standard output, and exits when its input ends", async () => {
    const child = spawn(process.execPath, [programPath("stt-stdio")], { stdio: ["pipe", "pipe", "ignore"] });
    const output: Buffer[] = [];
    child.stdout.on("data", (data: Buffer) => output.push(data));
    const send = (message: object) =>
      child.stdin.write(`${JSON.stringify({ jsonrpc: "2.0", ...message })}\n`);
    const lines = () => Buffer.concat(output).toString().split("\n");
    const answered = async (id: number) => {
      while (!lines().some((line) => line.includes(`"id":${id}`) && line.endsWith("}")))
        await once(child.stdout, "data");
    };
    send({
      id: 1,
      method: "initialize",
      params: {
        protocolVersion: "2025-06-18",
        capabilities: {},
        clientInfo: { name: "bytes", version: "1" },
      },
    });
    await answered(1);
    send({ method: "notifications/initialized" });
    const call = (id: number, name: string, args: object) =>
      send({ id, method: "tools/call", params: { name, arguments: args } });
    call(2, sttTool.startSession, { source: "file", path: clip("0880"), pace: "fast" });
    await answered(2);
    call(3, sttTool.startSession, { source: "file", path: "/nowhere.wav" });
    call(4, sttTool.startSession, { source: "file", path: clip("0880"), model: "/nowhere" });
    await Promise.all([answered(3), answered(4)]);
    child.stdin.end();
    const [code] = await once(child, "close");
    expect(code).toBe(0);
    const text = Buffer.concat(output).toString();
    expect(text.endsWith("\n")).toBe(true);
    for (const line of text.trimEnd().split("\n")) expect(JSON.parse(line)).toMatchObject({ jsonrpc: "2.0" });
  });

  it("exits cleanly on SIGTERM", async () => {
    const child = spawn(process.execPath, [programPath("stt-stdio")], { stdio: ["pipe", "pipe", "ignore"] });
    child.stdin.write(
      `${JSON.stringify({
        jsonrpc: "2.0",
        id: 1,
        method: "initialize",
        params: {
          protocolVersion: "2025-06-18",
          capabilities: {},
          clientInfo: { name: "term", version: "1" },
        },
      })}\n`,
    );
    await once(child.stdout, "data");
    child.kill("SIGTERM");
    expect(await once(child, "close")).toEqual([0, null]);
  });
});
