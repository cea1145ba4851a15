import fc from "fast-check";
import { expect, test } from "vitest";
import { UtteranceRouter } from "../../../electron/voice/routing/utterance-router.ts";
import type { Utterance } from "../../../electron/voice/stt/voice-events.ts";
import { textOf } from "../../../shared/conversation/messages.ts";
import { defaultSettings } from "../../../shared/settings.ts";
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
  /** Whether the computer gets on with the reply before the next step. */
  replies: fc.boolean(),
});

test("whatever is begun, ended and gone on with, each word runs exactly once and in order", async () => {
  await fc.assert(
    fc.asyncProperty(fc.array(step, { minLength: 1, maxLength: 8 }), async (steps) => {
      const clock = new FakeClock();
      const rig = await createRig({ clock });
      try {
        const conversation = rig.conversations.create();
        const startedAt = clock.now();
        const router = new UtteranceRouter({
          settings: () => defaultSettings,
          clock,
          replies: {
            speaking: () => null,
            shown: () => null,
            stop: () => {},

            heard: () => null,
          },
          spokenAnswer: () => null,
        });
        const idle = async () => {
          router.resume();
          clock.advance(60_000);
          while (conversation.state !== "idle" || conversation.view().queue.length > 0)
            await nextEvent(conversation, () => true);
        };
        const words: string[] = [];
        for (const { silenceMs, does, turnEnd, reason, replies } of steps) {
          clock.advance(silenceMs);
          const startMs = clock.now() - startedAt;
          if (does !== "says" && does !== "falls silent") router.onset({ sessionId: "s", startMs });
          clock.advance(speechMs);
          if (does === "coughs") router.resume();
          else if (does !== "falls silent") {
            const text = `word${words.length + 1}`;
            words.push(text);
            if (does === "says, known twice") router.onset({ sessionId: "s", startMs });
            router.take(said(text, { startMs, startedAt, turnEnd, reason }), conversation, null);
          }
          if (replies) await idle();
        }
        await idle();
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

function said(
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
    ...more,
  };
}
