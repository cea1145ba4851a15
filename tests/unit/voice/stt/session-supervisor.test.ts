import { setImmediate } from "node:timers/promises";
import { describe, expect, test } from "vitest";
import type { Clock } from "../../../../electron/agent/ports/ports.ts";
import {
  maxStopWaits,
  SessionSupervisor,
  stopTimeoutMs,
} from "../../../../electron/voice/stt/session-supervisor.ts";
import { type SttClient, SttError, type SttFailure } from "../../../../electron/voice/stt/stt-client.ts";
import type { VoiceEvent } from "../../../../electron/voice/stt/voice-events.ts";
import { FakeClock } from "../../../fakes/clock.ts";

/** A supervisor whose server opens its source when the test says so. */
function opening({ goesDeaf = false, isLive = false, refuses = false } = {}) {
  const calls: string[] = [];
  let open = () => {};
  const opened = new Promise<void>((resolve) => {
    open = resolve;
  });
  let isAsked = () => {};
  const asked = new Promise<void>((resolve) => {
    isAsked = resolve;
  });
  let isRead = () => {};
  const read = new Promise<void>((resolve) => {
    isRead = resolve;
  });
  let finish = () => {};
  const last = new Promise<void>((resolve) => {
    finish = resolve;
  });
  if (!isLive) finish();
  const client = {
    canWait: true,
    canGoOn: true,
    canTalk: true,
    canMute: true,
    startSession: async () => {
      isAsked();
      await opened;
      return { session_id: "s1", status: "starting", mic_device_name: null };
    },
    getUpdates: async () => {
      isRead();
      await last;
      return { session_id: "s1", status: "stopped", events: [], next_seq: 0 };
    },
    stopSession: async (id: string) => {
      calls.push(`stop ${id}`);
    },
    updateSession: async ({ session_id: _, ...changes }: Record<string, unknown>) => {
      calls.push(JSON.stringify(changes));
      if (refuses) throw new SttError("refused", "It refuses.");
      if (goesDeaf && changes.muted === false) throw new Error("It does not answer.");
    },
  } as unknown as SttClient;
  const supervisor = new SessionSupervisor({
    source: "microphone",
    connect: async () => client,
    startArguments: () => ({ source: "microphone" }),
    clock: new FakeClock(),
  });
  const over = (async () => {
    const seen: string[] = [];
    for await (const { type } of supervisor) {
      seen.push(type);
      if (type === "restarting") void supervisor.stop();
    }
    return seen;
  })();
  return { supervisor, calls, asked, read, finish, open, over };
}

test("what is stopped while its source is being opened leaves no microphone open", async () => {
  const { supervisor, calls, asked, open, over } = opening();
  await asked;
  const stopped = supervisor.stop();
  open();
  await stopped;
  expect(calls).toEqual(["stop s1"]);
  expect(await over).toEqual(["opened", "ended"]);
});

// Bug: the microphone stayed open.
test("what is muted and then stopped while its source is being opened is stopped where the server refuses to mute", async () => {
  const { supervisor, calls, asked, open, over } = opening({ refuses: true });
  await asked;
  await supervisor.mute(true);
  const stopped = supervisor.stop();
  open();
  await stopped;
  expect(calls).toEqual(['{"muted":true}', "stop s1"]);
  expect(await over).toEqual(["ended"]);
});

test("what is muted while its source is being opened is muted before anything is read", async () => {
  const { supervisor, calls, asked, open, over } = opening();
  await asked;
  await supervisor.mute(true);
  open();
  await over;
  expect(calls[0]).toBe('{"muted":true}');
});

test("a key that is pressed while the source is being opened counts", async () => {
  const { supervisor, calls, asked, open, over } = opening();
  await asked;
  await supervisor.talk(true);
  open();
  await over;
  expect(calls[0]).toBe('{"talking":true}');
});

