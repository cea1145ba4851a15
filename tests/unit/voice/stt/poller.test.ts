import { describe, expect, it } from "vitest";
import {
  longPollMs,
  type PollEvent,
  pollPauseMs,
  pollSession,
} from "../../../../electron/voice/stt/poller.ts";
import type { UpdatesAnswer } from "../../../../electron/voice/stt/server-answers.ts";
import { SttError } from "../../../../electron/voice/stt/stt-client.ts";
import { InstantClock } from "../../../fakes/clock.ts";

type Answer = Partial<UpdatesAnswer> | "fails";

interface Server {
  canWait?: boolean;
  canGoOn?: boolean;
  /** Ends the reading after the last answer, which goes on until then. */
  lingers?: boolean;
  /** @param asked how often it was asked for news */
  hasStopped?: (asked: number) => boolean;
  /** How long each of its answers takes, in milliseconds. */
  tookMs?: number;
}

/** Reads a server that gives these answers in turn, then says that it has stopped. */
async function poll(
  answers: Answer[],
  { canWait = true, canGoOn = true, hasStopped = () => false, lingers = false, tookMs = 0 }: Server = {},
) {
  const clock = new InstantClock();
  const asked: number[] = [];
  const client = {
    canWait,
    canGoOn,
    getUpdates: async ({ since_seq }: { since_seq: number }): Promise<UpdatesAnswer> => {
      asked.push(since_seq);
      if (tookMs > 0) await clock.sleep(tookMs);
      const answer = answers.shift() ?? { status: "stopped" };
      if (lingers && answers.length === 0) end.abort();
      if (answer === "fails") throw new SttError("malformed", "boom");
      return { status: "running", events: [], next_seq: 0, ...answer };
    },
  };
  const events: PollEvent[] = [];
  const end = new AbortController();
  let failure: unknown = null;
  try {
    for await (const event of pollSession({
      client,
      sessionId: "s",
      clock,
      hasStopped: () => hasStopped(asked.length),
      canLinger: () => lingers,
      signal: end.signal,
    }))
      events.push(event);
  } catch (error) {
    failure = error;
  }
  const seqs = events.flatMap((one) => (one.type === "event" ? [one.event.seq] : []));
  const words = events.flatMap((one) =>
    one.type === "event" && one.event.type === "utterance_final" ? [one.event.text] : [],
  );
  return { seqs, words, events, asked, slept: clock.slept, failure };
}

const batch = (from: number, to: number) =>
  Array.from({ length: to - from + 1 }, (_, index) => ({
    seq: from + index,
    type: "speech_end",
    timestamp_utc: "2026-01-01T00:00:00Z",
    offset_ms: 0,
  }));

