import type { Speaker, SpeechPart } from "../../../../electron/voice/speaking/speaker.ts";
import { SpeechOutput } from "../../../../electron/voice/speaking/speech-output.ts";
import type { SaidOverReply } from "../../../../electron/voice/speaking/spoken-asides.ts";
import type { AgentEvent, AgentEventBody, VoiceStateName } from "../../../../shared/conversation/events.ts";
import type { ContentBlock } from "../../../../shared/conversation/messages.ts";
import { defaultSettings, type Settings } from "../../../../shared/settings.ts";
import type { PlaybackEvent } from "../../../../shared/voice/speech.ts";
import { FakeClock } from "../../../fakes/clock.ts";

/** Speech output over a speaker that plays when the test says so. */
export function setUp(changes: Partial<Settings> = {}) {
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
    whole: (text: string, messageId = "m", more: ContentBlock[] = []) =>
      hear({
        type: "message.added",
        message: {
          id: messageId,
          role: "assistant",
          origin: null,
          source: null,
          content: [{ type: "text", text }, ...more],
          createdAt: 0,
        },
      }),
    voice: (state: VoiceStateName) => hear({ type: "voice.state", state, source: "microphone" }),
    states: () => emitted.flatMap((body) => (body.type === "speech.state" ? [body.state] : [])),
  };
}

/** A spoken prompt whose reply is half said: “One two three four.” is audible, “Five six.” waits. */
export function speaking(changes: Partial<Settings> = {}) {
  const rig = setUp(changes);
  rig.ask("voice", "microphone");
  rig.delta("One two three four. Five six.");
  rig.whole("One two three four. Five six.");
  rig.start(0);
  return rig;
}

/** Words over a reply. */
export const said = (text: string, durationMs: number | null, more: Partial<SaidOverReply> = {}) =>
  ({ text, source: "microphone", durationMs, ...more }) as const;
