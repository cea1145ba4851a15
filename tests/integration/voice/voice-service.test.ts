import { StdioClientTransport } from "@modelcontextprotocol/sdk/client/stdio.js";
import { expect, test } from "vitest";
import { noReplies } from "../../../electron/voice/routing/utterance-router.ts";
import { consentNotice } from "../../../electron/voice/session/voice-service.ts";
import { SttClient, sharedClient } from "../../../electron/voice/stt/stt-client.ts";
import { FakeVoiceTarget } from "../../fakes/stt/voice-target.ts";
import { programPath } from "../../fixtures/built-programs.ts";
import { event, final, startVoice, states } from "./voice-rig.ts";

test("each utterance becomes one prompt, in order, when events are repeated and out of order", async () => {
  const { prompts, until } = startVoice({
    canWait: true,
    updates: [
      { events: [final(2, "second one"), final(1, "first one")] },
      { events: [final(1, "first one"), final(2, "second one"), final(3, "third one")] },
    ],
  });
  await until((status) => status.utterances === 3);
  expect(prompts()).toEqual(["first one", "second one", "third one"]);
});

test("events missing in the middle are asked for again before they count as lost", async () => {
  const { prompts, events, until } = startVoice({
    canWait: true,
    updates: [
      { events: [final(1, "first one"), final(3, "third one")] },
      { events: [final(2, "second one"), final(3, "third one")] },
      { events: [final(5, "fifth one")] },
      { events: [final(5, "fifth one")] },
    ],
  });
  await until((status) => status.utterances === 4);
  expect(prompts()).toEqual(["first one", "second one", "third one", "fifth one"]);
  expect(events.filter((body) => body.type === "voice.gap")).toMatchObject([{ missed: 1 }]);
});

test("a server that dropped events is said to have, and reading goes on", async () => {
  const { prompts, events, until } = startVoice({
    canWait: true,
    updates: [{ events: [final(8, "after the gap")], first_seq: 8 }],
  });
  await until((status) => status.utterances === 1);
  expect(prompts()).toEqual(["after the gap"]);
  expect(events).toContainEqual(expect.objectContaining({ type: "voice.gap", missed: 7 }));
});

test("the state follows what is heard, and noise without words returns to listening", async () => {
  const { events, until } = startVoice({
    canWait: true,
    updates: [
      { events: [] },
      {
        events: [
          event(1, "speech_start", { offset_ms: 0 }),
          event(2, "speech_end", { offset_ms: 400 }),
          event(3, "info", { message: "no_words" }),
          event(4, "speech_start", { offset_ms: 900 }),
          event(5, "utterance_partial", { utterance_id: "u", text: "what" }),
          event(6, "speech_end", { offset_ms: 1400 }),
          final(7, "what time is it"),
        ],
      },
    ],
  });
  await until((status) => status.utterances === 1 && status.state === "listening");
  expect(states(events)).toEqual([
    "starting",
    "listening",
    "hearing",
    "transcribing",
    "listening",
    "hearing",
    "transcribing",
    "listening",
  ]);
});

test.each([
  ["microphone", 1],
  ["loopback", 0],
] as const)(
  "of sounds without words from the %s, %i is taken for somebody who speaks over a reply",
  async (source, expected) => {
    const wordless = (seq: number, signs?: object) =>
      event(seq, "info", {
        message: "no_words",
        payload: signs === undefined ? {} : { speech_signs: signs },
      });
    let unclear = 0;
    const { until } = startVoice(
      {
        canWait: true,
        updates: [
          { events: [] },
          {
            events: [
              wordless(1, { sound_ms: 300, voiced_share: 0.9, voiced_ms: 220, sure_share: 0.9 }),
              wordless(2, { sound_ms: 300, voiced_share: 0.2, voiced_ms: 30, sure_share: 0 }),
              wordless(3),
              wordless(4, { voiced_share: "most" }),
              final(5, "what time is it"),
            ],
          },
        ],
      },
      { source },
      {},
      undefined,
      { ...noReplies, unclear: () => void unclear++ },
    );
    await until((status) => status.utterances === 1);
    expect(unclear).toBe(expected);
  },
);

test("whoever gets ready for a prompt is told when listening begins, when speech does and while it goes on", async () => {
  const { speech, until } = startVoice({
    canWait: true,
    updates: [
      { events: [] },
      { events: [event(1, "speech_start", { offset_ms: 0 })] },
      { events: [event(2, "utterance_partial", { utterance_id: "u", text: "what time" })] },
      { events: [final(3, "what time is it")] },
    ],
  });
  await until((status) => status.utterances === 1);
  expect(speech).toEqual(["listening", "hearing", "hearing"]);
});

