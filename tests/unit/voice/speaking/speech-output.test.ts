import { describe, expect, it, test } from "vitest";
import { goOnMs } from "../../../../electron/voice/speaking/barge-in.ts";
import type { SaidOverReply } from "../../../../electron/voice/speaking/spoken-asides.ts";
import { cannotBeSaid } from "../../../../electron/voice/speaking/unsayable.ts";
import type { AgentEventBody, VoiceStateName } from "../../../../shared/conversation/events.ts";
import type { Settings } from "../../../../shared/settings.ts";
import { said, setUp, speaking } from "./speech-rig.ts";

test.each([
  ["spoken", "voice", "microphone", true],
  ["spoken", "voice", "loopback", false],
  ["spoken", "typed", null, false],
  ["always", "typed", null, true],
  ["never", "voice", "microphone", false],
] as const)("with voice.speak %s a %s prompt from %s is answered aloud: %s", (when, origin, source, is) => {
  const { ask, delta, texts } = setUp({ "voice.speak": when });
  ask(origin, source);
  delta("One. Two");
  expect(texts()).toEqual(is ? ["One."] : []);
});

test("sentences are asked for while the text streams, two ahead of what is heard", () => {
  const { ask, delta, texts, start, end, audible, whole } = setUp();
  ask("voice", "microphone");
  delta("One. Two. Three. Fo");
  expect(texts()).toEqual(["One.", "Two."]);
  start(0);
  expect(texts()).toEqual(["One.", "Two.", "Three."]);
  delta("ur");
  whole("One. Two. Three. Four");
  for (const index of [0, 1, 2, 3]) {
    if (index > 0) start(index);
    end(index);
  }
  expect(texts()).toEqual(["One.", "Two.", "Three.", "Four"]);
  expect(audible).toEqual([true, false]);
});

test("a reply that is void is not said, and its second attempt is", () => {
  const { ask, delta, hear, texts } = setUp();
  ask("voice", "microphone");
  delta("Wrong words. And");
  hear({ type: "stream.reset", messageId: "m" });
  delta("Right words. So");
  expect(texts()).toEqual(["Right words."]);
});

test("a run that ends elsewhere takes no words from a reply that is still being written", () => {
  const { ask, delta, hear, whole, texts } = setUp();
  ask("voice", "microphone");
  delta("Half a sen");
  hear({ type: "run.ended", runId: "other", stopReason: "end_turn" }, "other");
  delta("tence");
  whole("Half a sentence");
  expect(texts()).toEqual(["Half a sentence"]);
});

test("speech pauses after 200 ms of somebody's voice, and goes on where no words came of it", async () => {
  const { clock, calls, voice, states } = speaking();
  voice("hearing");
  expect(calls).not.toContain("pause");
  await clock.sleeping();
  clock.advance(70);
  await Promise.resolve();
  await Promise.resolve();
  expect(calls).toContain("pause");
  voice("transcribing");
  voice("listening");
  expect(calls).not.toContain("resume");
  await clock.sleeping(goOnMs);
  clock.advance(goOnMs);
  await Promise.resolve();
  await Promise.resolve();
  expect(calls.at(-1)).toBe("resume");
  expect(states()).toEqual(["speaking", "paused", "speaking"]);
});

test("a click that is over before 200 ms pauses nothing", async () => {
  const { clock, calls, voice } = speaking();
  voice("hearing");
  await clock.sleeping();
  voice("transcribing");
  clock.advance(500);
  await Promise.resolve();
  expect(calls).not.toContain("pause");
});

test("a loud sound near the microphone pauses at once, and where no voice follows speech goes on", async () => {
  const { clock, calls, voice, near, states } = speaking();
  voice("listening");
  near();
  expect(calls.at(-1)).toBe("pause");
  await clock.sleeping();
  clock.advance(goOnMs);
  await Promise.resolve();
  await Promise.resolve();
  expect(calls.at(-1)).toBe("resume");
  expect(states()).toEqual(["speaking", "paused", "speaking"]);
});

test("a loud sound that turns out to be a voice keeps speech paused until its words decide", async () => {
  const { clock, calls, voice, near, output, states } = speaking();
  voice("listening");
  near();
  await clock.sleeping();
  voice("hearing");
  clock.advance(10 * goOnMs);
  await Promise.resolve();
  expect(calls).not.toContain("resume");
  voice("transcribing");
  expect(output.heard(said("what about tomorrow", 900))).toBeNull();
  expect(states()).toEqual(["speaking", "paused", "silent"]);
});

test.each(["off", "muted", "loopback"] as const)("a loud sound pauses nothing while voice is %s", (how) => {
  const { calls, hear, near } = speaking();
  const source = how === "loopback" ? "loopback" : "microphone";
  const state = how === "off" ? "off" : "listening";
  hear({ type: "voice.state", state, source, ...(how === "muted" && { isMuted: true }) });
  near();
  expect(calls).not.toContain("pause");
});

