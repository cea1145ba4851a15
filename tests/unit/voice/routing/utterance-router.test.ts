import { describe, expect, test } from "vitest";
import { spokenAnswer } from "../../../../electron/permissions/spoken-answer.ts";
import { type MeetingFacts, UtteranceRouter } from "../../../../electron/voice/routing/utterance-router.ts";
import type { Utterance } from "../../../../electron/voice/stt/voice-events.ts";
import { defaultSettings, type Settings } from "../../../../shared/settings.ts";
import { spokenCommandOf } from "../../../../shared/voice/spoken-commands.ts";
import type { SpokenReply } from "../../../../shared/voice/voice-snapshot.ts";
import { FakeClock } from "../../../fakes/clock.ts";
import { FakeVoiceTarget } from "../../../fakes/stt/voice-target.ts";

const said = (text: string, startMs: number | null = 0, more: Partial<Utterance> = {}): Utterance => ({
  id: "u",
  reason: "endpoint",
  audioStartedAt: null,
  startedAt: null,
  endedAt: null,
  finalAt: null,
  command: null,
  turnEnd: null,
  text,
  confidence: 0.9,
  source: "microphone",
  sessionId: "s1",
  startMs,
  endMs: startMs === null ? null : startMs + 1000,
  doubts: [],
  readings: [],
  signs: null,
  ...more,
});

function rig(changed: Partial<Settings> = {}, reply: SpokenReply | null = null) {
  const target = new FakeVoiceTarget();
  const clock = new FakeClock();
  const stopped: string[] = [];
  const commanded: string[] = [];
  const asides = new Map<string, string>();
  const router = new UtteranceRouter({
    settings: () => ({ ...defaultSettings, ...changed }),
    clock,
    replies: {
      speaking: () => null,
      shown: () => reply,
      shortened: () => null,
      answersAloud: () => [],
      stop: () => void stopped.push("stopped"),
      answering: (conversationId) => void stopped.push(`answering ${conversationId}`),
      silence: () => void stopped.push("silent"),
      hold: () => void stopped.push("held"),
      heard: ({ text }) => asides.get(text) ?? null,
      stopWord: () => void stopped.push("paused"),
      unclear: () => void stopped.push("unclear"),
    },
    spokenAnswer: (word) => spokenAnswer(word, waitingIn(target)),
    commands: { of: spokenCommandOf, run: ({ name }) => void commanded.push(name) },
  });
  const take = (one: Utterance, meeting: MeetingFacts | null = null) => router.take(one, target, meeting);
  return { target, clock, router, take, stopped, commanded, asides };
}

const waitingIn = (target: FakeVoiceTarget) =>
  target
    .view()
    .items.flatMap((item) =>
      item.kind === "approval" && item.status === "waiting"
        ? [{ approvalId: item.key, mayBeSpoken: item.effect === "write" }]
        : [],
    );

describe("a prompt whose speaker may go on", () => {
  const endedAt = 5000;
  const settlesAt = (more: Partial<Utterance>, settings: Partial<Settings> = {}) => {
    const { target, take } = rig(settings);
    take(said("turn on the lamp", 0, { endedAt, ...more }));
    return target.prompts[0]?.settlesAt;
  };

  test("is settled when the time to go on with it is over", () => {
    expect(settlesAt({})).toBe(endedAt + 500 + 600);
    expect(settlesAt({ turnEnd: "unlikely" })).toBe(endedAt + 1000 + 600);
    expect(settlesAt({ reason: "utterance_end" })).toBe(endedAt + 1000 + 600);
    expect(settlesAt({ reason: "max_length" })).toBe(endedAt + 600);
  });

  // Bug: with a server whose clock was an hour ahead, nothing of a reply was shown for an hour.
  test("is settled by our own clock where the server's is ahead of it", () => {
    const ahead = new FakeClock().now() + 3_600_000;
    expect(settlesAt({ endedAt: ahead })).toBe(new FakeClock().now() + 500 + 600);
  });

  test.each<[string, Partial<Utterance>, Partial<Settings>]>([
    ["has finished", { turnEnd: "likely" }, {}],
    ["let go of the key", { reason: "released" }, {}],
    ["ended the session", { reason: "session_stop" }, {}],
    ["can never go on", {}, { "voice.mergeWindowMs": 0 }],
    ["is heard by a server that tells no times", { endedAt: null }, {}],
  ])("is settled at once where its speaker %s", (_name, more, settings) => {
    expect(settlesAt(more, settings)).toBeUndefined();
  });

  test("can be gone on with for longer after words that want more", () => {
    const { target, take } = rig();
    take(said("turn on the", 0, { turnEnd: "unlikely" }));
    take(said("lamp", 2600));
    expect(target.texts).toEqual(["turn on the lamp"]);
  });
});