test("stopping reads what was flushed: the last words become a prompt", async () => {
  const { voice, prompts, events, until, asked } = startVoice({
    canWait: true,
    updates: [{ events: [] }],
    onStop: [final(1, "these are the last words")],
  });
  await until((status) => status.state === "listening");
  await voice.stop();
  expect(prompts()).toEqual(["these are the last words"]);
  expect(states(events)).toEqual(["starting", "listening", "stopping", "off"]);
  expect(asked().filter((call) => call.name === "stt_stop_session")).toHaveLength(1);
});

// Bug: `parley --listen` right after `parley --stop` did nothing.
test("listening that is wanted while voice stops begins when it has stopped", async () => {
  const { voice, target, events, until } = startVoice({
    canWait: true,
    updates: [{ events: [] }],
    onStop: [final(1, "these are the last words")],
  });
  await until((status) => status.state === "listening");
  const stopped = voice.stop();
  expect(voice.status().state).toBe("stopping");
  await voice.listen(target, { source: "microphone" });
  await stopped;
  expect(voice.status().state).toBe("starting");
  await voice.listen(target, { source: "microphone" });
  expect(states(events)).toEqual(["starting", "listening", "stopping", "off", "starting"]);
});

test("of two who want to listen while voice stops one begins, and nobody where it is stopped again", async () => {
  const { voice, target, events, until } = startVoice({ canWait: true, updates: [{ events: [] }] });
  await until((status) => status.state === "listening");
  const listen = () => voice.listen(target, { source: "microphone" });
  await Promise.all([voice.stop(), listen(), listen()]);
  expect(voice.status().state).toBe("starting");
  await Promise.all([voice.stop(), listen(), voice.stop()]);
  expect(states(events).join(" ")).toBe("starting listening stopping off starting stopping off");
});

test("a dead server process is started again, and listening resumes", async () => {
  const { events, sleeps, until } = startVoice({
    canWait: true,
    updates: [{ events: [final(1, "before the crash")] }, { exit: 1 }],
  });
  // The script begins anew in the new process: an utterance, then a crash, each time.
  await until((status) => status.utterances === 3);
  expect(states(events).filter((state) => state === "restarting")).toHaveLength(2);
  expect(sleeps.filter((ms) => ms < 10_000)).toEqual([500, 500]);
});

test("a server that fails at once is given up after five restarts with growing pauses, with its reason", async () => {
  const { voice, events, sleeps, until } = startVoice({
    canWait: true,
    updates: [],
    afterwards: "failed",
  });
  await until((status) => status.state === "failed");
  expect(sleeps.filter((ms) => ms < 10_000)).toEqual([500, 1000, 2000, 4000, 8000]);
  expect(voice.status().lastError?.message).toMatch(/ended by itself \(failed\)/);
  expect(states(events).at(-1)).toBe("failed");
});

test("three unreadable answers in a row restart the session, which is stopped first", async () => {
  const { asked, until } = startVoice({
    canWait: true,
    updates: [{ raw: "not JSON" }, { raw: "{" }, { error: "boom" }, { events: [final(1, "it works again")] }],
  });
  await until((status) => status.utterances === 1);
  const names = asked().map((call) => call.name);
  expect(names.slice(0, 7)).toEqual([
    "stt_start_session",
    "stt_get_updates",
    "stt_get_updates",
    "stt_get_updates",
    "stt_stop_session",
    "stt_start_session",
    "stt_get_updates",
  ]);
});

test("an answer with noise around its JSON is read", async () => {
  const answer = { session_id: "s1", status: "running", events: [final(1, "in a fence")], next_seq: 1 };
  const { prompts, until } = startVoice({
    canWait: true,
    updates: [{ raw: `Here you are:\n\`\`\`json\n${JSON.stringify(answer)}\n\`\`\`` }],
  });
  await until((status) => status.utterances === 1);
  expect(prompts()).toEqual(["in a fence"]);
});

test("a start that the server refuses is not tried again", async () => {
  const { voice, events, until } = startVoice({ updates: [], startError: "There is no microphone." });
  await until((status) => status.state === "failed");
  expect(voice.status().lastError).toMatchObject({ code: "refused", message: "There is no microphone." });
  expect(states(events)).toEqual(["starting", "failed"]);
});

test("a server without a needed tool is refused by name", async () => {
  const { voice, until } = startVoice({ updates: [], missing: ["stt_stop_session"] });
  await until((status) => status.state === "failed");
  expect(voice.status().lastError?.message).toContain("does not have …stt_stop_session");
});

test("tools are found by their endings, and only arguments that the server knows are sent", async () => {
  const { asked, until } = startVoice({
    prefix: "interview-assist__",
    updates: [{ events: [final(1, "hello there")] }],
  });
  await until((status) => status.utterances === 1);
  const [start, update] = asked();
  expect(start).toEqual({ name: "stt_start_session", args: { source: "microphone", endpointing_ms: 500 } });
  expect(update?.args).toEqual({ session_id: "s1", since_seq: 0, limit: 100 });
});