test("a voice that cannot be had is replaced in words", () => {
  const { emitted, otherVoice } = speaking();
  otherVoice("it was deleted.");
  const notices = emitted.flatMap((body) => (body.type === "voice.notice" ? [body.message] : []));
  expect(notices).toEqual(["Parley speaks with its embedded voice: it was deleted."]);
});

// Bug: the built-in voice said nothing at all of them, and nobody knew why.
test.each([
  "今天天气很好。明天也是。",
  "Сегодня хорошая погода.",
  "اليوم جميل جدا.",
  "我用 git 提交了这些更改。",
])("a reply that the built-in voice cannot say is told of once in a conversation: %s", (text) => {
  const { ask, whole, emitted } = setUp();
  for (const messageId of ["m1", "m2"]) {
    ask("voice", "microphone");
    whole(text, messageId);
  }
  const notices = emitted.flatMap((body) => (body.type === "voice.notice" ? [body.message] : []));
  expect(notices).toEqual([cannotBeSaid]);
});

test.each([
  ["Der Löwe sagt: “Grüße”. It is αβ, or 北京 (Beijing).", "slt"],
  ["今天天气很好。", "model:supertonic"],
  ["今天天气很好。", "system"],
])("of “%s” with the voice %s there is nothing to tell", (text, voice) => {
  const { ask, whole, emitted } = setUp({ "voice.voice": voice });
  ask("voice", "microphone");
  whole(text);
  expect(emitted).toEqual([]);
});

test("a backchannel is no prompt and stops nothing", () => {
  const { output, notes, states } = speaking();
  expect(output.heard(said("mhm", 300))).toBe("backchannel");
  expect(notes).toEqual([]);
  expect(states()).toEqual(["speaking"]);
});

test("Parley's own words are no prompt, also just after they were said", () => {
  const { output, end, start } = speaking();
  expect(output.heard(said("one two three for", 900))).toBe("own voice");
  end(0);
  start(1);
  end(1);
  expect(output.heard(said("five six", 900))).toBe("own voice");
  expect(output.speaking()?.until).not.toBeNull();
});

test("anything else stops it, and what was heard is marked, to the word", () => {
  const { output, at, notes, emitted, states, texts } = speaking();
  at(0, 0.6);
  expect(output.heard(said("what about tomorrow", 900))).toBeNull();
  expect(emitted).toContainEqual({ type: "speech.interrupted", messageId: "m", heard: "One two" });
  expect(notes).toEqual([
    "[The reply above was being read aloud and was interrupted after “…One two”. The user did not hear the rest.]",
  ]);
  expect(states()).toEqual(["speaking", "silent"]);
  expect(texts()).toEqual([]);
});

test("after an interruption the rest of the same run is not said", () => {
  const { output, ask, delta, start, texts } = setUp();
  ask("voice", "microphone");
  delta("One. Two");
  start(0);
  output.heard(said("wait a moment", 900));
  delta(" three. Four five. Six");
  expect(texts()).toEqual([]);
});

// Bug: words into the turn that goes on were answered silently where they were said over its reply.
test("what comes of words into the same turn is said, though they interrupted its reply", () => {
  const { output, ask, delta, hear, start, texts } = setUp();
  ask("voice", "microphone");
  delta("One. Two");
  start(0);
  output.heard(said("and in euros please", 900));
  const content = [{ type: "text" as const, text: "and in euros please" }];
  const words = { role: "user", origin: "steering", source: "microphone" } as const;
  delta(" three. Four five. Six");
  hear({ type: "message.added", message: { ...words, id: "s", content, createdAt: 0 } });
  delta("Seven. Eight", "n");
  expect(texts()).toEqual(["Seven."]);
});

// Bug: a reply that was stopped while another conversation's was read came after it all the same.
test("a stopped reply that waits behind one of another conversation is not said", () => {
  const { hear, end, texts } = speaking();
  const input = { inputId: "j", text: "?", origin: "voice", source: "microphone" } as const;
  hear({ type: "input.queued", input }, "d");
  hear({ type: "run.started", runId: "s", inputId: "j" }, "d");
  hear({ type: "text.delta", messageId: "n", text: "Seven eight. Nine. Ten" }, "d");
  hear({ type: "run.ended", runId: "s", stopReason: "interrupted" }, "d");
  end(0);
  end(1);
  expect(texts()).toEqual(["One two three four.", "Five six."]);
});

// Bug: a reply of another conversation that waited behind the one that was stopped began in its middle.
test("after an interruption the rest of what waited behind it is not said either", () => {
  const { hear, output, texts } = speaking();
  const input = { inputId: "j", text: "?", origin: "voice", source: "microphone" } as const;
  hear({ type: "input.queued", input }, "d");
  hear({ type: "run.started", runId: "s", inputId: "j" }, "d");
  hear({ type: "text.delta", messageId: "n", text: "Seven eight. Nine. Ten" }, "d");
  output.stop();
  hear({ type: "text.delta", messageId: "n", text: " eleven. Twelve" }, "d");
  expect(texts()).toEqual([]);
});