describe("a speaker who goes on", () => {
  test("takes the prompt back at the first sound, and both go in as one", () => {
    const { target, router, take } = rig();
    expect(take(said("turn on the lamp", 0)).inputId).toBe("i1");
    router.onset({ sessionId: "s1", startMs: 2000 });
    expect(take(said("in the kitchen", 2000))).toEqual({ rule: "merged", inputId: "i1" });
    // And on: the window is counted from the end of what was said last.
    router.onset({ sessionId: "s1", startMs: 4000 });
    expect(take(said("please", 4000)).rule).toBe("merged");
    expect(target.texts).toEqual(["turn on the lamp in the kitchen please"]);
    expect(target.calls.filter((call) => call.startsWith("submit"))).toHaveLength(1);
  });

  test("is waited for where the words before are heard better meanwhile", () => {
    const { target, router, take } = rig();
    const first = said("turn on the lamp", 0, { id: "s1/u1" });
    take(first);
    router.onset({ sessionId: "s1", startMs: 2000 });
    take({ ...first, text: "turn on the lamps", corrects: "turn on the lamp", isSaidOver: true });
    expect(target.calls.filter((call) => call.startsWith("let go"))).toEqual([]);
    expect(take(said("in the kitchen", 2000)).rule).toBe("merged");
    expect(target.texts).toEqual(["turn on the lamps in the kitchen"]);
  });

  test("into another conversation says another prompt there", () => {
    const { target, router, take } = rig();
    const other = new FakeVoiceTarget();
    take(said("turn on the lamp", 0));
    expect(router.take(said("in the kitchen", 2000), other, null)).toEqual({ inputId: "i1" });
    expect([target.texts, other.texts]).toEqual([["turn on the lamp"], ["in the kitchen"]]);
  });

  test.each<[string, Partial<Utterance>, Partial<Settings>]>([
    ["after the window", { startMs: 2101 }, {}],
    ["in another session", { sessionId: "s2" }, {}],
    ["with the window off", {}, { "voice.mergeWindowMs": 0 }],
    ["where the server tells no times", { startMs: null }, {}],
    ["from another source", { source: "loopback" }, {}],
  ])("%s says another prompt", (_name, more, settings) => {
    const { target, take } = rig(settings);
    take(said("turn on the lamp", 0));
    expect(take(said("what time is it", 2000, more))).toEqual({ inputId: "i2" });
    expect(target.texts).toEqual(["turn on the lamp", "what time is it"]);
  });

  test("in another conversation says another prompt", () => {
    const { target, router, take } = rig();
    take(said("turn on the lamp", 0));
    const other = new FakeVoiceTarget("c2");
    // Of the same id as the prompt that was spoken in the first one.
    other.submit({ text: "what time is it", origin: "typed", source: null });
    expect(router.take(said("in the kitchen", 2000), other, null).inputId).toBe("i2");
    expect([target.texts, other.texts]).toEqual([
      ["turn on the lamp"],
      ["what time is it", "in the kitchen"],
    ]);
  });

  test("up to the end of the window goes on with the same prompt", () => {
    const { target, take } = rig();
    take(said("turn on the lamp", 0));
    take(said("in the kitchen", 2100));
    expect(target.texts).toEqual(["turn on the lamp in the kitchen"]);
  });

  test("too late, when the reply has begun, says a prompt of its own", () => {
    const { target, router, take } = rig();
    take(said("turn on the lamp", 0));
    target.seen.add("i1");
    router.onset({ sessionId: "s1", startMs: 2000 });
    expect(take(said("in the kitchen", 2000)).inputId).toBe("i2");
    expect(target.calls).toEqual(["submit: turn on the lamp", "submit: in the kitchen"]);
  });

  test("whose further sounds are no words, or are dropped, gets the reply to what was said", () => {
    const { target, router, take } = rig();
    take(said("turn on the lamp", 0));
    router.onset({ sessionId: "s1", startMs: 1800 });
    router.resume();
    router.resume();
    router.onset({ sessionId: "s1", startMs: 2000 });
    expect(take(said("a", 2000)).rule).toBe("too_short");
    expect(target.calls).toEqual([
      "submit: turn on the lamp",
      "take back: i1",
      "let go: i1",
      "take back: i1",
      "let go: i1",
    ]);
  });
});

