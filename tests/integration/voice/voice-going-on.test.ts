import fc from "fast-check";
import { expect, test } from "vitest";
import { noCommands, UtteranceRouter } from "../../../electron/voice/routing/utterance-router.ts";
import type { Speaker, SpeechPart } from "../../../electron/voice/speaking/speaker.ts";
import { SpeechOutput } from "../../../electron/voice/speaking/speech-output.ts";
import type { Utterance } from "../../../electron/voice/stt/voice-events.ts";
import { textOf } from "../../../shared/conversation/messages.ts";
import { defaultSettings } from "../../../shared/settings.ts";
import type { PlaybackEvent } from "../../../shared/voice/speech.ts";
import { FakeClock } from "../../fakes/clock.ts";
import { createRig, nextEvent } from "../agent/agent-rig.ts";

const speechMs = 400;

/** What a speaker does, each after a silence of so many milliseconds. */
const step = fc.record({
  /** On both sides of the window in which a prompt is gone on with, and of the hold of its reply. */
  silenceMs: fc.constantFrom(100, 700, 1050, 1150, 1700, 4000),
  /** Some servers tell of no beginnings; a cough begins, and becomes no words. */
  does: fc.constantFrom("says", "begins and says", "coughs", "says, known twice", "falls silent"),
  turnEnd: fc.constantFrom<Utterance["turnEnd"]>(null, "likely", "unlikely"),
  reason: fc.constantFrom("endpoint", "utterance_end", "released", "max_length"),
  /** Words of it that are told before it ends. */
  partials: fc.integer({ min: 0, max: 3 }),
  /** Two words over a spoken reply may be misheard: nobody takes them for a prompt. */
  isShort: fc.boolean(),
  /** Whether the computer gets on with the reply before the next step. */
  replies: fc.boolean(),
  /** Whether what there is of a spoken reply begins to sound before the next step. */
  sounds: fc.boolean(),
});

/** A speaker that plays what it is given when it is told to. */
class ToldSpeaker implements Speaker {
  readonly #parts: SpeechPart[] = [];
  #tell: (event: PlaybackEvent) => void = () => {};
  onEvent(listener: (event: PlaybackEvent) => void): void {
    this.#tell = listener;
  }
  say(part: SpeechPart): void {
    this.#parts.push(part);
  }
  begin(): void {
    this.#parts.length = 0;
  }
  play(at: number): void {
    const part = this.#parts.shift();
    if (part) this.#tell({ type: "started", turn: part.turn, id: part.id, at });
  }
  prepare(): void {}
  open(): void {}
  pause(): void {}
  resume(): void {}
  setVolume(): void {}
  chime(): void {}
}

test("whatever is begun, ended and gone on with, each word runs exactly once and in order", async () => {
  await fc.assert(
    fc.asyncProperty(fc.array(step, { minLength: 1, maxLength: 8 }), async (steps) => {
      const clock = new FakeClock();
      const rig = await createRig({ clock });
      try {
        const conversation = rig.conversations.create();
        const startedAt = clock.now();
        const speaker = new ToldSpeaker();
        const speech = new SpeechOutput({
          ...{ speaker, clock, settings: () => ({ ...defaultSettings, "voice.speak": "always" }) },
          // What the model is told of a reply that was cut has its own tests.
          target: () => ({ emit: (body) => void conversation.emit(body), note: () => {} }),
          onAudible: () => {},
        });
        conversation.subscribe((event) => speech.hear(event));
        const router = new UtteranceRouter({
          settings: () => defaultSettings,
          clock,
          replies: speech,
          spokenAnswer: () => null,
          commands: noCommands,
        });
        const idle = async () => {
          router.resume();
          clock.advance(60_000);
          while (conversation.state !== "idle" || conversation.view().queue.length > 0)
            await nextEvent(conversation, () => true);
        };
        const words: string[] = [];
        /** What was no prompt, and can be sent all the same. */
        const dropped: { text: string; droppedId: string }[] = [];
        let said = 0;
        for (const { silenceMs, does, turnEnd, reason, replies, partials, isShort, sounds } of steps) {
          clock.advance(silenceMs);
          const startMs = clock.now() - startedAt;
          if (does !== "says" && does !== "falls silent") router.onset({ sessionId: "s", startMs });
          clock.advance(speechMs);
          if (does === "coughs") router.resume();
          else if (does !== "falls silent") {
            const text = isShort ? `word${++said}` : `please tell me about word${++said}`;
            if (does === "says, known twice") router.onset({ sessionId: "s", startMs });
            for (let told = 1; told <= partials; told++)
              conversation.emit({
                type: "voice.partial",
                utteranceId: text,
                text: text.split(" ").slice(0, told).join(" "),
              });
            const utterance = utteranceOf(text, { startMs, startedAt, turnEnd, reason });
            const outcome = router.take(utterance, conversation, null);
            if (outcome.droppedId === undefined) words.push(text);
            else dropped.push({ text, droppedId: outcome.droppedId });
            conversation.emit({
              type: "voice.utterance",
              ...{ utteranceId: text, text, reason, confidence: 0.9, source: "microphone", ...outcome },
              timing: { audioStartedAt: startedAt, speechEndMs: startMs + speechMs, finalAt: null },
            });
          }
          if (replies) await idle();
          if (sounds) speaker.play(clock.now());
        }
        await idle();
        speech.stop();
        for (const { text, droppedId } of dropped) {
          router.sendAnyway(droppedId);
          words.push(text);
          await idle();
        }
        const ran = conversation.history.flatMap(({ role, content }) =>
          role === "user" ? textOf(content) : [],
        );
        expect(ran.join(" ")).toBe(words.join(" "));
        const { messages = [] } = rig.server.requests.at(-1)?.body ?? {};
        const asked = JSON.stringify(messages.filter(({ role }) => role === "user"));
        for (const word of words) expect(asked.split(new RegExp(`${word}(?!\\d)`)).length - 1, word).toBe(1);
      } finally {
        await rig.close();
      }
    }),
    { numRuns: 30 },
  );
});

function utteranceOf(
  text: string,
  {
    startMs,
    startedAt,
    ...more
  }: Pick<Utterance, "turnEnd" | "reason"> & { startMs: number; startedAt: number },
): Utterance {
  return {
    id: text,
    sessionId: "s",
    source: "microphone",
    text,
    confidence: 0.9,
    startMs,
    endMs: startMs + speechMs,
    audioStartedAt: startedAt,
    startedAt: startedAt + startMs,
    endedAt: startedAt + startMs + speechMs,
    finalAt: null,
    command: null,
    doubts: [],
    readings: [],
    signs: null,
    ...more,
  };
}
