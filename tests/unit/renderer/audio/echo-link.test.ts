import { MessageChannel, receiveMessageOnPort, type Transferable } from "node:worker_threads";
import fc from "fast-check";
import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import type { Frame, FromEchoWorker, ToEchoWorker } from "../../../../renderer/audio/echo/echo-messages.ts";
import { serveEcho } from "../../../../renderer/audio/echo/echo-service.ts";
import { type HeardFrame, MicSelector } from "../../../../renderer/audio/echo/mic-selector.ts";
import type { MicPath } from "../../../../renderer/audio/echo/near-speech.ts";
import { EchoLink, type EchoPort } from "../../../../renderer/audio/echo-link.ts";

/** Of frames in these tests the first sample says which moment they are of; those behind echo cancellation are negative. */
const frameOf = (moment: number): Frame => new Int16Array(512).fill(moment);

type Service = (post: (event: FromEchoWorker) => void) => (request: ToEchoWorker) => void;

/** A worker behind a real channel, that works when a test says so. */
class SteppedWorker implements EchoPort {
  onmessage: EchoPort["onmessage"] = null;
  onmessageerror: EchoPort["onmessageerror"] = null;
  onerror: EchoPort["onerror"] = null;
  isTerminated = false;
  readonly #channel = new MessageChannel();
  readonly #serve: (request: ToEchoWorker) => void;

