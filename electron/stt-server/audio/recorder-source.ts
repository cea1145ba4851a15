import { type ChildProcessByStdio, spawn } from "node:child_process";
import { once } from "node:events";
import type { Readable } from "node:stream";
import type { Clock } from "../clock.ts";
import { SttError } from "../stt-error.ts";
import type { AudioFrame, AudioSource, OpenedSource } from "./audio-source.ts";
import { FrameQueue } from "./frame-queue.ts";
import { Framer } from "./framer.ts";
import { isPulseMuted, listPulseDevices } from "./pulse-devices.ts";
import { type RecorderRequest, recorderCommand } from "./recorder.ts";

type Recorder = ChildProcessByStdio<null, Readable, Readable>;

/** A recorder that has sent nothing after this long counts as open all the same: an idle device may be silent. */
const firstAudioMs = 2000;
/** How long a recorder may take to end before it is killed. */
const endMs = 1000;

/** Recorders that run: they end with this process, however it exits. After kill -9 their broken pipe ends them. */
const running = new Set<Recorder>();
process.on("exit", () => {
  for (const recorder of running) recorder.kill("SIGKILL");
});

/** A sound device through the system's recorder, as a child process. */
export class RecorderSource implements AudioSource {
  readonly #request: RecorderRequest & { deviceName?: string | undefined };
  readonly #clock: Clock;
  readonly #queue = new FrameQueue();
  #recorder: Recorder | undefined;
  /** undefined: the default. */
  #deviceId: string | undefined;
  #closed = false;

  constructor(request: RecorderRequest & { deviceName?: string | undefined }, clock: Clock) {
    this.#request = request;
    this.#clock = clock;
  }

  async open(signal: AbortSignal): Promise<OpenedSource> {
    const device = await findDevice(this.#request);
    this.#deviceId = device.deviceId ?? undefined;
    const request = { ...this.#request, deviceId: this.#deviceId };
    const { program, args } = await recorderCommand(request, process.env);
    signal.throwIfAborted();
    const recorder = spawn(program, args, { stdio: ["ignore", "pipe", "pipe"] });
    this.#recorder = recorder;
    running.add(recorder);
    this.#read(recorder, program);
    await this.#firstAudio(recorder, signal);
    return device;
  }

  frames(): AsyncIterable<AudioFrame> {
    return this.#queue;
  }

  async isMuted(): Promise<boolean | null> {
    return await isPulseMuted(this.#deviceId);
  }

  async close(): Promise<void> {
    this.#closed = true;
    const recorder = this.#recorder;
    if (recorder && running.has(recorder)) {
      const ended = new AbortController();
      recorder.once("close", () => ended.abort());
      recorder.kill("SIGTERM");
      await this.#clock.sleep(endMs, ended.signal).then(
        () => recorder.kill("SIGKILL"),
        () => undefined,
      );
    }
    this.#queue.end();
  }

  #read(recorder: Recorder, program: string): void {
    const framer = new Framer(this.#request.rateHz);
    let odd: Buffer = Buffer.alloc(0);
    recorder.stdout.on("data", (data: Buffer) => {
      const bytes = odd.length > 0 ? Buffer.concat([odd, data]) : data;
      const samples = new Float32Array(bytes.length >> 1);
      for (let i = 0; i < samples.length; i++) samples[i] = bytes.readInt16LE(i * 2) / 32_768;
      odd = bytes.subarray(samples.length * 2);
      for (const frame of framer.push(samples)) this.#queue.push(frame);
    });
    let said = "";
    recorder.stderr.on("data", (data: Buffer) => {
      said = (said + data.toString()).slice(-500);
    });
    const end = (why: string) => {
      running.delete(recorder);
      this.#queue.end(this.#closed ? undefined : recorderEnded(program, why, this.#request.kind));
    };
    recorder.on("error", (error) => end(error.message));
    recorder.on("close", (code, signal) => end(said.trim() || (signal ?? `exit code ${code}`)));
  }

  /** Waits for the first samples, so that a recorder which cannot connect fails the start and not later. */
  async #firstAudio(recorder: Recorder, signal: AbortSignal): Promise<void> {
    const waiting = new AbortController();
    const patience = this.#clock.sleep(firstAudioMs, AbortSignal.any([signal, waiting.signal]));
    try {
      await Promise.race([
        patience,
        once(recorder.stdout, "data", { signal: waiting.signal }),
        once(recorder, "close", { signal: waiting.signal }),
      ]);
    } finally {
      waiting.abort();
      await patience.catch(() => undefined);
    }
    // A dead recorder has ended the queue with the reason; reading it here says it to whoever starts the session.
    if (!running.has(recorder)) for await (const _ of this.#queue) break;
  }
}

function recorderEnded(program: string, why: string, kind: RecorderRequest["kind"]): SttError {
  const what = kind === "loopback" ? "the system's sound" : "the microphone";
  return new SttError(
    "recorder_ended",
    `Recording ${what} ended (${program}: ${why}). See that PulseAudio or PipeWire runs, then start listening again.`,
  );
}

async function findDevice(
  request: RecorderRequest & { deviceName?: string | undefined },
): Promise<OpenedSource> {
  if (request.deviceId !== undefined) return { deviceId: request.deviceId, deviceName: null };
  if (request.deviceName === undefined) return { deviceId: null, deviceName: null };
  const { capture = [], warning } = await listPulseDevices();
  const wanted = request.deviceName.toLowerCase();
  const match = capture.find((device) => device.name.toLowerCase().includes(wanted));
  if (match) return { deviceId: match.id, deviceName: match.name };
  const names = capture.map((device) => `“${device.name}”`).join(", ") || "none";
  throw new SttError(
    "NotFoundError",
    warning ?? `No microphone's name contains “${request.deviceName}”. The microphones are: ${names}.`,
  );
}