test("a prompt whose speaker begins again is answered after a minute where the server tells no more of it", () => {
  const { target, clock, router, take } = rig();
  take(said("turn on the lamp", 0));
  router.onset({ sessionId: "s1", startMs: 1800 });
  clock.advance(50_000);
  router.onset({ sessionId: "s1", startMs: 2000 });
  clock.advance(59_999);
  expect(target.calls.filter((call) => call.startsWith("let go"))).toEqual([]);
  clock.advance(1);
  expect(target.calls.filter((call) => call.startsWith("let go"))).toHaveLength(1);
});

test("a stop word ends the run and the speech, and is no prompt", () => {
  const { target, take, stopped } = rig();
  expect(take(said("stop"))).toEqual({ rule: "stop_word" });
  expect([target.calls, stopped]).toEqual([["stop"], ["held"]]);
});

test("a word to Parley's own voice is no prompt, and can be one after all", () => {
  const { target, router, take, asides } = rig();
  asides.set("mhm", "backchannel").set("it is raining", "own voice");
  expect(take(said("mhm"))).toMatchObject({ rule: "aside", dropped: "backchannel" });
  expect(take(said("it is raining"))).toMatchObject({ rule: "own_voice" });
  router.sendAnyway("dropped-1");
  expect(target.texts).toEqual(["mhm"]);
  expect(() => router.sendAnyway("dropped-1")).toThrow("no longer available");
});

// Bug: where its conversation was just being closed the words were gone.
test("words that could not be sent after all are still there", () => {
  const { target, router, take } = rig();
  take(said("a"));
  const { submit } = target;
  target.submit = () => {
    throw new Error("closed");
  };
  expect(() => router.sendAnyway("dropped-1")).toThrow("closed");
  target.submit = submit;
  router.sendAnyway("dropped-1");
  expect(target.texts).toEqual(["a"]);
});

test("what was dropped is remembered for a while only", () => {
  const { router, take } = rig();
  for (let n = 0; n < 60; n++) take(said("a"));
  expect(() => router.sendAnyway("dropped-10")).toThrow("no longer available");
  router.sendAnyway("dropped-11");
});