test("what the computer plays interrupts nothing", () => {
  const { output, states } = speaking();
  expect(output.heard(said("hello everybody", 900, { source: "loopback" }))).toBeNull();
  expect(states()).toEqual(["speaking"]);
});

test("“repeat that” says the last reply again; “slower” says the rest slower; neither is a prompt", () => {
  const { output, texts, part, start, end } = speaking();
  expect(output.heard(said("slower", 500))).toBe("command: slower");
  expect(texts()).toEqual(["One two three four.", "Five six."]);
  expect(part(0)?.rate).toBeCloseTo(0.8);
  start(0);
  end(0);
  start(1);
  end(1);
  expect(output.heard(said("repeat that", 700))).toBe("command: repeat");
  expect(texts().slice(2)).toEqual(["One two three four.", "Five six."]);
});

test("before anything was said, “faster” is a prompt like any other", () => {
  const { output } = setUp();
  expect(output.heard(said("faster", 500))).toBeNull();
});

// Bug: "faster", ten minutes after a reply, changed its pace and was no prompt.
test("“faster” is asked of a reply that is said or was said just now, and is a prompt later", () => {
  const { output, clock, start, end } = speaking();
  for (const index of [0, 1]) {
    start(index);
    end(index);
  }
  clock.advance(4_000);
  expect(output.heard(said("faster", 500))).toBe("command: faster");
  clock.advance(2_000);
  expect(output.heard(said("faster", 500))).toBeNull();
});

test("where it is wanted, a chime sounds when listening begins and another when it ends, once each", () => {
  const chimes = (calls: string[]) => calls.filter((call) => call.startsWith("chime"));
  const loud = setUp({ "voice.chime": true });
  for (const state of ["starting", "listening", "hearing", "listening"] as const) loud.voice(state);
  expect(chimes(loud.calls)).toEqual(["chime start"]);
  for (const state of ["stopping", "off", "off"] as const) loud.voice(state);
  expect(chimes(loud.calls)).toEqual(["chime start", "chime stop"]);
  // What never listened has nothing to end.
  for (const state of ["starting", "failed"] as const) loud.voice(state);
  expect(chimes(loud.calls)).toHaveLength(2);
  const quiet = setUp();
  for (const state of ["starting", "listening", "off"] as const) quiet.voice(state);
  expect(chimes(quiet.calls)).toEqual([]);
});

test("the output is opened when a prompt has been spoken and when its run begins, before there is a word to say", () => {
  const { calls, hear, ask } = setUp();
  hear({ type: "voice.state", state: "transcribing", source: "microphone" });
  expect(calls).toEqual(["open"]);
  ask("voice", "microphone");
  expect(calls).toEqual(["open", "open"]);
  ask("typed", null);
  hear({ type: "voice.state", state: "transcribing", source: "loopback" });
  expect(calls).toEqual(["open", "open"]);
  const never = setUp({ "voice.speak": "never" });
  never.hear({ type: "voice.state", state: "transcribing", source: "microphone" });
  expect(never.calls).toEqual([]);
});

test("a second loud sound waits its own time for a voice, not the rest of the first one's", async () => {
  const { clock, calls, voice, near, output } = speaking();
  voice("listening");
  near();
  await clock.sleeping(goOnMs);
  clock.advance(goOnMs - 100);
  output.goOn();
  near();
  await clock.sleeping(goOnMs);
  clock.advance(100);
  await Promise.resolve();
  await Promise.resolve();
  expect(calls).toEqual(["open", "open", "pause", "resume", "pause"]);
});

test("a reply that ends at the moment of a pause leaves the speaker ready for the next one", () => {
  const { calls, voice, near, start, end } = speaking();
  end(0);
  start(1);
  voice("listening");
  near();
  end(1);
  expect(calls.slice(-2)).toEqual(["pause", "resume"]);
});

test("a slower voice that was asked for in a pause is shown to speak again", () => {
  const { calls, voice, near, output, states } = speaking();
  voice("listening");
  near();
  expect(output.heard(said("slower", 500))).toBe("command: slower");
  expect(calls.at(-1)).toBe("resume");
  expect(states()).toEqual(["speaking", "paused", "speaking"]);
});

test("words of a run that ended are no part of what is said next", () => {
  const { ask, delta, hear, texts } = setUp();
  ask("voice", "microphone");
  delta("Half a sen");
  hear({ type: "run.ended", runId: "r", stopReason: "error" });
  ask("voice", "microphone");
  delta("Whole. And");
  expect(texts()).toEqual(["Whole."]);
});

test("a reply that is void between two sentences leaves the computer's sound to others", () => {
  const { ask, delta, hear, start, end, audible, states } = setUp();
  ask("voice", "microphone");
  delta("One. Two. Three");
  start(0);
  end(0);
  hear({ type: "stream.reset", messageId: "m" });
  expect(audible).toEqual([true, false]);
  expect(states()).toEqual(["speaking", "silent"]);
});

