import { MessageChannel, type MessagePort as NodePort } from "node:worker_threads";
import { afterEach, beforeEach, expect, it, vi } from "vitest";
import type { Player } from "../../../../renderer/audio/player.ts";
import type { PlaybackEvent } from "../../../../shared/voice/speech.ts";

/** Longer than an output without anything to play is kept, in milliseconds. */
const longer = 5_000;
/** Samples that the audio thread asks for at a time. */
const block = 128;

/** The audio thread: the real processor, and a clock that goes on when a test says so. */
interface Processor {
  process(inputs: Float32Array[][], outputs: Float32Array[][]): boolean;
}
let processor: Processor | null;
let outputs: { isClosed: boolean }[];
/** Of the next outputs that are opened. */
let failures: Error[];
let ports: NodePort[];
let told: PlaybackEvent[];
/** How loud each output was when it was opened. */
let gains: unknown[];
let player: Player;

beforeEach(async () => {
  vi.useFakeTimers({ toFake: ["setTimeout", "clearTimeout"] });
  processor = null;
  outputs = [];
  failures = [];
  ports = [];
  told = [];
  gains = [];
  let Registered: (new () => Processor) | undefined;
  let forProcessor: NodePort | undefined;
  const node = { connect: (next: unknown) => next };
  vi.stubGlobal("sampleRate", 16_000);
  vi.stubGlobal(
    "AudioWorkletProcessor",
    class {
      port = forProcessor;
    },
  );
  vi.stubGlobal("registerProcessor", (_name: string, made: new () => Processor) => {
    Registered = made;
  });
  vi.stubGlobal(
    "AudioContext",
    class {
      isClosed = false;
      currentTime = 0;
      baseLatency = 0;
      sampleRate = 16_000;
      destination = node;
      audioWorklet = { addModule: async () => {} };
      constructor() {
        outputs.push(this);
      }
      async resume() {
        const failure = failures.shift();
        if (failure) throw failure;
      }
      async close() {
        this.isClosed = true;
      }
    },
  );
  vi.stubGlobal(
    "AudioWorkletNode",
    class {
      port: NodePort;
      connect = node.connect;
      constructor() {
        const { port1, port2 } = new MessageChannel();
        ports.push(port1, port2);
        this.port = port1;
        forProcessor = port2;
        processor = Registered ? new Registered() : null;
      }
    },
  );
  vi.stubGlobal(
    "GainNode",
    class {
      gain = { setTargetAtTime: () => {} };
      connect = node.connect;
      constructor(_context: unknown, options: { gain: number }) {
        gains.push(options.gain);
      }
    },
  );
  vi.stubGlobal(
    "OscillatorNode",
    class {
      connect = node.connect;
      start() {}
      stop() {}
    },
  );
  vi.resetModules();
  await import("../../../../renderer/audio/playback-worklet.ts");
  const module = await import("../../../../renderer/audio/player.ts");
  player = new module.Player((event) => told.push(event), { played() {}, playing() {}, paused() {} });
});
afterEach(() => {
  for (const port of ports) port.close();
  vi.useRealTimers();
  vi.unstubAllGlobals();
});

const samples = (turn: number, id: number, ms: number) => ({
  type: "samples" as const,
  turn,
  id,
  sampleRateHz: 16_000,
  pcm: new Int16Array(ms * 16).fill(1000),
});
/** Lets the audio thread play for so long, in its own time. @returns whether anything was heard */
function sound(ms: number): boolean {
  let isAudible = false;
  for (let done = 0; done < ms * 16; done += block) {
    const out = new Float32Array(block);
    processor?.process([], [[out]]);
    isAudible ||= out.some((sample) => sample !== 0);
  }
  return isAudible;
}
/** Both threads read what the other sent. */
async function delivered(): Promise<void> {
  for (let turn = 0; turn < 5; turn++) await new Promise((resolve) => setImmediate(resolve));
}
const news = () =>
  told.flatMap((event) => (event.type === "position" ? [] : [`${event.type} ${event.turn}/${event.id}`]));