test("what is being said is ended by a mute that is over at once", async () => {
  const { supervisor, calls, read, finish, open, over } = opening({ isLive: true });
  open();
  await read;
  await supervisor.endUtterance();
  expect(calls).toEqual(['{"muted":true}', '{"muted":false}']);
  finish();
  await over;
});

test("a server that does not hear again after that is left for another session", async () => {
  const { supervisor, calls, read, finish, open, over } = opening({ isLive: true, goesDeaf: true });
  open();
  await read;
  await expect(supervisor.endUtterance()).rejects.toThrow("It does not answer.");
  expect(calls).toContain("stop s1");
  finish();
  expect(await over).toContain("restarting");
});

test("somebody who is muted has nothing to be sent", async () => {
  const { supervisor, calls, read, finish, open, over } = opening({ isLive: true });
  open();
  await read;
  await supervisor.mute(true);
  await supervisor.endUtterance();
  expect(calls).toEqual(['{"muted":true}']);
  finish();
  await over;
});

/** A server that is behind with what it heard: it tells one thing each time the test says so. */
function behind() {
  const clock = new FakeClock();
  const told: object[] = [];
  let seq = 0;
  let hasEnded = false;
  let wake = () => {};
  const client = {
    canWait: true,
    canGoOn: true,
    startSession: async () => ({ session_id: "s1", status: "running" }),
    getUpdates: async (_: object, signal: AbortSignal) => {
      signal.addEventListener("abort", () => wake());
      while (told.length === 0 && !hasEnded) {
        signal.throwIfAborted();
        await new Promise<void>((resolve) => {
          wake = resolve;
        });
      }
      return told.shift() ?? { session_id: "s1", status: "stopped", next_seq: seq, events: [] };
    },
    stopSession: async () => {},
  } as unknown as SttClient;
  const source = "microphone";
  const supervisor = new SessionSupervisor({
    source,
    connect: async () => client,
    startArguments: () => ({ source }),
    clock,
  });
  const events = supervisor[Symbol.asyncIterator]();
  /** Reads until an event of this type, or to the end. */
  const until = async (type?: VoiceEvent["type"]) => {
    for (;;) {
      const { value } = await events.next();
      if (!value || value.type === type) return value;
    }
  };
  const tell = (type: string, text: string, status = "running") => {
    seq += 1;
    hasEnded = status === "stopped";
    const event = { seq, type, utterance_id: "u1", text, timestamp_utc: new Date(0).toISOString() };
    told.push({ session_id: "s1", status, next_seq: seq, events: [event] });
    wake();
  };
  return { supervisor, clock, until, tell };
}

test("last words are waited for as long as they come, however slow the recogniser is", async () => {
  const { supervisor, clock, until, tell } = behind();
  await until("opened");
  const stopped = supervisor.stop();
  for (const text of ["note", "note the", "note the number"]) {
    await clock.sleeping(stopTimeoutMs);
    tell("utterance_partial", text);
    await until("partial");
    clock.advance(stopTimeoutMs);
  }
  await clock.sleeping(stopTimeoutMs);
  tell("utterance_final", "note the number four", "stopped");
  expect(await until("final")).toMatchObject({ utterance: { text: "note the number four" } });
  await until();
  await stopped;
});

test("a server that goes on telling words after it was stopped is given up", async () => {
  const { supervisor, clock, until, tell } = behind();
  await until("opened");
  const stopped = supervisor.stop();
  for (let waits = 1; waits <= maxStopWaits; waits++) {
    await clock.sleeping(stopTimeoutMs);
    tell("utterance_partial", `word ${waits}`);
    await until("partial");
    clock.advance(stopTimeoutMs);
  }
  await until();
  await stopped;
});

/** Pauses take no time; the limit on stopping never comes. */
const quickClock: Clock = {
  now: () => Date.now(),
  sleep: async (ms, signal) => {
    if (ms < stopTimeoutMs) await setImmediate();
    else await new Promise((_, reject) => signal?.addEventListener("abort", () => reject(signal.reason)));
  },
  after: () => () => {},
};