test.each([
  ["school", 500],
  ["console", 1_400],
  ["but up", 900],
  ["shout", null],
])(
  "“%s” over a reply is no prompt: it may have been “stop”, and the reply waits until somebody wants it to go on",
  (text, ms) => {
    const { output, calls, states, hear, clock } = speaking();
    expect(output.heard(said(text, ms, { startedAt: clock.now() }))).toBe("unclear over speech");
    expect(calls.at(-1)).toBe("pause");
    hear(utterance(text, { dropped: "unclear over speech", rule: "unclear" }));
    expect(states()).toEqual(["speaking", "stopped"]);
    output.goOn();
    expect(calls.at(-1)).toBe("resume");
    expect(states()).toEqual(["speaking", "stopped", "speaking"]);
  },
);

test.each([
  ["what about tomorrow", 900],
  ["tomorrow please", 1_600],
])("“%s” is enough to be a prompt over a reply", (text, ms) => {
  const { output, states } = speaking();
  expect(output.heard(said(text, ms))).toBeNull();
  expect(states()).toEqual(["speaking", "silent"]);
});

test("a word to stop pauses at once; “go on” lets it go on and is no prompt", () => {
  const { output, calls, states } = speaking();
  output.stopWord("stop");
  expect(calls.at(-1)).toBe("pause");
  expect(output.shown()?.state).toBe("stopped");
  expect(output.heard(said("go on", 600))).toBe("command: go on");
  expect(calls.at(-1)).toBe("resume");
  expect(states()).toEqual(["speaking", "stopped", "speaking"]);
});

// Bug: “go on”, heard as “go”, was a prompt, though the recogniser had the right words among its readings.
test("“go on” that is heard as something else counts by its readings, as long as a reply waits for it", () => {
  const { output, calls, clock } = speaking();
  expect(output.heard(said("go on", 600))).not.toBe("command: go on");
  for (const half of [said("go", 600), said("gone", 600, { readings: ["go on"] })]) {
    output.stopWord("stop");
    clock.advance(1000);
    expect(output.heard({ ...half, startedAt: clock.now() })).toBe("command: go on");
    expect(calls.at(-1)).toBe("resume");
  }
  output.stopWord("stop");
  expect(output.heard(said("tell me how to go on", 1600, { readings: ["go on"] }))).toBeNull();
});

// Bug: after another pace, or after “Go on”, only the last sentence counted as heard, and “Go on” began at the second one.
test.each(["another pace", "what was heard before"])(
  "all that was heard of a reply is told, with %s",
  (what) => {
    const { output, emitted, start, end, texts } = setUp();
    const text = "First one here. Second one here. Third one here. Fourth one here.";
    if (what === "another pace") {
      output.say("c", text, "m");
      start(0);
      end(0);
      output.changePace();
    } else output.say("c", text, "m", "First one here. Second");
    expect(texts()[0]).toBe("Second one here.");
    start(0);
    end(0);
    start(1);
    output.stop();
    const heard = "First one here. Second one here.";
    expect(emitted).toContainEqual({ type: "speech.interrupted", messageId: "m", heard });
    output.say("c", text, "m", heard);
    expect(texts()[0]).toBe("Third one here.");
  },
);

// Bug: “repeat that” over a reply that was still being written read the one before it, and the new one was lost.
test("“repeat that” over a reply that is still being written says it from its beginning, and what comes after", () => {
  const { output, ask, delta, whole, start, end, texts } = setUp();
  ask("voice", "microphone");
  delta("The old one. ", "m1");
  whole("The old one.", "m1");
  start(0);
  end(0);
  ask("voice", "microphone");
  delta("First one here. Second one here. And", "m2");
  start(0);
  end(0);
  start(1);
  expect(output.heard(said("repeat that", 700))).toBe("command: repeat");
  expect(texts()).toEqual(["First one here.", "Second one here."]);
  start(0);
  end(0);
  start(1);
  end(1);
  delta(" a third one. Fo", "m2");
  expect(texts().at(-1)).toBe("And a third one.");
});

// Bug: a reply that had no first word yet was read into what the user dictated.
test("who dictates hears nothing of a reply that is only coming", () => {
  const { output, ask, delta, texts } = setUp();
  ask("voice", "microphone");
  output.silence();
  delta("One here. Two");
  expect(texts()).toEqual([]);
});

// Bug: with push-to-talk whoever spoke nearby paused the reply again and again, and before the wake phrase stopped it for good.
test("what counts for nothing, before the key or the wake phrase, lets a reply go on", () => {
  const { hear, near, states } = speaking();
  const voice = (state: VoiceStateName) =>
    hear({ type: "voice.state", state, source: "microphone", isWaiting: true });
  voice("listening");
  near();
  voice("hearing");
  voice("transcribing");
  voice("listening");
  expect(states()).toEqual(["speaking"]);
});

