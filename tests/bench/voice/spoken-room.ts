import { setImmediate as turn } from "node:timers/promises";
import { InMemoryTransport } from "@modelcontextprotocol/sdk/inMemory.js";
import { windowInputs } from "../../../electron/stt-server/audio/audio-inputs.ts";
import { AudioWindow } from "../../../electron/stt-server/audio/audio-window.ts";
import { cacheFolder, modelsFolder } from "../../../electron/stt-server/models/cache-folder.ts";
import { ModelManager } from "../../../electron/stt-server/models/model-manager.ts";
import { ModelStore } from "../../../electron/stt-server/models/model-store.ts";
import type { Recogniser, RecogniserModel } from "../../../electron/stt-server/recognisers/recogniser.ts";
import { serveClient } from "../../../electron/stt-server/server.ts";
import { Sessions } from "../../../electron/stt-server/session/sessions.ts";
import { VoiceService } from "../../../electron/voice/session/voice-service.ts";
import type { Speaker, SpeechPart } from "../../../electron/voice/speaking/speaker.ts";
import { SpeechOutput } from "../../../electron/voice/speaking/speech-output.ts";
import { SttClient } from "../../../electron/voice/stt/stt-client.ts";
import type { FromEchoWorker, ToEchoWorker } from "../../../renderer/audio/echo/echo-messages.ts";
import { serveEcho } from "../../../renderer/audio/echo/echo-service.ts";
import { EchoLink, type EchoPort } from "../../../renderer/audio/echo-link.ts";
import type { AgentEvent } from "../../../shared/conversation/events.ts";
import type { MessagePortLike } from "../../../shared/port-transport.ts";
import { defaultSettings } from "../../../shared/settings.ts";
import type { PlaybackEvent } from "../../../shared/voice/speech.ts";
import {
  type AudioReply,
  type AudioRequest,
  frameMs,
  frameSamples,
  sampleRateHz,
} from "../../../shared/voice/stt.ts";
import { FakeClock } from "../../fakes/clock.ts";
import { FakeVoiceTarget } from "../../fakes/stt/voice-target.ts";
import { type Room, SoundRoom } from "./sound-room.ts";

/** How loud what the stand-in for the browser's echo cancellation leaves is while the loudspeaker sounds, and so long after. */
export interface Canceller {
  share: number;
  afterMs: number;
}

/**
 * Parley in a room that is reckoned, in a time that is reckoned: what hears and speaks is the app's own (echo worker, speech
 * server, its recognisers, gate, speech output); the devices, and the browser's echo cancellation, are stood in for.
 */
export async function openSpokenRoom(room: Room, canceller: Canceller, synthesise: Synthesise) {
  const clock = new FakeClock();
  const sound = new SoundRoom(room);
  const target = new FakeVoiceTarget();
  const busy = { count: 0 };
  const player = new RoomPlayer(clock, synthesise);
  const echo = new EchoLink({
    start: echoWorker,
    report: (problem) => {
      throw new Error(problem);
    },
    now: () => clock.now(),
  });
  player.echo = echo;
  echo.onNearSpeech(() => player.tell({ type: "near_speech", turn: player.turn, id: 0 }));
  const speech = new SpeechOutput({
    speaker: player,
    clock,
    settings: () => settings,
    target: () => ({ emit: (body) => target.emit(body), note: () => {} }),
    onAudible: () => {},
  });
  const port = new RoomPort(echo);
  const client = await connect(port, clock, busy);
  const voice = new VoiceService({
    connect: async () => client,
    settings: () => settings,
    clock,
    replies: speech,
  });
  const events: AgentEvent[] = [];
  target.subscribe((event) => {
    events.push({ ...event, at: clock.now() });
    speech.hear(event);
  });

  /** Until nothing is recognised any more, and all that came of it was dealt with. */
  const settle = async () => {
    for (let quiet = 0; quiet < 8; quiet++) {
      await turn();
      if (busy.count > 0) quiet = 0;
    }
  };
  let loudUntil = 0;
  /** A frame of time. */
  const step = async () => {
    clock.advance(frameMs);
    const played = player.next();
    if (played.some((sample) => Math.abs(sample) > 1e-4)) loudUntil = clock.now() + canceller.afterMs;
    const heard = sound.hear(played);
    echo.played(played, clock.now());
    const left = clock.now() <= loudUntil ? canceller.share : 1;
    port.microphone?.raw(heard.slice(), clock.now());
    port.microphone?.onFrame({ pcm: heard.map((sample) => sample * left) });
    await settle();
  };
  voice.start(target, { source: "microphone" });
  for (let count = 0; count < 40; count++) await step();
  return {
    clock,
    target,
    /** Of the conversation, at the room's time. */
    events,
    speech,
    sound,
    step,
    /** Lets so much time pass. */
    async pass(ms: number) {
      for (let passed = 0; passed < ms; passed += frameMs) await step();
    },
    /** Voice is switched off and on again. */
    async restart() {
      const stopped = voice.stop();
      for (let count = 0; count < 40; count++) await step();
      await stopped;
      voice.start(target, { source: "microphone" });
      for (let count = 0; count < 40; count++) await step();
    },
    async close() {
      speech.stop();
      void voice.stop();
      for (let count = 0; count < 100; count++) await step();
      await client.close();
    },
  };
}