test("a cough and a mumble are shown as not sent, with the reason", async () => {
  const { prompts, events, until } = startVoice({
    canWait: true,
    updates: [{ events: [final(1, "a"), { ...final(2, "mumble mumble"), confidence: 0.1 }] }],
  });
  await until((status) => status.utterances === 2);
  expect(prompts()).toEqual([]);
  const dropped = events.flatMap((body) => (body.type === "voice.utterance" ? [body.dropped] : []));
  expect(dropped).toEqual(["too short", "low confidence"]);
});

test("a second start says that voice is on and changes nothing", async () => {
  const { voice, until } = startVoice({ canWait: true, updates: [{ events: [] }] });
  await until((status) => status.state === "listening");
  expect(() => voice.start(new FakeVoiceTarget("c2"), { source: "loopback" })).toThrow("on already");
  expect(voice.status()).toMatchObject({ state: "listening", conversationId: "c1" });
});

test("a client that was closed is made anew", async () => {
  let made = 0;
  const connect = sharedClient(async () => {
    made += 1;
    return new StdioClientTransport({
      command: process.execPath,
      args: [programPath("scripted-stt-server")],
    });
  });
  const first = await connect();
  expect(await connect()).toBe(first);
  await first.close();
  const second = await connect();
  expect(second).toBeInstanceOf(SttClient);
  expect(made).toBe(2);
  await second.close();
});

test("a meeting hears both sources, sends nothing until it is asked, and stops both", async () => {
  const { voice, target, prompts, until, asked } = startVoice(
    { canWait: true, saysItListens: true, updates: [{ events: [final(1, "we ship on friday")] }] },
    { source: "both" },
  );
  // One source can be heard before the other is open.
  await until((status) => status.utterances === 1 && status.state === "listening");
  expect(prompts()).toEqual([]);
  expect(target.view().items).toMatchObject([
    { kind: "note", text: consentNotice },
    { kind: "said", text: "we ship on friday" },
  ]);
  expect(target.lines).toMatchObject([{ text: "we ship on friday" }]);
  expect(target.meeting).toBe("going");
  await voice.stop();
  expect(target.meeting).toBe("over");
  const calls = asked();
  const starts = calls.filter(({ name }) => name === "stt_start_session");
  expect(starts.map(({ args }) => args.source).sort()).toEqual(["loopback", "microphone"]);
  const stops = calls.filter(({ name }) => name === "stt_stop_session");
  expect(new Set(stops.map(({ args }) => args.session_id))).toEqual(new Set(["s1", "s2"]));
});

// Bug: the microphone stayed open for a conversation that was deleted, and what was said was lost without a word.
test("voice ends where its conversation is deleted, and nowhere else", async () => {
  const { voice, until } = startVoice({ canWait: true, updates: [{ events: [] }] });
  await until(({ state }) => state === "listening");
  await voice.leave("c2");
  expect(voice.status().state).toBe("listening");
  await voice.leave("c1");
  expect(voice.status()).toMatchObject({ state: "off", conversationId: null });
});

// Bug: a line of a server whose clock is another one stood in another year, and no meeting had it.
test("a line of a meeting is said now, whatever the clock of the server says", async () => {
  const from = Date.now();
  const started = event(1, "info", { message: "audio_started", payload: { epoch_ms: from * 1000 } });
  const words = { ...final(2, "we ship on friday"), start_ms: 0, end_ms: 2000 };
  const { target, until } = startVoice(
    { canWait: true, saysItListens: true, updates: [{ events: [started, words] }] },
    { source: "both" },
  );
  await until(({ utterances }) => utterances === 1);
  const [line] = target.lines;
  expect(line?.endedAt).toBeGreaterThanOrEqual(from);
  expect(line?.endedAt).toBeLessThanOrEqual(Date.now());
  expect(line && line.endedAt - line.at).toBe(2000);
});

test("that others may have to be told is said once, also where nothing was said in the first meeting", async () => {
  const { voice, target, until } = startVoice(
    { canWait: true, saysItListens: true, updates: [{ events: [] }] },
    { source: "both" },
  );
  await until((status) => status.state === "listening");
  await voice.stop();
  voice.start(target, { source: "both" });
  await until((status) => status.state === "listening");
  expect(
    target.view().items.filter((item) => item.kind === "note" && item.text === consentNotice),
  ).toHaveLength(1);
});