type Failures = (SttFailure | null)[];

/** A server that says nothing of its status; its polls and stops fail in turn as they are told to. */
function failing({ polls = [], stops = [] }: { polls?: Failures; stops?: Failures }) {
  const calls: string[] = [];
  const fail = (kind: SttFailure | null = null) => {
    if (kind !== null) throw new SttError(kind, "It fails.");
  };
  const log: object[] = [];
  const client = {
    canWait: false,
    canGoOn: false,
    startSession: async () => ({ session_id: "s1" }),
    getUpdates: async () => {
      calls.push("poll");
      fail(polls.shift());
      return { events: log.splice(0) };
    },
    stopSession: async () => {
      calls.push("stop");
      log.splice(0, log.length, { type: "utterance_final", text: "last words" });
      fail(stops.shift());
    },
  } as unknown as SttClient;
  const supervisor = new SessionSupervisor({
    source: "microphone",
    connect: async () => client,
    startArguments: () => ({ source: "microphone" }),
    clock: quickClock,
  });
  const heard: string[] = [];
  void (async () => {
    for await (const event of supervisor) {
      if (event.type === "final") heard.push(event.utterance.text);
      if (event.type === "restarting") heard.push(event.type);
    }
  })();
  const count = (name: string) => calls.filter((one) => one === name).length;
  return { supervisor, heard, count };
}

// Bug: the window said that it was muted, and every utterance became a prompt.
test("what a server that cannot be muted hears meanwhile is dropped, and the user is told", async () => {
  const told: string[] = [];
  const final = (seq: number, text: string) => ({ seq, type: "utterance_final", text });
  const answers = [final(1, "secret"), final(2, "hello")];
  const client = {
    ...{ canWait: true, canGoOn: true, canMute: false },
    startSession: async (args: object) => {
      told.push(JSON.stringify(args));
      return { session_id: "s1" };
    },
    getUpdates: async () => {
      const event = answers.shift();
      if (event?.text === "hello") await supervisor.mute(false);
      return {
        status: event ? "running" : "stopped",
        events: event ? [event] : [],
        next_seq: event?.seq ?? 2,
      };
    },
    stopSession: async () => {},
    updateSession: async () => {
      throw new SttError("unsupported", "It has no such tool.");
    },
  } as unknown as SttClient;
  const supervisor = new SessionSupervisor({
    source: "microphone",
    connect: async () => client,
    startArguments: () => ({ source: "microphone" }),
    clock: quickClock,
  });
  await supervisor.mute(true);
  for await (const event of supervisor) {
    if (event.type === "notice") told.push(event.message);
    if (event.type === "final") told.push(event.utterance.text);
    if (event.type === "restarting") break;
  }
  expect(told).toEqual([
    '{"source":"microphone"}',
    "This speech server cannot be muted: it goes on hearing what you say, and Parley drops that.",
    "hello",
  ]);
});

// Bug: "Send now" unmuted what was muted meanwhile.
test("who mutes while what they say is being sent stays muted", async () => {
  const { supervisor, calls, asked, open, read, finish } = opening({ isLive: true });
  await asked;
  open();
  await read;
  await Promise.all([supervisor.endUtterance(), supervisor.mute(true)]);
  expect(calls.at(-1)).toBe('{"muted":true}');
  finish();
});

