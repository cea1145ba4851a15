import { EventEmitter } from "node:events";
import { afterEach, beforeEach, expect, test, vi } from "vitest";
import { AudioWindow } from "../../../../electron/desktop/audio/audio-window.ts";
import { SpeechProcess, speechKeptMs } from "../../../../electron/desktop/audio/speech-process.ts";
import type { PlaybackEvent } from "../../../../shared/voice/speech.ts";

type Sent = { type: string; [key: string]: unknown };

class FakePort extends EventEmitter {
  readonly sent: Sent[] = [];
  postMessage(message: Sent): void {
    this.sent.push(message);
  }
  start(): void {}
}

/** The utility processes and the ports that were made, oldest first. */
const electron = vi.hoisted(() => ({ children: [] as FakePort[], ports: [] as FakePort[] }));
vi.mock("electron", () => ({
  utilityProcess: {
    fork: () => {
      const child = new FakePort();
      electron.children.push(child);
      return child;
    },
  },
  MessageChannelMain: class {
    readonly port1 = new FakePort();
    readonly port2 = new FakePort();
    constructor() {
      electron.ports.push(this.port1);
    }
  },
  net: {},
  protocol: {},
  BrowserWindow: class {
    readonly webContents = new FakePort();
    loadURL = async () => {};
    destroy(): void {}
  },
}));

/** As the system tells it. */
class FakeAudioWindow extends AudioWindow {
  #gone = () => {};
  override onGone(listener: () => void): void {
    this.#gone = listener;
  }
  die(): void {
    this.#gone();
  }
}

let audio: FakeAudioWindow;
let isWanted: boolean;
let speech: SpeechProcess;
let heard: PlaybackEvent[];
beforeEach(() => {
  electron.children = [];
  electron.ports = [];
  heard = [];
  audio = new FakeAudioWindow("preload.js", () => {});
  isWanted = false;
  vi.useFakeTimers({ toFake: ["setTimeout", "clearTimeout"] });
  speech = new SpeechProcess({
    entry: "speech.js",
    audio,
    env: {},
    isWanted: () => isWanted,
    onLog: () => {},
  });
  speech.onEvent((event) => heard.push(event));
  speech.begin(1);
});

afterEach(() => {
  vi.useRealTimers();
});

const sentence = {
  ...{ turn: 1, id: 7, text: "Hello.", voice: "model:big", rate: 1 },
  ...{ speaker: 3, language: "en" },
};
/** What the window is told, over every port that it ever had. */
const told = () => electron.ports.flatMap(({ sent }) => sent.map(({ type }) => type));

const made = () => electron.children.flatMap(({ sent }) => sent.filter(({ type }) => type === "make"));
const voicesMade = () => made().map(({ voice, speaker }) => `${voice} ${speaker}`);
const otherVoice = {
  ...{ type: "other_voice", turn: 1, id: 7 },
  message: expect.stringContaining("the voice “model:big” crashed twice (code 255)"),
};

test("a sentence over which the process dies is made three times, at last by the embedded voice, then given up", () => {
  speech.say(sentence);
  for (let death = 0; death < 3; death++) electron.children.at(-1)?.emit("exit", 255);
  expect(voicesMade()).toEqual(["model:big 3", "model:big 3", "slt 0"]);
  expect(heard).toEqual([otherVoice, { type: "failed", turn: 1, id: 7, message: "The voice failed." }]);
});

test("a voice over which the process died twice is named once, and costs no later sentence anything", () => {
  speech.say(sentence);
  for (let death = 0; death < 2; death++) electron.children.at(-1)?.emit("exit", 255);
  speech.say({ ...sentence, id: 8 });
  speech.say({ ...sentence, id: 9, voice: "rms", speaker: 0 });
  expect(voicesMade()).toEqual(["model:big 3", "model:big 3", "slt 0", "slt 0", "rms 0"]);
  expect(heard).toEqual([otherVoice]);
});

test("what is paused stays paused when the window comes back", async () => {
  speech.say(sentence);
  speech.pause();
  await vi.waitFor(() => expect(told()).toContain("pause"));
  electron.ports = [];
  audio.die();
  speech.prepare();
  expect(told()).toEqual(expect.arrayContaining(["volume", "turn", "pause"]));
});

/** The page that plays says how the sentence stands. */
const played = (event: PlaybackEvent) => electron.ports[0]?.emit("message", { data: event });
const quits = () => electron.children.map(({ sent }) => sent.some(({ type }) => type === "quit"));

test("nothing is started for a turn in which nothing is said", () => {
  speech.begin(2);
  speech.pause();
  speech.resume();
  speech.setVolume(0.5);
  expect(electron.children).toHaveLength(0);
});

test("when nothing was said for a while process and page go; the next sentence is said by new ones", () => {
  const released = vi.spyOn(audio, "release");
  speech.say(sentence);
  vi.advanceTimersByTime(10 * speechKeptMs);
  expect(quits()).toEqual([false]);
  played({ type: "ended", turn: 1, id: 7 });
  vi.advanceTimersByTime(speechKeptMs - 1);
  expect(quits()).toEqual([false]);
  vi.advanceTimersByTime(1);
  expect(quits()).toEqual([true]);
  expect(released).toHaveBeenCalledExactlyOnceWith("playbackPort");
  electron.children[0]?.emit("exit", 0);
  speech.say({ ...sentence, id: 8, voice: "slt", speaker: 0 });
  expect(electron.children).toHaveLength(2);
  expect(voicesMade()).toEqual(["model:big 3", "slt 0"]);
});

test("while voice is on the process stays", () => {
  isWanted = true;
  speech.prepare();
  vi.advanceTimersByTime(10 * speechKeptMs);
  expect(quits()).toEqual([false]);
  isWanted = false;
  vi.advanceTimersByTime(speechKeptMs);
  expect(quits()).toEqual([true]);
});