export type Synthesise = (text: string) => Promise<Int16Array>;
export type SpokenRoom = Awaited<ReturnType<typeof openSpokenRoom>>;

const settings = { ...defaultSettings, "voice.speak": "never" as const };

/** The echo worker's work, without a thread of its own. */
function echoWorker(): EchoPort {
  let serve = (_: ToEchoWorker) => {};
  const port: EchoPort = {
    onmessage: null,
    onmessageerror: null,
    onerror: null,
    postMessage: (request: ToEchoWorker) => serve(request),
    terminate: () => {},
  };
  serveEcho({
    postMessage: (event: FromEchoWorker) =>
      Reflect.apply(port.onmessage ?? (() => {}), port, [new MessageEvent("message", { data: event })]),
    addEventListener: (_, listener) => {
      serve = (data) => listener(new MessageEvent("message", { data }));
    },
  });
  return port;
}

/** The audio page's end of the port, with one microphone. */
class RoomPort implements MessagePortLike {
  microphone: ReturnType<EchoLink["open"]> | null = null;
  readonly #echo: EchoLink;
  #receive: (event: unknown) => void = () => {};

  constructor(echo: EchoLink) {
    this.#echo = echo;
  }

  on(event: "message" | "close", listener: (event: never) => void): void {
    if (event === "message") this.#receive = listener as (event: unknown) => void;
  }

  start(): void {}
  close(): void {}

  postMessage(request: AudioRequest): void {
    const reply = (data: AudioReply) => this.#receive({ data });
    if (request.type === "list") {
      reply({ type: "devices", request: request.request, capture: [] });
      return;
    }
    const { stream } = request;
    if (request.type === "close") {
      this.microphone = null;
      reply({ type: "closed", stream });
      return;
    }
    this.microphone = this.#echo.open("room", {
      onFrame: (frame) => reply({ type: "frame", stream, ...frame }),
      onOver: (over) => reply({ type: "over", stream, ...over }),
      onLost: () => {},
    });
    queueMicrotask(() => reply({ type: "opened", stream, deviceId: "room", deviceName: "Room" }));
  }
}

/** Plays sentences in the room's time. */
class RoomPlayer implements Speaker {
  echo: EchoLink | null = null;
  turn = 0;
  readonly #clock: FakeClock;
  readonly #synthesise: Synthesise;
  #tell: (event: PlaybackEvent) => void = () => {};
  #parts: { id: number; pcm: Int16Array; at: number }[] = [];
  #coming = 0;
  #isPaused = false;

  constructor(clock: FakeClock, synthesise: Synthesise) {
    this.#clock = clock;
    this.#synthesise = synthesise;
  }