// Bug: a stopped reply would have been heard once its stream began anew.
test("a stopped reply whose stream begins anew stays silent, and its sentences are counted anew", () => {
  const { output, hear, calls } = speaking();
  output.stopWord("stop");
  hear({ type: "stream.reset", messageId: "m" });
  expect(calls.at(-1)).toBe("pause");
  expect(output.shown()?.state).toBe("stopped");
});

// Bug: “no” and “hold on” over a reply let it go on, where a reading of them was “go” or “go on”.
test.each([
  ["no", ["know", "go"]],
  ["hold on", ["go on"]],
  ["go", []],
])("“%s” over a reply that it paused itself lets nothing go on", (text, readings) => {
  const { output, near, voice, clock } = speaking();
  voice("listening");
  near();
  voice("hearing");
  const over = said(text, 400, { startedAt: clock.now(), readings });
  expect(output.heard(over)).toBe("unclear over speech");
  expect(output.shown()?.state).toBe("stopped");
});

// Bug: the sentence of a stopped reply counted as being said for ever, so whoever answered with its words was not heard.
test("of a reply that was stopped a while ago nothing is to be heard: its words, and a yes, are the user's own", () => {
  for (const text of ["two three", "one two three four", "yes"]) {
    const { output, clock } = speaking();
    output.stopWord("stop");
    clock.advance(10_000);
    expect(output.speaking()).toBeNull();
    expect(output.heard(said(text, 600, { startedAt: clock.now() }))).toBeNull();
  }
  const { output, clock } = speaking();
  output.stopWord("stop");
  clock.advance(500);
  expect(output.heard(said("two three", 600, { startedAt: clock.now() }))).toBe("own voice");
});

// Bug: what a file or the computer said ended a paused reply.
test("words of others that become prompts leave a stopped reply as it is", () => {
  const { output, hear } = speaking();
  output.stopWord("stop");
  hear(utterance("please look at that", {}, "loopback"));
  expect(output.shown()?.state).toBe("stopped");
});

test("while a question waits a short clear word over its reading is an answer, an unclear one and a hum are none", () => {
  const awaited = (text: string, more: Partial<SaidOverReply> = {}) => {
    const { output, clock } = speaking();
    return output.heard(said(text, 400, { startedAt: clock.now(), isAwaited: true, ...more }));
  };
  expect(awaited("blue")).toBeNull();
  expect(awaited("yes")).toBeNull();
  expect(awaited("school", { isUnclear: true })).toBe("unclear over speech");
  expect(awaited("mhm")).toBe("backchannel");
  expect(awaited("two three")).toBe("own voice");
});

// Bug: “the red one”, said right after “… the blue one or the red one?” was read, was dropped as an echo; “faster” changed the pace.
test("once a question was read, an answer may say its words, or those of a command", () => {
  for (const text of ["five six", "faster"]) {
    const { output, clock, end, start } = speaking();
    end(0);
    start(1);
    end(1);
    const until = clock.now();
    clock.advance(1200);
    expect(output.heard(said(text, 600, { startedAt: until + 400, isAwaited: true }))).toBeNull();
  }
});

// Bug: “stop” beside a loudspeaker was understood as “it's it's it's months”, which ended the reply and was a prompt.
test("few unclear words in which a word to stop was heard are no prompt, and the reply stays stopped", () => {
  const { output, hear, near, voice, clock } = speaking();
  voice("listening");
  near();
  voice("hearing");
  const startedAt = clock.now();
  // The first words of an utterance decide nothing: the recogniser takes an echo for words.
  hear({ type: "voice.partial", utteranceId: "u", text: "it's it's it's" });
  output.stopWord("stop");
  expect(output.shown()?.state).toBe("stopped");
  const mixed = said("it's it's it's months", 1800, { startedAt, isUnclear: true });
  expect(output.heard(mixed)).toBe("unclear over speech");
  expect(output.shown()?.state).toBe("stopped");
  // What is begun later, is clear, or is long is somebody's own.
  clock.advance(1000);
  for (const changes of [
    { startedAt: clock.now() + 1 },
    { isUnclear: false },
    { text: "stop and tell me about tomorrow" },
  ]) {
    output.stopWord("stop");
    expect(output.heard({ ...mixed, ...changes })).toBeNull();
  }
});

// Bug: “stop”, once it was understood, ended the reply for good, and “go on” became a prompt.
test("a word to stop that was understood ends the run; what was written is kept, and goes on", () => {
  const { output, hear, calls, states } = speaking();
  output.stopWord("stop");
  output.hold();
  hear(utterance("stop", { rule: "stop_word" }));
  hear({ type: "run.ended", runId: "r", stopReason: "interrupted" });
  expect(output.shown()?.state).toBe("stopped");
  expect(output.heard(said("go on", 600))).toBe("command: go on");
  expect(calls.at(-1)).toBe("resume");
  expect(states()).toEqual(["speaking", "stopped", "speaking"]);
  hear({ type: "run.ended", runId: "r2", stopReason: "interrupted" });
  expect(output.shown()).toBeNull();
});