describe("reading a session's log", () => {
  it("goes on after it has ended until nothing more comes: the last words are in it", async () => {
    const { seqs, events } = await poll([
      { status: "stopped", events: batch(1, 100) },
      { status: "stopped", events: batch(101, 150) },
    ]);
    expect(seqs).toEqual(batch(1, 150).map(({ seq }) => seq));
    expect(events.at(-1)).toEqual({ type: "status", status: "stopped" });
  });

  it("counts only failures in a row: others between answers are forgiven for ever", async () => {
    const { failure, seqs } = await poll([
      "fails",
      "fails",
      {},
      "fails",
      "fails",
      { events: batch(1, 1) },
      "fails",
      "fails",
    ]);
    expect(failure).toBeNull();
    expect(seqs).toEqual([1]);
    expect((await poll(["fails", "fails", "fails"])).failure).toBeInstanceOf(SttError);
  });

  it("pauses between questions to a server that cannot wait, and only there", async () => {
    const pauses = async (answers: Answer[], canWait: boolean) => (await poll(answers, { canWait })).slept;
    expect(await pauses([{}, {}, {}], false)).toEqual([pollPauseMs, pollPauseMs, pollPauseMs]);
    expect(await pauses([{}, {}, {}], true)).toEqual([]);
    // It says that it can and does not: it would be asked without end.
    expect(await pauses([{}, {}, {}, {}, {}], true)).toEqual([pollPauseMs, pollPauseMs]);
    const news = { events: batch(1, 1) };
    expect(await pauses([{}, {}, news, {}, {}], true)).toEqual([]);
    // A full answer is not all of it.
    expect(await pauses([{ events: batch(1, 100) }], false)).toEqual([]);
  });

  it("asks once more for what is missing in the middle, then goes on with what there is", async () => {
    const [one, , three] = batch(1, 3);
    const { events, asked } = await poll([{ events: [one, three] }, { events: [three] }]);
    expect(asked.slice(0, 3)).toEqual([0, 1, 3]);
    expect(events.map((event) => (event.type === "event" ? event.event.seq : event.type))).toEqual([
      "status",
      1,
      "gap",
      3,
      "status",
    ]);
  });

  // Bug: a server without `wait_ms` whose events Parley does not know was asked as fast as it could answer.
  it("pauses after what it does not know, and after news, where the server cannot wait", async () => {
    const level = (seq: number) => ({ events: [{ seq, type: "level", rms: 0.1 }] });
    const { slept } = await poll([level(1), level(2), { events: batch(3, 4) }], { canWait: false });
    expect(slept).toEqual([pollPauseMs, pollPauseMs, pollPauseMs]);
    const unknown = Array.from({ length: 5 }, (_, index) => level(index + 1));
    expect((await poll(unknown)).slept).toEqual([pollPauseMs, pollPauseMs]);
  });

  // Bug: a status-less server that tells its level all the time was read at full speed after the stop, without an end.
  it("ends after the stop where nothing comes but what it does not know", async () => {
    const level = () => ({ status: undefined, events: [{ type: "level" }], next_seq: undefined });
    const { events, asked } = await poll([level(), level(), level()], {
      ...{ canGoOn: false, canWait: false, hasStopped: () => true },
    });
    expect(asked).toHaveLength(1);
    expect(events.at(-1)).toEqual({ type: "status", status: "stopped" });
  });
});

const said = (text: string, more: object = {}) => ({ type: "utterance_final", text, ...more });
const told = (...events: unknown[]) => ({ events, next_seq: undefined });

// Bug: words of simple servers were lost, whose numbers mean something else, or nothing.
describe("a server that cannot be asked for what comes after a number loses no words", () => {
  it.each<[string, Answer[]]>([
    ["over the whole server", [told(said("one", { seq: 41 })), told(said("two", { seq: 45 }))]],
    ["from 0", [told(said("one", { seq: 0 })), told(said("two", { seq: 1 }))]],
    [
      "of whole utterances",
      [
        told({ type: "utterance_partial", text: "o", seq: 1 }),
        told(said("one", { seq: 1 })),
        told(said("two", { seq: 2 })),
      ],
    ],
    [
      "of some events only",
      [
        told({ type: "utterance_partial", text: "o", seq: 1 }, said("one")),
        told({ type: "utterance_partial", text: "t", seq: 2 }, said("two")),
      ],
    ],
    [
      "that stay 0",
      [
        { events: [said("one")], next_seq: 0 },
        { events: [said("two")], next_seq: 0 },
      ],
    ],
    [
      "of the next event",
      [
        { events: [said("one")], next_seq: 2 },
        { events: [said("two")], next_seq: 3 },
      ],
    ],
  ])("with numbers %s", async (_, answers) => {
    const { words, events } = await poll(answers, { canGoOn: false, canWait: false });
    expect(words).toEqual(["one", "two"]);
    expect(events.map(({ type }) => type)).not.toContain("gap");
  });

  it("with numbered events that come again and again, it tells each once", async () => {
    const [one, two, three] = ["one", "two", "two"].map((text, seq) => said(text, { seq }));
    const answers = [told(one), told(one, two), told(two, three), told(two, three)];
    expect((await poll(answers, { canGoOn: false })).words).toEqual(["one", "two", "two"]);
  });

  // Bug: the same words said twice running were lost.
  it("with the same words twice, where it was waited for them", async () => {
    const again = () => [told(said("next one")), told(said("next one"))];
    expect((await poll(again(), { canGoOn: false, tookMs: 800 })).words).toEqual(["next one", "next one"]);
    // At once, or when the wait was over: it gives what it has given before.
    expect((await poll(again(), { canGoOn: false })).words).toEqual(["next one"]);
    expect((await poll(again(), { canGoOn: false, tookMs: longPollMs })).words).toEqual(["next one"]);
  });

  // Bug: whoever said "yes" three times was heard once.
  it.each([
    ["without numbers", {}],
    ["where it numbers nothing but writes 0", { seq: 0 }],
  ])("with the same words twice, where it has shown that it keeps nothing, %s", async (_, more) => {
    const [hello, yes] = [said("hello", more), said("yes", more)];
    const { words } = await poll([told(hello), told(), told(yes), told(yes)], {
      ...{ canGoOn: false, canWait: false, tookMs: 1500 },
    });
    expect(words).toEqual(["hello", "yes", "yes"]);
  });

  it.each<[string, Answer[]]>([
    ["all that it has", [told(), told(said("one")), told(said("one")), told(said("one"), said("two"))]],
    [
      "what it has until it is some seconds old",
      [told(said("one")), told(said("one")), told(), told(said("two")), told(said("two"))],
    ],
  ])("and hears nothing twice of one that always gives %s", async (_, answers) => {
    const { words } = await poll(answers, { canGoOn: false, canWait: false });
    expect(words).toEqual(["one", "two"]);
  });
});