  onEvent(listener: (event: PlaybackEvent) => void): void {
    this.#tell = listener;
  }

  tell(event: PlaybackEvent): void {
    this.#tell(event);
  }

  prepare(): void {}
  open(): void {}
  setVolume(): void {}
  chime(): void {}

  begin(turn: number): void {
    this.turn = turn;
    this.#parts = [];
    this.#coming = 0;
    this.#isPaused = false;
    this.echo?.playing(false);
  }

  say({ turn, id, text }: SpeechPart): void {
    this.#coming += 1;
    void this.#synthesise(text).then((pcm) => {
      if (turn !== this.turn) return;
      this.#coming -= 1;
      this.#parts.push({ id, pcm, at: 0 });
    });
  }

  pause(): void {
    this.#isPaused = true;
    this.echo?.paused(true);
  }

  resume(): void {
    this.#isPaused = false;
    this.echo?.paused(false);
  }

  /** The next frame. */
  next(): Float32Array<ArrayBuffer> {
    const frame = new Float32Array(frameSamples);
    for (let at = 0; at < frameSamples && !this.#isPaused; at++) {
      const [part] = this.#parts;
      if (!part) break;
      if (part.at === 0) {
        this.echo?.playing(true);
        this.#tell({ type: "started", turn: this.turn, id: part.id, at: this.#clock.now() });
      }
      frame[at] = (part.pcm[part.at++] ?? 0) / 0x8000;
      if (part.at < part.pcm.length) continue;
      this.#parts.shift();
      if (this.#parts.length + this.#coming === 0) this.echo?.playing(false);
      this.#tell({ type: "ended", turn: this.turn, id: part.id });
    }
    const [part] = this.#parts;
    if (part) {
      const ms = (samples: number) => (samples * 1000) / sampleRateHz;
      const { id, at, pcm } = part;
      this.#tell({ type: "position", turn: this.turn, id, playedMs: ms(at), totalMs: ms(pcm.length) });
    }
    return frame;
  }
}

/** Parley's own speech server, behind its protocol. `busy` counts what is being recognised. */
async function connect(port: RoomPort, clock: FakeClock, busy: { count: number }): Promise<SttClient> {
  const window = new AudioWindow();
  window.attach(port);
  const manager = new ModelManager({
    folder: modelsFolder(process.env, process.platform),
    catalogue: [],
    problem: null,
    fetch,
    clock,
  });
  const models = new WatchedModels(process.env, cacheFolder(process.env, process.platform));
  models.busy = busy;
  let sessions = 0;
  const newId = () => `session-${++sessions}`;
  const inputs = windowInputs(window, clock);
  const [near, far] = InMemoryTransport.createLinkedPair();
  await serveClient(new Sessions({ inputs, models, manager, clock, newId }), far);
  return await SttClient.connect(near);
}

/** Models whose recognisers tell when they are at work. */
class WatchedModels extends ModelStore {
  busy = { count: 0 };

  override async get(request: { language: string; model?: string | undefined }): Promise<RecogniserModel> {
    const model = await super.get(request);
    const { createGrammarRecogniser, knowsWord } = model;
    return {
      ...model,
      createRecogniser: (options) => this.#watched(model.createRecogniser(options)),
      ...(createGrammarRecogniser && {
        createGrammarRecogniser: (phrases: readonly string[]) =>
          this.#watched(createGrammarRecogniser(phrases)),
      }),
      ...(knowsWord && { knowsWord }),
    };
  }

  #watched(recogniser: Recogniser): Recogniser {
    const watch = async <T>(work: Promise<T>): Promise<T> => {
      this.busy.count += 1;
      try {
        return await work;
      } finally {
        this.busy.count -= 1;
      }
    };
    return {
      accept: (pcm) => watch(recogniser.accept(pcm)),
      finish: () => watch(recogniser.finish()),
      ...(recogniser.readings && { readings: () => watch(recogniser.readings?.() ?? Promise.resolve([])) }),
      dispose: () => recogniser.dispose(),
    };
  }
}