test("a word to stop that was understood is enough where nobody listened for it, and before anything is to be heard", () => {
  const said = speaking();
  said.output.hold();
  expect(said.output.shown()?.state).toBe("stopped");
  const { output, ask, delta, texts } = setUp();
  ask("voice", "microphone");
  delta("A sentence. And");
  output.hold();
  expect(texts()).toEqual([]);
  expect(output.shown()).toBeNull();
});

test.each([
  ["stop", "It will stop there."],
  ["never mind", "I would never say that."],
])(
  "a word to stop (“%s”) does not count while Parley says “%s” itself, nor right after it",
  (word, sentence) => {
    const { output, ask, delta, start, end, calls, clock } = setUp();
    ask("voice", "microphone");
    delta(`${sentence} That was all of it. And`);
    start(0);
    output.stopWord(word);
    end(0);
    start(1);
    clock.advance(1_000);
    output.stopWord(word);
    expect(calls).not.toContain("pause");
    clock.advance(1_000);
    output.stopWord(word);
    expect(calls.at(-1)).toBe("pause");
  },
);

test("a word that only begins like a word to stop hides none", () => {
  const { output, ask, delta, start, calls } = setUp();
  ask("voice", "microphone");
  delta("It stopped there, and waits. And");
  start(0);
  output.stopWord("stop");
  expect(calls.at(-1)).toBe("pause");
});

test("what others say in a meeting leaves a stopped reply as it is; the user's own words end it", () => {
  const { output, hear } = speaking();
  output.stopWord("stop");
  hear(utterance("we ship on friday", { rule: "noted" }, "loopback"));
  expect(output.shown()?.state).toBe("stopped");
  hear(utterance("we ship on friday", { rule: "noted" }));
  expect(output.shown()).toBeNull();
});

test("better words for what was said before leave a reply as it is", () => {
  const stopped = speaking();
  stopped.output.stopWord("stop");
  stopped.hear(utterance("open the file", { rule: "corrected" }));
  expect(stopped.states()).toEqual(["speaking", "stopped"]);
  const paused = speaking();
  paused.voice("listening");
  paused.near();
  paused.hear(utterance("open the file", { dropped: "better words, but too late", rule: "too_late" }));
  expect(paused.states()).toEqual(["speaking", "paused"]);
});

test("what is said after a reply was stopped is a prompt, however short: nothing sounds that it could be misheard over", () => {
  const { output, states, clock } = speaking();
  output.stopWord("stop");
  clock.advance(1_000);
  expect(output.heard(said("tomorrow", 500, { startedAt: clock.now() }))).toBeNull();
  expect(states()).toEqual(["speaking", "stopped", "silent"]);
});

test("“go on” is a prompt like any other where nothing is paused", () => {
  const { output } = setUp();
  expect(output.heard(said("go on", 600))).toBeNull();
});

test("words that nobody understood leave the reply stopped; Parley's own let it go on", () => {
  const unsure = speaking();
  unsure.voice("listening");
  unsure.near();
  unsure.voice("hearing");
  unsure.hear(utterance("stuff", { dropped: "low confidence", rule: "too_unsure" }));
  expect(unsure.states()).toEqual(["speaking", "paused", "stopped"]);
  expect(unsure.output.speaking()?.mayBeHeard).toBeUndefined();
  const own = speaking();
  own.voice("listening");
  own.near();
  own.hear(utterance("three four", { dropped: "own voice", rule: "own_voice" }));
  expect(own.states()).toEqual(["speaking", "paused", "speaking"]);
});

// Bug: a "stop" of which the recogniser made no words let the reply go on.
test("a voice close to the microphone leaves the reply stopped even if no words were recognised; an echo does not", async () => {
  const near = speaking();
  near.voice("listening");
  near.near();
  near.voice("hearing");
  near.output.unclear();
  near.voice("listening");
  expect(near.states()).toEqual(["speaking", "paused", "stopped"]);
  const echo = speaking();
  echo.voice("hearing");
  await echo.clock.sleeping();
  echo.clock.advance(70);
  await Promise.resolve();
  await Promise.resolve();
  echo.output.unclear();
  expect(echo.states()).toEqual(["speaking", "paused"]);
  const spoken = speaking();
  spoken.output.unclear();
  expect(spoken.states()).toEqual(["speaking"]);
});

// Bug: a cough that was heard as one letter left the reply stopped.
test("one letter lets the reply go on: no word to stop is that short", () => {
  const { near, voice, hear, states } = speaking();
  voice("listening");
  near();
  voice("hearing");
  hear(utterance("a", { dropped: "too short", rule: "too_short" }));
  expect(states()).toEqual(["speaking", "paused", "speaking"]);
});

// Bug: a cough beside the microphone left the reply stopped for good.
test("a loud sound of which no words came lets the reply go on, after a moment for whoever said something", async () => {
  const { clock, calls, near, voice, states } = speaking();
  voice("listening");
  near();
  for (const state of ["hearing", "transcribing", "listening"] as const) voice(state);
  expect(calls).not.toContain("resume");
  await clock.sleeping(goOnMs);
  clock.advance(goOnMs);
  await Promise.resolve();
  await Promise.resolve();
  expect(calls.at(-1)).toBe("resume");
  expect(states()).toEqual(["speaking", "paused", "speaking"]);
});