describe("what waits for the user", () => {
  // Bug: “mhm”, “slower” and an echo of the question's own words were its answer.
  test("a question is not answered by what is meant for the reply that is being said, but by what it offers", () => {
    const { target, take, asides } = rig();
    const options = [{ label: "Slower" }];
    target.emit({ type: "question.asked", questionId: "q1", question: "Which?", options });
    for (const [text, why] of [
      ["mhm", "backchannel"],
      ["faster", "command: faster"],
      ["the blue or", "own voice"],
      ["slower", "command: slower"],
    ] as const)
      asides.set(text, why);
    for (const text of ["mhm", "faster", "the blue or"]) expect(take(said(text)).rule).not.toBe("answer");
    expect(target.calls.filter((call) => call.startsWith("answer"))).toEqual([]);
    expect(take(said("slower")).rule).toBe("answer");
  });

  test("a question gets its answer; one that was answered by hand meanwhile does not", () => {
    const { target, take, stopped } = rig();
    target.emit({ type: "question.asked", questionId: "q1", question: "Which?", options: [] });
    expect(take(said("the blue one")).rule).toBe("answer");
    expect(stopped).toEqual([`answering ${target.id}`]);
    expect(take(said("the red one")).inputId).toBe("i1");
    expect(target.calls).toEqual(["answer q1: the blue one", "submit: the red one"]);
  });

  test("a server's form, and what a server wants to ask the model, take no spoken word", () => {
    const { target, take } = rig();
    const form = { server: "s", fields: [] };
    target.emit({ type: "question.asked", questionId: "q1", question: "Key?", options: [], form });
    expect(take(said("yes")).inputId).toBe("i1");
    // As a sampling request comes: nothing says that it may be spoken.
    target.emit(asked("a1", "network"));
    expect(take(said("yes")).inputId).toBe("i2");
    expect(target.calls).toEqual(["submit: yes", "submit: yes"]);
  });

  const asked = (approvalId: string, effect: "write" | "execute" | "network") =>
    ({
      type: "approval.requested",
      approvalId,
      toolUseId: approvalId,
      name: "t",
      effect,
      detail: "d",
    }) as const;

  test("an approval is answered by yes and no, where it may be spoken", () => {
    const { target, take } = rig();
    target.emit(asked("a1", "write"));
    expect(take(said("yes and more")).inputId).toBe("i1");
    expect(take(said("yes")).rule).toBe("approval");
    target.emit(asked("a2", "write"));
    expect(take(said("no")).rule).toBe("approval");
    target.emit(asked("a3", "execute"));
    expect(take(said("yes")).inputId).toBe("i2");
    expect(target.calls).toEqual(["submit: yes and more", "allow a1", "deny a2", "submit: yes"]);
  });

  // Bug: a yes to something else, or the beginning of a prompt, was the answer to what came up while it was said.
  describe("that came up while somebody was speaking", () => {
    const begun = (agoMs: number, lateMs = 0) => {
      const { target, clock, take } = rig();
      target.now = clock.now();
      const startedAt = target.now - agoMs;
      clock.advance(500);
      return {
        target,
        take: (text: string) => take(said(text, 0, { startedAt, endedAt: clock.now() - lateMs })),
      };
    };

    test("takes no yes that was begun before it, but a no, and a yes that came after", () => {
      const before = begun(400);
      before.target.emit(asked("a1", "write"));
      expect(before.take("yes").inputId).toBe("i1");
      expect(before.take("no").rule).toBe("approval");
      const after = begun(-100);
      after.target.emit(asked("a1", "write"));
      expect(after.take("yes").rule).toBe("approval");
    });

    test("takes no answer that was begun before it", () => {
      const ask = ({ target }: ReturnType<typeof begun>) =>
        target.emit({ type: "question.asked", questionId: "q1", question: "Which?", options: [] });
      const before = begun(400);
      ask(before);
      expect(before.take("and another thing").inputId).toBe("i1");
      const after = begun(-100);
      ask(after);
      expect(after.take("the blue one").rule).toBe("answer");
    });

    test("is answered though the server's clock is an hour behind or ahead", () => {
      for (const behindMs of [3_600_000, -3_600_000]) {
        const { target, take } = begun(behindMs - 100, behindMs);
        target.emit(asked("a1", "write"));
        expect(take("yes").rule).toBe("approval");
      }
    });
  });

  // Bug: with two approvals waiting, a yes or no became a prompt, and nobody without hands could answer them.
  test("with several approvals it is said which; a yes alone is for none, and no prompt", () => {
    const { target, take } = rig();
    for (const id of ["a1", "a2", "a3"]) target.emit(asked(id, "write"));
    expect(take(said("yes"))).toMatchObject({ rule: "which", dropped: expect.stringContaining("say which") });
    expect(take(said("no")).rule).toBe("which");
    expect(target.calls).toEqual([]);
    expect(take(said("allow the second one")).rule).toBe("approval");
    expect(take(said("deny all")).rule).toBe("approval");
    expect(target.calls).toEqual(["allow a2", "deny a1", "deny a3"]);
  });

  test("a yes to all counts where every one of them may be spoken", () => {
    const { target, take } = rig();
    target.emit(asked("a1", "write"));
    target.emit(asked("a2", "execute"));
    expect(take(said("allow all")).inputId).toBe("i1");
    expect(take(said("allow the first")).rule).toBe("approval");
    expect(take(said("no")).rule).toBe("approval");
    expect(target.calls).toEqual(["submit: allow all", "allow a1", "deny a2"]);
  });
});