// Bug: what came behind a hole was thrown away, and lost where the server gave it only once.
it("what came behind a hole is kept while the hole is asked for", async () => {
  const { words } = await poll([
    told(said("one", { seq: 1 }), said("three", { seq: 3 })),
    told(said("two", { seq: 2 })),
    told(said("six", { seq: 6 })),
    told(),
  ]);
  expect(words).toEqual(["one", "two", "three", "six"]);
});

// Bug: words in a hole were lost where the next answer was an empty one, as of a server that starts its session again.
it("a hole is asked for once more after an empty answer", async () => {
  const { words } = await poll([
    told(said("one", { seq: 1 }), said("three", { seq: 3 })),
    { ...told(), status: "stopped" },
    told(said("two", { seq: 2 })),
  ]);
  expect(words).toEqual(["one", "two", "three"]);
});

// Bug: the last words were lost where an empty answer was on its way when the session was stopped.
it("an answer that was on its way when the session was stopped is not the end", async () => {
  const silent = { status: undefined, events: [], next_seq: undefined };
  const { words } = await poll([silent, { ...silent, events: [said("last words")] }, silent], {
    ...{ canGoOn: false, canWait: false },
    // While the first question is under way.
    hasStopped: (asked) => asked > 0,
  });
  expect(words).toEqual(["last words"]);
});

// Bug: the last words of a server that says nothing of its status were lost where they came after its answer to the stop.
it("is read on after the stop for as long as there is time", async () => {
  const silent = { status: undefined, events: [], next_seq: undefined };
  const { words, events } = await poll(
    [silent, silent, { ...silent, events: [said("last words")] }, silent],
    {
      ...{ canGoOn: false, canWait: false, hasStopped: () => true, lingers: true },
    },
  );
  expect(words).toEqual(["last words"]);
  expect(events.filter(({ type }) => type === "quiet")).toHaveLength(1);
});

// Bug: a server that says nothing of its status was listened to for ever after an error that had ended the session.
it.each([
  ["says nothing of its status", undefined],
  ["says that it runs all the same", "running" as const],
])("a fatal error ends the session where the server %s", async (_, status) => {
  const fatal = { type: "error", message: "The microphone was unplugged.", fatal: true };
  const { events } = await poll([
    { status, events: [fatal], next_seq: undefined },
    { status, events: [], next_seq: undefined },
  ]);
  expect(events.at(-1)).toEqual({ type: "status", status: "failed" });
});