test("where only the voice detector heard somebody, unclear words and a word of Parley's own are its echo", async () => {
  const paused = async () => {
    const rig = speaking();
    rig.voice("hearing");
    await rig.clock.sleeping();
    rig.clock.advance(70);
    await Promise.resolve();
    await Promise.resolve();
    return rig;
  };
  const unsure = await paused();
  unsure.hear(utterance("stuff", { dropped: "low confidence", rule: "too_unsure" }));
  expect(unsure.states()).toEqual(["speaking", "paused", "speaking"]);
  const own = await paused();
  expect(own.output.speaking()?.mayBeHeard).toBe(true);
  expect(own.output.heard(said("three", 300, { startedAt: own.clock.now() }))).toBe("own voice");
  expect(own.states()).toEqual(["speaking", "paused", "speaking"]);
  const other = await paused();
  expect(other.output.heard(said("school", 300, { startedAt: other.clock.now() }))).toBe(
    "unclear over speech",
  );
  expect(other.states()).toEqual(["speaking", "paused", "stopped"]);
});

test("a reply that was stopped is not said any more once the next one begins", () => {
  const { output, ask, delta, texts, states } = speaking();
  output.stopWord("stop");
  ask("voice", "microphone");
  delta("Another answer. And", "m2");
  expect(texts()).toEqual(["Another answer."]);
  expect(states()).toEqual(["speaking", "stopped", "silent"]);
});

test("while a reply is stopped the computer's sound is others'", () => {
  const { output, audible } = speaking();
  output.stopWord("stop");
  output.goOn();
  expect(audible).toEqual([true, false, true]);
});

/** What the gate made of an utterance. */
const utterance = (
  text: string,
  outcome: Pick<Extract<AgentEventBody, { type: "voice.utterance" }>, "dropped" | "rule">,
  source: "microphone" | "loopback" = "microphone",
): AgentEventBody => ({
  type: "voice.utterance",
  utteranceId: "u",
  text,
  reason: "endpoint",
  confidence: 0.5,
  source,
  ...outcome,
  timing: { audioStartedAt: null, speechEndMs: null, finalAt: null },
});

test("which sentence is being said is told, with how many there are so far", () => {
  const rig = speaking();
  const first = { messageId: "m", text: "One two three four.", number: 1, count: 2 };
  expect(rig.output.shown()).toMatchObject({ state: "speaking", sentence: first });
  rig.end(0);
  rig.start(1);
  expect(rig.output.shown()?.sentence).toEqual({ messageId: "m", text: "Five six.", number: 2, count: 2 });
});

test("the next sentence is said at once, with its own number; after the last one there is silence", () => {
  const rig = speaking();
  rig.output.skipSentence();
  expect(rig.texts()).toEqual(["Five six."]);
  rig.start(0);
  expect(rig.output.shown()?.sentence).toMatchObject({ number: 2, count: 2 });
  rig.output.skipSentence();
  expect(rig.texts()).toEqual([]);
  expect(rig.output.shown()).toBeNull();
  expect(rig.emitted.filter(({ type }) => type === "speech.interrupted")).toEqual([]);
});

test.each([
  ["", ["One two three four.", "Five six.", "Seven."]],
  ["One two", ["One two three four.", "Five six.", "Seven."]],
  ["One two three four.", ["Five six.", "Seven."]],
  ["One two three four. Five", ["Five six.", "Seven."]],
])("what was heard up to “%s” is not said again", (heard, rest) => {
  const rig = setUp();
  rig.output.say("c", "One two three four. Five six. Seven.", "m", heard);
  const more = rest.slice(rig.texts().length);
  expect([...rig.texts(), ...more]).toEqual(rest);
  rig.start(0);
  expect(rig.output.shown()?.sentence).toMatchObject({ number: 4 - rest.length, count: 3 });
});

test("another pace counts from the sentence on that is being said, in the place of what was said aloud to it", () => {
  const changes: Partial<Settings> = {};
  const rig = speaking(changes);
  rig.output.heard(said("speak faster", 900));
  expect(rig.part(0)?.rate).toBe(1.25);
  changes["voice.rate"] = 1.5;
  rig.output.changePace();
  expect(rig.part(0)).toMatchObject({ text: "One two three four.", rate: 1.5 });
});

// Bug: where the reply of another conversation was said right after one, it was still shown as that of the first.
test("what is being said is shown in the conversation that it belongs to", () => {
  const rig = speaking({ "voice.speak": "always" });
  rig.hear({ type: "input.queued", input: { inputId: "j", text: "?", origin: "typed", source: null } }, "d");
  rig.hear({ type: "run.started", runId: "s", inputId: "j" }, "d");
  rig.hear({ type: "text.delta", messageId: "n", text: "Seven eight. Nine" }, "d");
  rig.end(0);
  rig.start(1);
  expect(rig.output.shown()).toMatchObject({ conversationId: "c", messageId: "m" });
  rig.end(1);
  rig.start(2);
  expect(rig.output.shown()).toMatchObject({
    ...{ conversationId: "d", messageId: "n", state: "speaking" },
    sentence: { text: "Seven eight.", number: 1, count: 1 },
  });
});