test("more than queueMax prompts are held, and enter in their order as the queue drains", async () => {
  const { target, take } = rig({ "voice.queueMax": 2 });
  const rules = ["one", "two", "three", "four"].map((text) => take(said(text, null)).rule);
  expect(rules).toEqual([undefined, undefined, "held", "held"]);
  const waiting = () => target.view().queue.map(({ text, isHeld }) => (isHeld ? `(${text})` : text));
  expect(waiting()).toEqual(["one", "two", "(three)", "(four)"]);
  target.begin("i1");
  await Promise.resolve();
  expect(waiting()).toEqual(["two", "(four)", "three"]);
  target.emit({ type: "input.dropped", inputId: "i4" });
  await Promise.resolve();
  target.end();
  target.begin("i2");
  await Promise.resolve();
  expect(target.calls.filter((call) => call.startsWith("send"))).toEqual(["send: three"]);
  expect(take(said("five", null)).rule).toBeUndefined();
});

// Bug: after "stop" the prompts beyond queueMax began one after the other, while those before them were held.
test("what is held beyond queueMax stays so once the user has said to stop", async () => {
  const { target, take } = rig({ "voice.queueMax": 1 });
  take(said("one", null));
  target.begin("i1");
  for (const text of ["two", "three", "four"]) take(said(text, null));
  // As a conversation holds what waits when its run is stopped.
  const input = { inputId: "i2", text: "two", origin: "voice", source: "microphone", isHeld: true } as const;
  target.emit({ type: "input.queued", input });
  target.emit({ type: "run.ended", runId: "run", stopReason: "interrupted" });
  target.emit({ type: "state.changed", state: "idle" });
  await Promise.resolve();
  expect(target.calls.filter((call) => call.startsWith("send"))).toEqual([]);
  expect(target.view().queue.every(({ isHeld }) => isHeld)).toBe(true);
});

// Bug: they never ran, and what was said later overtook them.
test("what is held beyond queueMax is sent as the queue drains though its words were corrected meanwhile", async () => {
  const { target, take } = rig({ "voice.queueMax": 1 });
  take(said("one", null));
  target.begin("i1");
  for (const text of ["two", "three"]) take(said(text, null));
  const input = { inputId: "i3", text: "tree", origin: "voice", source: "microphone", isHeld: true } as const;
  target.emit({ type: "input.queued", input });
  target.end();
  target.begin("i2");
  await Promise.resolve();
  expect(target.calls.filter((call) => call.startsWith("send"))).toEqual(["send: tree"]);
});