  constructor(service: Service) {
    const { port2 } = this.#channel;
    this.#serve = service((event) =>
      port2.postMessage(event, event.type === "frame" ? [event.pcm.buffer] : []),
    );
  }

  postMessage(request: ToEchoWorker, transfer?: unknown): void {
    this.#channel.port1.postMessage(request, transfer as Transferable[]);
  }

  terminate(): void {
    this.isTerminated = true;
    this.#channel.port1.close();
  }

  /** It does what it was asked for next. @returns whether there was something */
  work(): boolean {
    const next = receiveMessageOnPort(this.#channel.port2);
    if (next) this.#serve(next.message);
    return next !== undefined;
  }

  /** The page gets its next answer. @returns whether there was one */
  answer(): boolean {
    const next = receiveMessageOnPort(this.#channel.port1);
    if (next) this.onmessage?.call(this as never, new MessageEvent("message", { data: next.message }));
    return next !== undefined;
  }

  finish(): void {
    while (this.work());
    while (this.answer());
  }

  break(message: string): void {
    this.onerror?.call(this as never, Object.assign(new Event("error"), { message }) as ErrorEvent);
  }
}

/** The real selector, which takes the path of the microphone that a test gives it. */
const selecting =
  (path: () => MicPath): Service =>
  (post) => {
    const selector = new MicSelector({
      get path() {
        return path();
      },
      cleaned: (pcm) => pcm,
    });
    const postAll = (heard: readonly HeardFrame[]) => {
      for (const { pcm, settled } of heard) {
        post({ type: "frame", microphone: 1, pcm: pcm.slice(), settled });
      }
    };
    return (request) => {
      if (request.type === "aec") postAll(selector.aec(request.pcm));
      if (request.type === "raw") postAll(selector.raw(request.pcm));
      if (request.type === "end") postAll(selector.end());
      if (request.type === "end") post({ type: "ended", microphone: request.microphone });
    };
  };

/** The worker's own. */
const own: Service = (post) => {
  let serve = (_: ToEchoWorker) => {};
  serveEcho({
    postMessage: (event) => post(event),
    addEventListener: (_, listener) => {
      serve = (data) => listener(new MessageEvent("message", { data }));
    },
  });
  return serve;
};

let now: number;
let problems: string[];
let workers: SteppedWorker[];
beforeEach(() => {
  now = 0;
  problems = [];
  workers = [];
  vi.useFakeTimers({ toFake: ["setTimeout", "clearTimeout"] });
});
afterEach(() => {
  for (const worker of workers) worker.terminate();
  vi.useRealTimers();
});

function linkTo(service: Service) {
  problems = [];
  const link = new EchoLink({
    start: () => {
      const worker = new SteppedWorker(service);
      workers.push(worker);
      return worker;
    },
    report: (problem) => problems.push(problem),
    now: () => now,
  });
  const heard: number[] = [];
  const indices: number[] = [];
  const open = () =>
    link.open("desk", {
      onFrame: ({ sampleIndex, pcm }) => {
        heard.push(pcm[0] ?? 0);
        indices.push(sampleIndex);
      },
      onLost: () => {},
    });
  const worker = () => {
    const latest = workers.at(-1);
    if (!latest) throw new Error("No worker was started.");
    return latest;
  };
  return { link, heard, indices, open, worker };
}

const range = (from: number, to: number) => Array.from({ length: to - from }, (_, index) => from + index);

/** What may happen next, in bursts: sounds come, the worker gets on, its answers arrive, the microphone's path changes. */
const step = fc.tuple(fc.constantFrom("aec", "raw", "work", "answer"), fc.integer({ min: 1, max: 20 }));

describe("what is heard of a microphone by way of the worker", () => {
  it("is what it chose, each frame once and in order, however busy it is", async () => {
    await fc.assert(
      fc.asyncProperty(
        fc.array(step, { maxLength: 80 }),
        fc.array(fc.constantFrom<MicPath>("aec", "delayed", "raw"), { minLength: 1, maxLength: 200 }),
        async (steps, paths) => {
          // Whoever is asked for the path gets the next of the same list, here and there.
          const next = () => {
            let asked = 0;
            return () => paths[Math.floor(asked++ / 7) % paths.length] ?? "aec";
          };
          const { heard, indices, open, worker } = linkTo(selecting(next()));
          const microphone = open();
          const expected: number[] = [];
          const alone = selecting(next())((event) => {
            if (event.type === "frame") expected.push(event.pcm[0] ?? 0);
          });
          const came = { aec: 0, raw: 0 };
          for (const [what, times] of steps) {
            for (let time = 0; time < times; time++) {
              if (what === "work") worker().work();
              else if (what === "answer") worker().answer();
              else {
                came[what] += 1;
                const sign = what === "aec" ? -1 : 1;
                const pcm = frameOf(sign * came[what]);
                alone({ type: what, microphone: 1, pcm: pcm.slice(), at: 0 });
                if (what === "aec") microphone.onFrame({ pcm: pcm });
                else microphone.raw(pcm, 0);
              }
            }
          }
          alone({ type: "end", microphone: 1 });
          const ended = microphone.end();
          worker().finish();
          await ended;
          expect(heard).toEqual(expected);
          expect(indices).toEqual(heard.map((_, index) => index * 512));
          expect(problems).toEqual([]);
        },
      ),
    );
  });

  it.each<MicPath>(["aec", "delayed", "raw"])(
    "is every moment once and in order when the worker dies, whatever it was doing, while it chose %s",
    async (path) => {
      await fc.assert(
        fc.asyncProperty(
          fc.array(step, { maxLength: 40 }),
          fc.array(step, { maxLength: 20 }),
          async (before, after) => {
            const { heard, indices, open, worker } = linkTo(selecting(() => path));
            const microphone = open();
            const came = { aec: 0, raw: 0 };
            const play = (steps: typeof before) => {
              for (const [what, times] of steps) {
                for (let time = 0; time < times; time++) {
                  if (what === "work") worker().work();
                  else if (what === "answer") worker().answer();
                  // Both are the same microphone: neither is half a second ahead.
                  else if (came[what] < Math.min(came.aec, came.raw) + 15) {
                    came[what] += 1;
                    if (what === "aec") microphone.onFrame({ pcm: frameOf(-came.aec) });
                    else microphone.raw(frameOf(came.raw), 0);
                  }
                }
              }
            };
            play(before);
            worker().break("out of memory");
            play(after);
            await microphone.end();
            const moments = heard.map(Math.abs);
            expect(moments).toEqual(range(1, moments.length + 1));
            expect(moments.length).toBeGreaterThanOrEqual(came.aec);
            expect(indices).toEqual(heard.map((_, index) => index * 512));
            expect(worker().isTerminated).toBe(true);
            expect(problems).toEqual([expect.stringContaining("out of memory")]);
          },
        ),
      );
    },
  );

  it("is the sound behind echo cancellation at once where the worker cannot be started, and that is said", async () => {
    const heard: number[] = [];
    const link = new EchoLink({
      start: () => {
        throw new Error("Refused by the policy");
      },
      report: (problem) => problems.push(problem),
      now: () => now,
    });
    const microphone = link.open("desk", { onFrame: ({ pcm }) => heard.push(pcm[0] ?? 0), onLost: () => {} });
    link.playing(true);
    link.played(new Float32Array(512), 0);
    for (const moment of range(1, 6)) {
      microphone.raw(frameOf(moment), 0);
      microphone.onFrame({ pcm: frameOf(-moment) });
      expect(heard.at(-1)).toBe(-moment);
    }
    await microphone.end();
    expect(heard).toEqual([-1, -2, -3, -4, -5]);
    expect(problems[0]).toContain("Refused by the policy");
    expect(problems[0]).toContain("as echo cancellation leaves it");
  });

  it("needs the worker no more once that has kept a frame for three seconds", () => {
    const { heard, open, worker } = linkTo(selecting(() => "aec"));
    const microphone = open();
    for (const moment of range(1, 95)) {
      microphone.onFrame({ pcm: frameOf(-moment) });
      now += 32;
    }
    expect(heard).toEqual([]);
    microphone.onFrame({ pcm: frameOf(-95) });
    expect(heard).toEqual(range(1, 96).map((moment) => -moment));
    expect(problems).toEqual([expect.stringContaining("nothing came from it for 3 s")]);
    // What it still has to say is not heard a second time.
    worker().finish();
    expect(heard).toHaveLength(95);
  });

  it("comes by another worker when the next microphone is opened", async () => {
    const { heard, open, worker } = linkTo(selecting(() => "aec"));
    worker().break("");
    const microphone = open();
    expect(workers).toHaveLength(2);
    microphone.onFrame({ pcm: frameOf(-1) });
    expect(heard).toEqual([]);
    worker().finish();
    expect(heard).toEqual([-1]);
    expect(problems).toEqual([expect.stringContaining("it could not be started")]);
  });

  it("is all there before it ends; a worker that is still busy after half a second is not waited for", async () => {
    const { heard, open, worker } = linkTo(selecting(() => "delayed"));
    const first = open();
    for (const moment of range(1, 31)) first.onFrame({ pcm: frameOf(-moment) });
    let hasEnded = false;
    const ended = first.end().then(() => {
      hasEnded = true;
    });
    await vi.advanceTimersByTimeAsync(499);
    expect(hasEnded).toBe(false);
    worker().work();
    for (const _ of range(0, 20)) worker().work();
    for (const _ of range(0, 20)) worker().answer();
    expect(heard).toEqual([-1, -2, -3, -4]);
    await vi.advanceTimersByTimeAsync(1);
    await ended;
    expect(heard).toEqual(range(1, 31).map((moment) => -moment));
    worker().finish();
    expect(heard).toHaveLength(30);
    expect(problems).toEqual([]);
  });
});

it("the worker's own service tells once that somebody speaks over a reply", () => {
  const { link, open, worker } = linkTo(own);
  let told = 0;
  link.onNearSpeech(() => {
    told += 1;
  });
  const microphone = open();
  const tone = (level: number) =>
    Int16Array.from({ length: 512 }, (_, at) => Math.sin(at / 5) * level * 0x7fff * Math.SQRT2);
  const hear = (frames: number, level: number) => {
    for (let count = 0; count < frames; count++) {
      microphone.onFrame({ pcm: frameOf(-1) });
      microphone.raw(tone(level), 0);
      worker().finish();
    }
  };
  hear(32, 0.001);
  link.playing(true);
  hear(32, 0.001);
  expect(told).toBe(0);
  hear(16, 0.05);
  expect(told).toBe(1);
});