describe("when the run of a prompt fails", () => {
  const error = {
    code: "rate_limit",
    message: "The limit of requests is reached.",
    hint: "Wait a minute (req_011CTx7abc12345). Then try again.",
  };
  const words = "The limit of requests is reached. Wait a minute.";
  const fail = ({ hear }: ReturnType<typeof setUp>, more: object = { stopReason: "error", error }) =>
    hear({ type: "run.ended", runId: "r", stopReason: "error", ...more });

  it("that was spoken, its first sentences are said", () => {
    const rig = setUp();
    rig.ask("voice", "microphone");
    fail(rig);
    expect(rig.texts()).toEqual([words]);
  });

  it("behind what was said of the reply", () => {
    const rig = speaking();
    fail(rig);
    expect(rig.texts()).toEqual(["One two three four.", "Five six.", words]);
  });

  it("because the model declined, that is said", () => {
    const rig = setUp();
    rig.ask("voice", "microphone");
    fail(rig, { stopReason: "refusal" });
    expect(rig.texts()).toEqual(["The model declined to answer this."]);
  });

  it("as the one before it, it is not said twice", () => {
    const rig = setUp();
    for (let prompts = 0; prompts < 3; prompts++) {
      rig.ask("voice", "microphone");
      fail(rig);
    }
    expect(rig.texts()).toEqual([words]);
    rig.start(0);
    rig.end(0);
    rig.ask("voice", "microphone");
    fail(rig);
    expect(rig.texts()).toEqual([words, words]);
  });

  it.each<[string, Partial<Settings>, (rig: ReturnType<typeof setUp>) => void]>([
    ["was typed", { "voice.speak": "always" }, (rig) => rig.ask("typed", null)],
    ["came from the computer's sound", {}, (rig) => rig.ask("voice", "loopback")],
    ["is not answered aloud", { "voice.speak": "never" }, (rig) => rig.ask("voice", "microphone")],
    [
      "was said in a meeting",
      {},
      (rig) => {
        rig.hear({ type: "voice.state", state: "listening", source: "both" });
        rig.ask("voice", "microphone");
      },
    ],
    [
      "was followed by dictation",
      {},
      (rig) => {
        rig.ask("voice", "microphone");
        rig.output.silence();
      },
    ],
  ])("that %s, nothing is said", (_, settings, ask) => {
    const rig = setUp(settings);
    ask(rig);
    fail(rig);
    expect(rig.texts()).toEqual([]);
  });

  it("nothing is said of one that the user stopped, nor of one that ended as it should", () => {
    const rig = setUp();
    rig.ask("voice", "microphone");
    fail(rig, { stopReason: "interrupted" });
    rig.ask("voice", "microphone");
    fail(rig, { stopReason: "end_turn" });
    expect(rig.texts()).toEqual([]);
  });

  it("while its reply is stopped, nothing is added to that", () => {
    const rig = speaking();
    rig.output.hold();
    fail(rig);
    expect(rig.texts()).toEqual(["One two three four.", "Five six."]);
  });
});

test("the voice gets the words that a person would say; what is written is marked, and what is said is known as an echo", () => {
  const rig = setUp();
  rig.ask("voice", "microphone");
  rig.whole("It fell by −5 % on pages 10–12. It is over.");
  expect(rig.texts()).toEqual(["It fell by minus 5 percent on pages 10 to 12.", "It is over."]);
  rig.start(0);
  expect(rig.output.shown()?.sentence?.text).toBe("It fell by −5 % on pages 10–12.");
  const { text = "" } = rig.output.speaking() ?? {};
  expect(text).toBe("It fell by minus five percent on pages ten to twelve.\nIt fell by −5 % on pages 10–12.");
  const echo = { source: "microphone", durationMs: 2000, startedAt: rig.clock.now() } as const;
  expect(rig.output.heard({ ...echo, text: "minus five percent on pages ten to twelve" })).toBe("own voice");
  expect(rig.output.heard({ ...echo, text: "-5% on pages 10-12" })).toBe("own voice");
});

test("a voice of another language gets no English words, and a built-in voice says that a word is in another script", () => {
  const german = setUp({ "voice.voice": "model:x", "voice.language": "de" });
  german.ask("voice", "microphone");
  german.whole("Es sind −5 %.");
  expect(german.texts()).toEqual(["Es sind -5 %."]);
  const english = setUp({ "voice.language": "de" });
  english.ask("voice", "microphone");
  english.whole("He said 你好 to us.");
  expect(english.texts()).toEqual(["He said a word in another script to us."]);
  expect(english.emitted.filter(({ type }) => type === "voice.notice")).toEqual([]);
});