// Bug: after the computer had slept, voice stayed deaf.
test("a server that says for ever that it runs does not keep the next session from its begin", async () => {
  const clock = new FakeClock();
  let starts = 0;
  const client = {
    ...{ canWait: false, canGoOn: true, canMute: true },
    startSession: async () => ({ session_id: `s${++starts}` }),
    getUpdates: async () => ({ status: "running", events: [], next_seq: 0 }),
    stopSession: async () => {},
  } as unknown as SttClient;
  const supervisor = new SessionSupervisor({
    source: "microphone",
    connect: async () => client,
    startArguments: () => ({ source: "microphone" }),
    clock,
  });
  const events = supervisor[Symbol.asyncIterator]();
  const seen: string[] = [];
  const until = async (type: string) => {
    while (seen.at(-1) !== type) seen.push((await events.next()).value?.type ?? "over");
  };
  await until("audio_flows");
  supervisor.renew({ code: "deaf", message: "It may be deaf." });
  const begun = until("opened");
  await clock.sleeping(stopTimeoutMs);
  clock.advance(stopTimeoutMs);
  await begun;
  expect(starts).toBe(2);
  void supervisor.stop();
});

test("a call that did not get through leaves the session as it is", async () => {
  const { supervisor, heard, count } = failing({ polls: ["unreachable", "unreachable"] });
  await expect.poll(() => count("poll")).toBeGreaterThan(3);
  void supervisor.stop();
  await supervisor.read;
  expect(heard).toEqual(["last words"]);
  expect(count("stop")).toBe(1);
});

test("a session that cannot be reached any more is stopped before another one begins", async () => {
  const { supervisor, heard, count } = failing({ polls: ["unreachable", "unreachable", "unreachable"] });
  await expect.poll(() => heard).toContain("restarting");
  expect(count("stop")).toBe(1);
  void supervisor.stop();
});

// Bug: the last words were lost where the server refused to stop.
test.each<[string, Failures]>([
  ["that is refused", ["refused"]],
  ["that does not get through", ["unreachable"]],
])("after a stop %s the last words are read", async (_, stops) => {
  const { supervisor, heard, count } = failing({ stops });
  await expect.poll(() => count("poll")).toBeGreaterThan(0);
  void supervisor.stop();
  await supervisor.read;
  expect(heard).toEqual(["last words"]);
  expect(count("stop")).toBe(1);
});

/** What is told of these events of a server. */
async function toldOf(...events: object[]): Promise<VoiceEvent[]> {
  const numbered = [...events, { type: "info", message: "source_ended" }].map((event, index) => ({
    seq: index + 1,
    ...event,
  }));
  const answers = [{ status: "running", events: numbered, next_seq: numbered.length }];
  const client = {
    ...{ canWait: true, canGoOn: true },
    startSession: async () => ({ session_id: "s1" }),
    getUpdates: async () => answers.shift() ?? { status: "stopped", events: [], next_seq: numbered.length },
    stopSession: async () => {},
  } as unknown as SttClient;
  const supervisor = new SessionSupervisor({
    source: "microphone",
    connect: async () => client,
    startArguments: () => ({ source: "microphone" }),
    clock: quickClock,
  });
  const told: VoiceEvent[] = [];
  for await (const event of supervisor) if (event.type !== "raw") told.push(event);
  return told;
}

// Bug: the words that were being said vanished, and the prompt that they go on with was answered without them.
describe("while somebody goes on speaking, an utterance of before", () => {
  const first = {
    ...{ type: "utterance_final", utterance_id: "u1", text: "open it" },
    ...{ start_ms: 4000, end_ms: 5000 },
  };

  test.each([
    ["does not end what is being said by then", 6000, []],
    ["ends what is told again with it", 4000, ["no_words"]],
  ])("that is told again %s", async (_, offset_ms, end) => {
    const told = await toldOf(first, { type: "speech_start", offset_ms }, first);
    const types = told.map(({ type }) => type);
    expect(types).toEqual(["opened", "audio_flows", "final", "onset", ...end, "ended"]);
  });

  test.each([
    [6000, true],
    [4000, false],
  ])("that is heard better says so, with speech from %d ms on: %s", async (offset_ms, isSaidOver) => {
    const told = await toldOf(first, { type: "speech_start", offset_ms }, { ...first, text: "open this" });
    expect(told).toContainEqual({
      type: "final",
      utterance: expect.objectContaining({ text: "open this", corrects: "open it", isSaidOver }),
    });
  });
});