describe("a server that begins to number anew in mid-session", () => {
  // Bug: all further words vanished without a word.
  it("is read on from there, and that is told once", async () => {
    const { words, events } = await poll([
      told(said("one", { seq: 1 }), said("two", { seq: 2 })),
      told(said("three", { seq: 1 }), said("four", { seq: 2 })),
      told(said("five", { seq: 3 })),
    ]);
    expect(words).toEqual(["one", "two", "three", "four", "five"]);
    expect(events.filter(({ type }) => type === "renumbered")).toHaveLength(1);
  });

  it("is noticed also after more events than are kept to be compared", async () => {
    const long = Array.from({ length: 10 }, (_, index) => ({
      events: batch(index * 100 + 1, index * 100 + 100),
    }));
    const { words } = await poll([
      ...long,
      told(said("anew", { seq: 1 })),
      told(said("goes on", { seq: 2 })),
    ]);
    expect(words).toEqual(["anew", "goes on"]);
  });

  it("is not one that repeats what it said, at any length", async () => {
    const all = Array.from({ length: 700 }, (_, index) => said(`number ${index + 1}`, { seq: index + 1 }));
    const { words, events } = await poll([
      told(...all),
      told(...all),
      told(...all, said("last", { seq: 701 })),
    ]);
    expect(words).toHaveLength(701);
    expect(events.map(({ type }) => type)).not.toContain("renumbered");
  });
});

describe("a server that has begun anew, and has nothing behind the number that it is asked from", () => {
  const empty = (next_seq: number) => ({ events: [], next_seq });

  // Bug: all words were lost without a word until its numbers had come so far again.
  it("is read from its beginning, and that is told", async () => {
    const { words, events, asked } = await poll([
      told(said("one", { seq: 1 }), said("two", { seq: 2 }), said("three", { seq: 3 })),
      empty(3),
      empty(1),
      { events: [said("four", { seq: 1 })], next_seq: 1 },
      { events: [said("five", { seq: 2 })], next_seq: 2 },
    ]);
    expect(words).toEqual(["one", "two", "three", "four", "five"]);
    expect(asked.slice(0, 5)).toEqual([0, 3, 3, 0, 1]);
    expect(events.filter(({ type }) => type === "renumbered")).toHaveLength(1);
  });

  it("is not one whose empty answers have a number of their own: nothing is heard twice", async () => {
    const all = [said("one", { seq: 1 }), said("two", { seq: 2 }), said("three", { seq: 3 })];
    const { words, asked, events } = await poll([
      told(...all),
      empty(1),
      told(...all),
      empty(1),
      empty(1),
      empty(0),
    ]);
    expect(words).toEqual(["one", "two", "three"]);
    expect(asked.filter((from) => from === 0)).toHaveLength(2);
    expect(events.map(({ type }) => type)).not.toContain("renumbered");
  });
});

// Bug: an utterance with the number 0 was not heard.
it("a server that writes 0 for its numbers is heard", async () => {
  const { words } = await poll([told(said("one", { seq: 0 })), told(said("two", { seq: 0 }))]);
  expect(words).toEqual(["one", "two"]);
  const all = [said("one", { seq: 0 }), said("two", { seq: 1 }), said("three", { seq: 2 })];
  const fromZero = await poll([told(...all), told(...all), told(all[0])]);
  expect(fromZero.words).toEqual(["one", "two", "three"]);
  expect(fromZero.events.map(({ type }) => type)).not.toContain("renumbered");
});

// Bug: the same words were never heard again in the session.
describe("a server that counts nothing, and writes 0 for its last number", () => {
  const counting = (next_seq: number, ...events: unknown[]) => ({ events, next_seq });
  const [one, two] = [said("one"), said("two")];
  it.each<[string, Answer[], string[]]>([
    ["the same words again", [counting(0, one), counting(0), counting(0, one)], ["one", "one"]],
    [
      "once what it gives again and again",
      [counting(0, one), counting(0, one, two), counting(0, one, two, one)],
      ["one", "two", "one"],
    ],
    [
      "once the first event of one that counts from 0",
      [counting(0, one), counting(0, one), counting(1, one, two), counting(2, two)],
      ["one", "two", "two"],
    ],
  ])("is heard: %s", async (_, answers, wanted) => {
    expect((await poll(answers)).words).toEqual(wanted);
  });
});