describe("words that are looked at first", () => {
  test("are sent when the time is over", async () => {
    const { target, clock, take } = rig({ "voice.reviewMs": 2000 });
    expect(take(said("recognise speech"))).toMatchObject({ rule: "review", inputId: "i1" });
    expect(target.view().queue[0]).toMatchObject({ isHeld: true, sendsAt: clock.now() + 2000 });
    clock.advance(1999);
    await Promise.resolve();
    expect(target.calls).toEqual(["hold: recognise speech"]);
    clock.advance(1);
    await new Promise(setImmediate);
    expect(target.calls).toEqual(["hold: recognise speech", "send: recognise speech"]);
  });

  // Bug: the countdown went on while somebody spoke, and sent the first half of a sentence.
  test("wait for their speaker, who goes on, and get their whole time again after it", async () => {
    const { target, clock, router, take } = rig({ "voice.reviewMs": 2000 });
    take(said("recognise speech", 0));
    router.onset({ sessionId: "s1", startMs: 1500 });
    clock.advance(5000);
    await new Promise(setImmediate);
    take(said("and translate it", 1500));
    clock.advance(1999);
    await new Promise(setImmediate);
    expect(target.calls.filter((call) => call.startsWith("send"))).toEqual([]);
    clock.advance(1);
    await new Promise(setImmediate);
    expect(target.calls.filter((call) => call.startsWith("send"))).toHaveLength(1);
  });

  test("get their whole time again where what was begun were no words", async () => {
    const { target, clock, router, take } = rig({ "voice.reviewMs": 2000 });
    take(said("recognise speech", 0));
    router.onset({ sessionId: "s1", startMs: 1500 });
    clock.advance(5000);
    router.resume();
    clock.advance(1999);
    await new Promise(setImmediate);
    expect(target.calls).toEqual(["hold: recognise speech", "let go: i1"]);
    clock.advance(1);
    await new Promise(setImmediate);
    expect(target.calls.at(-1)).toBe("send: recognise speech");
  });

  test("are not when they were changed or dropped meanwhile", async () => {
    const { target, clock, take } = rig({ "voice.reviewMs": 2000 });
    take(said("recognise beach", null));
    take(said("drop this", null));
    const changed = {
      inputId: "i1",
      text: "recognise speech",
      origin: "voice",
      source: "microphone",
    } as const;
    target.emit({ type: "input.queued", input: { ...changed, isHeld: true } });
    target.emit({ type: "input.dropped", inputId: "i2" });
    clock.advance(2000);
    await new Promise(setImmediate);
    expect(target.calls.filter((call) => call.startsWith("send"))).toEqual([]);
  });
});

test.each([
  ["steer", ["steer: and in euros"]],
  ["interrupt", ["abort", "submit: and in euros"]],
] as const)("while a run goes on, %s", (policy, calls) => {
  const { target, take } = rig({ "voice.whileBusy": policy });
  target.emit({ type: "state.changed", state: "processing" });
  expect(take(said("and in euros")).rule).toBe(policy === "steer" ? "steered" : "interrupted");
  expect(target.calls).toEqual(calls);
});

test("in a meeting push-to-talk asks; the rest is noted", () => {
  const { target, take } = rig();
  const meeting = { played: [], isTalking: false };
  expect(take(said("is that so"), meeting).rule).toBe("noted");
  expect(
    take(said("heard on the line", 0, { source: "loopback" }), { ...meeting, isTalking: true }).rule,
  ).toBe("noted");
  expect(take(said("when do we ship"), { ...meeting, isTalking: true }).inputId).toBe("i1");
  expect(target.prompts).toMatchObject([{ text: "when do we ship" }]);
});

test("doubtful words go with the prompt", () => {
  const { target, take } = rig();
  const doubts = [{ word: "sonks", confidence: 0.4, alternatives: ["songs"] }];
  take(said("play the sonks", 0, { doubts }));
  expect(target.prompts).toMatchObject([{ text: "play the sonks", heard: doubts }]);
});

test("what else an utterance may be as a whole goes with the prompt", () => {
  const { target, take } = rig();
  take(said("play the sonks", 0, { readings: ["play the songs"] }));
  expect(target.prompts).toMatchObject([{ text: "play the sonks", readings: ["play the songs"] }]);
});

test.each<[what: string, more: Partial<Utterance>, isUnclear: boolean | undefined]>([
  ["a confidence below 0.75", { confidence: 0.74 }, true],
  ["a doubtful word", { doubts: [{ word: "sonks", confidence: 0.5, alternatives: [] }] }, true],
  ["a sure recogniser", { confidence: 0.75 }, undefined],
  ["one that does not say", { confidence: null }, undefined],
  ["what the computer plays", { confidence: 0.5, source: "loopback" }, undefined],
])("a prompt is unclear, or not, by %s", (_, more, isUnclear) => {
  const { take, target } = rig();
  take(said("play the sonks", 0, more));
  expect(target.prompts[0]?.isUnclear).toBe(isUnclear);
});

