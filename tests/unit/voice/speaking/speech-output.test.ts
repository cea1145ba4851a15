import { expect, test } from "vitest";
import { confirmMs } from "../../../../electron/voice/speaking/barge-in.ts";
import type { Speaker, SpeechPart } from "../../../../electron/voice/speaking/speaker.ts";
import { SpeechOutput } from "../../../../electron/voice/speaking/speech-output.ts";
import type { AgentEvent, AgentEventBody, VoiceStateName } from "../../../../shared/conversation/events.ts";
import { defaultSettings, type Settings } from "../../../../shared/settings.ts";
import type { PlaybackEvent } from "../../../../shared/voice/speech.ts";
import { FakeClock } from "../../../fakes/clock.ts";

/** Speech output over a speaker that plays when the test says so. */
function setUp(changes: Partial<Settings> = {}) {
  const clock = new FakeClock();
  const said: SpeechPart[] = [];
  const calls: string[] = [];
  let turn = 0;
  let listener: (event: PlaybackEvent) => void = () => {};
  const speaker: Speaker = {
    onEvent: (given) => {
      listener = given;
    },
    prepare: () => calls.push("prepare"),
    open: () => calls.push("open"),
    begin: (next) => {
      turn = next;
      said.length = 0;
    },
    say: (part) => said.push(part),
    pause: () => calls.push("pause"),
    resume: () => calls.push("resume"),
    setVolume: () => {},
    chime: (of) => calls.push(`chime ${of}`),
  };
  const emitted: AgentEventBody[] = [];
  const notes: string[] = [];
  const audible: boolean[] = [];
  const output = new SpeechOutput({
    speaker,
    clock,
    settings: () => ({ ...defaultSettings, ...changes }),
    target: () => ({ emit: (body) => emitted.push(body), note: (text) => notes.push(text) }),
    onAudible: (is) => audible.push(is),
  });
  let id = 0;
  const hear = (body: AgentEventBody, conversationId = "c") => {
    const event: AgentEvent = { ...body, id: ++id, conversationId, at: clock.now() };
    output.hear(event);
  };
  const playing = (type: "started" | "ended", part: SpeechPart | undefined) => {
    if (!part) throw new Error("There is no such part.");
    if (type === "started") listener({ type, turn, id: part.id, at: clock.now() });
    else listener({ type, turn, id: part.id });
  };
  return {
    clock,
    output,
    calls,
    emitted,
    notes,
    audible,
    hear,
    texts: () => said.map(({ text }) => text),
    part: (index: number) => said[index],
    start: (index: number) => playing("started", said[index]),
    end: (index: number) => playing("ended", said[index]),
    at: (index: number, share: number) =>
      listener({ type: "position", turn, id: said[index]?.id ?? 0, playedMs: share * 1000, totalMs: 1000 }),
    near: () => listener({ type: "near_speech", turn, id: 0 }),
    otherVoice: (message: string) => listener({ type: "other_voice", turn, id: said[0]?.id ?? 0, message }),
    ask: (origin: "typed" | "voice", source: "microphone" | "loopback" | null) => {
      hear({ type: "input.queued", input: { inputId: "i", text: "?", origin, source } });
      hear({ type: "run.started", runId: "r", inputId: "i" });
    },
    delta: (text: string, messageId = "m") => hear({ type: "text.delta", messageId, text }),
    whole: (text: string, messageId = "m") =>
      hear({
        type: "message.added",
        message: {
          id: messageId,
          role: "assistant",
          origin: null,
          source: null,
          content: [{ type: "text", text }],
          createdAt: 0,
        },
      }),
    voice: (state: VoiceStateName) => hear({ type: "voice.state", state, source: "microphone" }),
    states: () => emitted.flatMap((body) => (body.type === "speech.state" ? [body.state] : [])),
  };
}

/** A spoken prompt whose reply is half said: “One two three four.” is audible, “Five six.” waits. */
function speaking(changes: Partial<Settings> = {}) {
  const rig = setUp(changes);
  rig.ask("voice", "microphone");
  rig.delta("One two three four. Five six.");
  rig.whole("One two three four. Five six.");
  rig.start(0);
  return rig;
}

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
  clock.advance(confirmMs);
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
  clock.advance(10 * confirmMs);
  await Promise.resolve();
  expect(calls).not.toContain("resume");
  voice("transcribing");
  expect(output.heard("what about tomorrow", "microphone", 900)).toBeNull();
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

test("a backchannel is no prompt and stops nothing", () => {
  const { output, notes, states } = speaking();
  expect(output.heard("mhm", "microphone", 300)).toBe("backchannel");
  expect(notes).toEqual([]);
  expect(states()).toEqual(["speaking"]);
});

test("Parley's own words are no prompt, also just after they were said", () => {
  const { output, end, start } = speaking();
  expect(output.heard("one two three for", "microphone", 900)).toBe("own voice");
  end(0);
  start(1);
  end(1);
  expect(output.heard("five six", "microphone", 900)).toBe("own voice");
  expect(output.speaking()?.until).not.toBeNull();
});

test("anything else stops it, and what was heard is marked, to the word", () => {
  const { output, at, notes, emitted, states, texts } = speaking();
  at(0, 0.6);
  expect(output.heard("what about tomorrow", "microphone", 900)).toBeNull();
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
  output.heard("wait a moment", "microphone", 900);
  delta(" three. Four five. Six");
  expect(texts()).toEqual([]);
});

test("what the computer plays interrupts nothing", () => {
  const { output, states } = speaking();
  expect(output.heard("hello everybody", "loopback", 900)).toBeNull();
  expect(states()).toEqual(["speaking"]);
});

test("“repeat that” says the last reply again; “slower” says the rest slower; neither is a prompt", () => {
  const { output, texts, part, start, end } = speaking();
  expect(output.heard("slower", "microphone", 500)).toBe("command: slower");
  expect(texts()).toEqual(["One two three four.", "Five six."]);
  expect(part(0)?.rate).toBeCloseTo(0.8);
  start(0);
  end(0);
  start(1);
  end(1);
  expect(output.heard("repeat that", "microphone", 700)).toBe("command: repeat");
  expect(texts().slice(2)).toEqual(["One two three four.", "Five six."]);
});

test("before anything was said, “faster” is a prompt like any other", () => {
  const { output } = setUp();
  expect(output.heard("faster", "microphone", 500)).toBeNull();
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
  const { clock, calls, voice, near } = speaking();
  voice("listening");
  near();
  await clock.sleeping(confirmMs);
  clock.advance(confirmMs - 100);
  voice("listening");
  near();
  await clock.sleeping(confirmMs);
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
  expect(output.heard("slower", "microphone", 500)).toBe("command: slower");
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