test("a line that cannot be kept is shown all the same, and the user is told", async () => {
  const { target, until } = startVoice(
    { canWait: true, saysItListens: true, updates: [{ events: [final(1, "we ship on friday")] }] },
    { source: "both" },
  );
  target.noteLine = () => {
    throw new Error("The disk is full.");
  };
  await until(({ utterances }) => utterances === 1);
  expect(target.view().items).toMatchObject([
    { kind: "note" },
    { kind: "said", text: "we ship on friday" },
    { kind: "error", error: { message: "The disk is full." } },
  ]);
});

test("warnings and errors of the server reach the user, and are kept to be looked at", async () => {
  const { voice, target, until } = startVoice({
    canWait: true,
    updates: [
      {
        events: [
          event(1, "warning", { message: "The microphone is gone: the default one is used." }),
          event(2, "error", { message: "A frame was lost.", kind: "audio" }),
          final(3, "go on"),
        ],
      },
    ],
  });
  await until((status) => status.utterances === 1);
  expect(target.ofType("voice.notice").map(({ message }) => message)).toEqual([
    "The microphone is gone: the default one is used.",
    "A frame was lost.",
  ]);
  expect(voice.events(2).map((one) => one.event.type)).toEqual(["error", "utterance_final"]);
});

test("what is being said is sent now only where the server can end it, and else goes on", async () => {
  const { voice, until } = startVoice({ canWait: true, updates: [{ events: [] }] });
  await until((status) => status.state === "listening");
  await expect(voice.sendNow()).rejects.toThrow("no tool …stt_update_session");
  expect(voice.status()).toMatchObject({ state: "listening", isMuted: false });
});

test("a mute that the server cannot do says so", async () => {
  const { voice, until } = startVoice({ canWait: true, updates: [{ events: [] }] });
  await until((status) => status.state === "listening");
  await expect(voice.mute(true)).rejects.toThrow("no tool …stt_update_session");
  expect(voice.status().isMuted).toBe(false);
});

// Bug: the other source stayed muted, while voice was shown as if it heard everything.
test("where one source of a meeting cannot be muted, neither is, and it says so", async () => {
  const { voice, until, asked } = startVoice(
    { canWait: true, saysItListens: true, canUpdate: true, keeps: "loopback", updates: [{ events: [] }] },
    { source: "both" },
  );
  await until((status) => status.state === "listening");
  await expect(voice.mute(true)).rejects.toThrow("cannot be muted");
  expect(voice.status().isMuted).toBe(false);
  const updates = asked().filter(({ name }) => name === "stt_update_session");
  const bySession = new Map(updates.map(({ args }) => [args.session_id, args.muted]));
  expect([...bySession.values()]).toEqual([false, false]);
});

test("the last turn is told in its parts", async () => {
  const now = Date.now();
  const times = { timestamp_utc: new Date(now).toISOString(), start_ms: 100, end_ms: 900 };
  const heard = { ...final(2, "what time is it"), ...times };
  const { voice, target, until } = startVoice({
    canWait: true,
    updates: [
      {
        events: [
          event(1, "info", {
            message: "audio_started",
            payload: { epoch_ms: now - 1500 },
          }),
          heard,
        ],
      },
    ],
  });
  await until((status) => status.prompts === 1);
  target.begin("i1");
  target.emit({ type: "model.requested", runId: "r", provider: "p", model: "m", round: 1 });
  target.emit({ type: "text.delta", messageId: "m", text: "It" });
  expect(voice.turn).toMatchObject({ recogniseMs: 600, firstWordsMs: 0 });
  expect(voice.turn?.deliverMs).toBeGreaterThan(0);
});

test("where the times of the speech do not fit the server's clock, the part is not known rather than nothing", async () => {
  const { voice, until } = startVoice({
    canWait: true,
    updates: [
      {
        events: [
          event(1, "info", {
            message: "audio_started",
            payload: { epoch_ms: Date.parse("2026-01-01T00:00:00Z") },
          }),
          { ...final(2, "what time is it"), start_ms: 100, end_ms: 9000 },
        ],
      },
    ],
  });
  await until((status) => status.prompts === 1);
  expect(voice.turn?.recogniseMs).toBeNull();
});

test("a server that never stops is given up when its time is over, and was told to stop", async () => {
  const { voice, until, asked, connect, passStopLimit } = startVoice({
    canWait: true,
    neverStops: true,
    updates: [{ events: [] }],
  });
  await until((status) => status.state === "listening");
  const stopped = voice.stop();
  // The server takes one request after the other: what was asked before this has reached it.
  await (await connect()).startSession({ source: "microphone" });
  expect(voice.status().state).toBe("stopping");
  passStopLimit();
  await stopped;
  expect(voice.status().state).toBe("off");
  expect(asked().filter(({ name }) => name === "stt_stop_session")).toHaveLength(1);
});