describe("words that are said to the app", () => {
  test("are done, and are no prompt; they can be sent all the same", () => {
    const { target, router, take, commanded } = rig();
    const outcome = take(said("Scroll down."));
    expect(outcome).toMatchObject({ rule: "command", dropped: "command: scroll down" });
    expect(commanded).toEqual(["scroll_down"]);
    expect(target.calls).toEqual([]);
    router.sendAnyway(outcome.droppedId ?? "");
    expect(target.texts).toEqual(["Scroll down."]);
  });

  test("count while a question waits, unless they are one of its answers", () => {
    const { target, take, commanded } = rig();
    const options = [{ label: "New conversation" }, { label: "This one" }];
    target.emit({ type: "question.asked", questionId: "q", question: "Where?", options });
    take(said("scroll down"));
    take(said("new conversation", 60_000));
    expect(commanded).toEqual(["scroll_down"]);
    expect(target.calls).toEqual(["answer q: new conversation"]);
  });

  test("that go on with a prompt belong to it", () => {
    const { target, take, commanded } = rig();
    take(said("write a script that can"));
    take(said("scroll down", 1400));
    expect(commanded).toEqual([]);
    expect(target.texts).toEqual(["write a script that can scroll down"]);
  });

  test("count where the recogniser was not sure and another reading, of as many words, is one", () => {
    const { take, commanded, target } = rig();
    take(said("stopped listening", 0, { readings: ["stopped listing", "stop listening"] }));
    expect(commanded).toEqual(["stop_listening"]);
    take(said("scroll down the page", 60_000, { readings: ["scroll down"] }));
    take(said("open the wine about food", 120_000, { readings: ["open the one about food"] }));
    expect(commanded).toEqual(["stop_listening"]);
    expect(target.texts).toEqual(["scroll down the page", "open the wine about food"]);
  });

  test.each(["loopback", "file"] as const)("command nothing from %s, nor in a meeting", (source) => {
    const { take, commanded } = rig();
    take(said("new conversation", 0, { source }));
    take(said("new conversation", 60_000), { played: [], isTalking: false });
    expect(commanded).toEqual([]);
  });
});

test("a name is pressed only where it was heard clearly: it may do what no other word takes back", () => {
  const { take, commanded, target } = rig();
  take(said("press rewind", 0, { confidence: 0.5 }));
  expect(commanded).toEqual([]);
  expect(target.prompts).toHaveLength(1);
  take(said("press rewind", 60_000, { confidence: 0.9 }));
  expect(commanded).toEqual(["press"]);
});

test("what ends a dictation is no word of it; other commands are typed like any word", () => {
  const { router, target } = rig();
  const ends = (text: string) => router.endsDictation({ text }, target);
  expect(["stop dictating", "Send the dictation.", "stop listening"].map(ends)).toEqual([true, true, true]);
  expect(["new conversation", "stop dictating this letter"].map(ends)).toEqual([false, false]);
});

test("in a meeting “go on” is for a reply that waits for it, and for the others where none does", () => {
  const meeting = { played: [], isTalking: false };
  const reply = { conversationId: "c", messageId: "m", sentence: null };
  const after = (state: SpokenReply["state"] | null, one: Utterance) => {
    const { take, asides } = rig({}, state && { ...reply, state });
    asides.set("go on", "command: go on");
    return take(one, meeting);
  };
  expect(after("stopped", said("go on"))).toMatchObject({ rule: "command", dropped: "command: go on" });
  expect(after("paused", said("go on"))).toMatchObject({ rule: "command" });
  expect(after("speaking", said("go on"))).toEqual({ rule: "noted" });
  expect(after(null, said("go on"))).toEqual({ rule: "noted" });
  expect(after("stopped", said("we ship on friday"))).toEqual({ rule: "noted" });
  expect(after("stopped", said("go on", 0, { source: "loopback" }))).toEqual({ rule: "noted" });
});