// Bug: the first sentence of the first reply was lost where its samples came before the word that its turn begins.
it("plays samples that are ahead of the word that their turn begins, which then takes nothing away", async () => {
  player.play(samples(1, 1, 100));
  await delivered();
  player.begin(1);
  player.play(samples(1, 2, 100));
  await delivered();
  sound(250);
  await delivered();
  expect(news()).toEqual(["started 1/1", "ended 1/1", "started 1/2", "ended 1/2"]);
});

it("is not held up by a pause that was for the turn before", async () => {
  player.begin(1);
  player.play(samples(2, 1, 100));
  player.pause(true);
  player.begin(2);
  await delivered();
  sound(150);
  await delivered();
  expect(news()).toEqual(["started 2/1", "ended 2/1"]);
});

it("plays nothing more of a turn once there is a later one", async () => {
  player.begin(1);
  player.play(samples(1, 1, 100));
  await delivered();
  sound(50);
  player.play(samples(2, 3, 100));
  player.play(samples(1, 2, 100));
  player.begin(1);
  await delivered();
  sound(300);
  await delivered();
  expect(news()).toEqual(["started 2/3", "ended 2/3"]);
});

// Bug: a part that came in the moment when the one before ended was cut off after three seconds, for good.
it("keeps the output open for a part that comes while the one before ends", async () => {
  player.begin(1);
  player.play(samples(1, 1, 100));
  await delivered();
  sound(100);
  player.play(samples(1, 2, longer));
  await delivered();
  vi.advanceTimersByTime(longer);
  await delivered();
  expect(outputs).toMatchObject([{ isClosed: false }]);
  sound(longer);
  await delivered();
  expect(news().at(-1)).toBe("ended 1/2");
  vi.advanceTimersByTime(longer);
  await delivered();
  expect(outputs).toMatchObject([{ isClosed: true }]);
});

// Bug: the note that says that listening ends also ended the reply.
it("keeps the output open for a reply that a chime sounds over", async () => {
  player.begin(1);
  player.play(samples(1, 1, longer));
  await delivered();
  await player.chime("stop");
  vi.advanceTimersByTime(longer);
  await delivered();
  expect(outputs).toMatchObject([{ isClosed: false }]);
});

// Bug: an output that could not be opened once was not tried again.
it("tells that the output could not be opened, and tries again with the next sentence", async () => {
  failures.push(new Error("The device is busy"));
  player.begin(1);
  player.play(samples(1, 1, 100));
  await delivered();
  expect(told).toEqual([{ type: "failed", turn: 1, id: 1, message: "Error: The device is busy" }]);
  expect(outputs).toMatchObject([{ isClosed: true }]);
  player.play(samples(1, 2, 100));
  await delivered();
  sound(150);
  await delivered();
  expect(news().slice(1)).toEqual(["started 1/2", "ended 1/2"]);
});

it("says a sentence once that comes twice, as from a speech process that was started again", async () => {
  player.begin(1);
  player.play(samples(1, 1, 100));
  player.play(samples(1, 1, 100));
  await delivered();
  sound(100);
  expect(sound(200)).toBe(false);
  await delivered();
  expect(news()).toEqual(["started 1/1", "ended 1/1"]);
});

it("plays nothing of a turn that was over before its output was open", async () => {
  player.begin(1);
  player.play(samples(1, 1, 100));
  player.begin(2);
  await delivered();
  expect(sound(200)).toBe(false);
});

it("is as loud as was asked for before its output was open", async () => {
  player.setVolume(0.25);
  player.begin(1);
  player.play(samples(1, 1, 100));
  await delivered();
  expect(gains).toEqual([0.25]);
});

// Bug: another voice in the middle of a reply cut the sentence off, and the reply never ended.
it("plays what one voice says to its end before another one of another rate goes on", async () => {
  player.begin(1);
  player.play(samples(1, 1, 200));
  await delivered();
  sound(50);
  player.play({ ...samples(1, 2, 100), sampleRateHz: 24_000 });
  player.play(samples(1, 3, 100));
  await delivered();
  expect(outputs).toMatchObject([{ isClosed: false }]);
  for (let part = 0; part < 3; part++) {
    sound(400);
    await delivered();
  }
  const parts = [1, 2, 3].flatMap((id) => [`started 1/${id}`, `ended 1/${id}`]);
  expect(news()).toEqual(parts);
  expect(outputs).toMatchObject([{ isClosed: true }, { isClosed: true }, { isClosed: false }]);
});
