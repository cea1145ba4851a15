import { readFile } from "node:fs/promises";
import { resolve } from "node:path";
import type { AudioFrame, AudioSource } from "../../../electron/stt-server/audio/audio-source.ts";
import type { Clock } from "../../../electron/stt-server/clock.ts";
import { cacheFolder } from "../../../electron/stt-server/models/cache-folder.ts";
import { ModelStore } from "../../../electron/stt-server/models/model-store.ts";
import type { RecogniserModel } from "../../../electron/stt-server/recognisers/recogniser.ts";
import { Session, type SessionOptions } from "../../../electron/stt-server/session/session.ts";
import {
  frameSamples,
  type SttEvent,
  sampleRateHz,
  startSessionArguments,
} from "../../../shared/voice/stt.ts";

/** The embedded model, loaded as the server loads it. */
export function embeddedModel(): Promise<RecogniserModel> {
  return new ModelStore(process.env, cacheFolder(process.env, process.platform)).get({ language: "en" });
}

/** A clip's samples. */
export async function clipPcm(name: string): Promise<Int16Array> {
  const path = resolve(import.meta.dirname, `../../fixtures/audio/librivox_${name}.wav`);
  const data = (await readFile(path)).subarray(44);
  return Int16Array.from({ length: data.length >> 1 }, (_, i) => data.readInt16LE(i * 2));
}

export const silence = (ms: number) => new Int16Array(Math.round((ms * sampleRateHz) / 1000));

export function joinPcm(parts: Int16Array[]): Int16Array {
  const pcm = new Int16Array(parts.reduce((sum, part) => sum + part.length, 0));
  let at = 0;
  for (const part of parts) {
    pcm.set(part, at);
    at += part.length;
  }
  return pcm;
}

/** What is to be heard, or something to do between two frames. */
export type Step = Int16Array | (() => unknown);

/** A source whose sound is a script: each frame is asked for only after the one before was dealt with. */
export class ScriptedSource implements AudioSource {
  readonly hasGainControl: boolean;
  readonly canWait = true;
  readonly #steps: Step[];
  #closed = false;

  /** @param hasGainControl its loudness is set already */
  constructor(steps: Step[], hasGainControl = false) {
    this.#steps = steps;
    this.hasGainControl = hasGainControl;
  }

  open = async () => ({ deviceId: null, deviceName: null });

  async *frames(): AsyncGenerator<AudioFrame> {
    let sampleIndex = 0;
    for (const step of this.#steps) {
      if (typeof step === "function") {
        await step();
        continue;
      }
      for (let at = 0; at < step.length; at += frameSamples) {
        if (this.#closed) return;
        const pcm = new Int16Array(frameSamples);
        pcm.set(step.subarray(at, at + frameSamples));
        yield { sampleIndex, pcm };
        sampleIndex += frameSamples;
      }
    }
  }

  async close(): Promise<void> {
    this.#closed = true;
  }
}

/** Stands still until it is moved. No wait for a time ends but by what is waited for, however slow the machine is. */
export function movableClock(): Clock & { move(ms: number): void } {
  let now = Date.now();
  return {
    now: () => now,
    sleep: (_ms, signal) =>
      new Promise((_resolve, reject) => {
        signal?.addEventListener("abort", () => reject(signal.reason));
      }),
    move: (ms) => {
      now += ms;
    },
  };
}

/**
 * A whole session over a script. Unless a test wants otherwise its clock stands still: a slow machine is no silence.
 * @param steps gets the session, so that it can be changed between frames
 */
export async function hearAll(
  model: RecogniserModel,
  request: Record<string, unknown>,
  steps: (session: Session) => Step[],
  {
    clock = movableClock(),
    hasGainControl = false,
    ...helpers
  }: { clock?: Clock; hasGainControl?: boolean } & Pick<SessionOptions, "secondModel" | "stopModel"> = {},
): Promise<SttEvent[]> {
  const script: Step[] = [];
  const session = new Session({
    id: "s",
    request: startSessionArguments.parse(request),
    source: new ScriptedSource(script, hasGainControl),
    model,
    ...helpers,
    clock,
    onLevel: () => undefined,
  });
  script.push(...steps(session));
  await session.start();
  await session.ended;
  return session.log.read(0, 2000);
}