describe("a server that hears an utterance better", () => {
  const first = said("open a file", null, { id: "s1/u1" });
  const better = said("open the file", null, { id: "s1/u1", corrects: "open a file" });

  // Bug: it was a second prompt.
  test("corrects the prompt that waits", () => {
    const { target, take } = rig();
    take(first);
    expect(take(better)).toEqual({ rule: "corrected" });
    expect(target.view().queue.map(({ text }) => text)).toEqual(["open the file"]);
    const best = { text: "open the files", corrects: "open the file" };
    expect(take({ ...better, ...best }).rule).toBe("corrected");
    expect(target.texts).toEqual(["open the files"]);
  });

  test("corrects what is held, what is reviewed, and its part of what was joined", () => {
    for (const settings of [{ "voice.queueMax": 1 }, { "voice.reviewMs": 5000 }]) {
      const { target, take } = rig(settings);
      take(said("before", null, { id: "s1/u0" }));
      take(first);
      take(better);
      expect(target.texts).toEqual(["before", "open the file"]);
    }
    const { target, take } = rig();
    take(said("please", 0, { id: "s1/u0" }));
    take(said("open a file", 1200, { id: "s1/u1" }));
    target.calls.length = 0;
    take({ ...better, startMs: 1200, endMs: 2200 });
    expect(target.texts).toEqual(["please open the file"]);
  });

  test("is not asked twice after it was sent: the better words are listed, and can be sent", () => {
    const { target, router, take } = rig();
    const { inputId = "" } = take(first);
    target.begin(inputId);
    const late = take(better);
    expect(late).toMatchObject({ rule: "too_late", dropped: "better words, but too late" });
    expect(target.texts).toEqual(["open a file"]);
    router.sendAnyway(late.droppedId ?? "");
    expect(target.texts).toEqual(["open a file", "open the file"]);
  });

  test("leaves words alone that the user has changed meanwhile", () => {
    const { target, take } = rig({ "voice.reviewMs": 5000 });
    const { inputId = "" } = take(first);
    const [input] = target.view().queue;
    if (input) target.emit({ type: "input.queued", input: { ...input, inputId, text: "close it" } });
    expect(take(better).rule).toBe("too_late");
    expect(target.view().queue.map(({ text }) => text)).toEqual(["close it"]);
  });

  test("is heard where the first words were dropped; what was done is not done again", () => {
    const { target, take, commanded } = rig();
    expect(take({ ...first, confidence: 0.01 }).rule).toBe("too_unsure");
    take(better);
    expect(target.texts).toEqual(["open the file"]);
    take(said("scroll down", null, { id: "s1/u2" }));
    take(said("scroll up", null, { id: "s1/u2", corrects: "scroll down" }));
    expect(commanded).toEqual(["scroll_down", "scroll_up"]);
    take(said("scroll up please", null, { id: "s1/u2", corrects: "scroll up" }));
    expect(commanded).toEqual(["scroll_down", "scroll_up"]);
    target.begin("i1");
    take(said("stop", null, { id: "s1/u3" }));
    expect(take(said("stop it", null, { id: "s1/u3", corrects: "stop" })).rule).toBe("too_late");
  });
});

// Bug: better words for what stands in the text box were sent once nobody dictated any more.
test("better words for what was dictated are listed, and not sent by themselves", () => {
  const { target, router, take } = rig();
  router.dictated({ id: "s1/u1" }, target);
  expect(take(said("open the file", null, { id: "s1/u1", corrects: "open a file" })).rule).toBe("too_late");
  expect(target.texts).toEqual([]);
});

describe("what has no words", () => {
  test("is listed, and sent if the user says so", () => {
    const { target, router, take } = rig();
    const outcome = take(said("[Music]", null, { noWords: "sounds" }));
    expect(outcome).toMatchObject({ rule: "no_words", dropped: "no words" });
    expect(target.texts).toEqual([]);
    router.sendAnyway(outcome.droppedId ?? "");
    expect(target.texts).toEqual(["[Music]"]);
  });

  test("is no line of a meeting, but what Whisper writes for silence may be said there", () => {
    const { take } = rig();
    const meeting = { played: [], isTalking: false };
    expect(take(said("[Music]", null, { noWords: "sounds" }), meeting).rule).toBe("no_words");
    const phantom = said("Thanks for watching!", null, { noWords: "phantom", source: "loopback" });
    expect(take(phantom, meeting).rule).toBe("noted");
    expect(take(phantom).rule).toBe("phantom");
  });
});
