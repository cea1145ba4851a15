import { noCommands, noReplies, UtteranceRouter } from "../../../electron/voice/routing/utterance-router.ts";
import type { VoicePrompt } from "../../../electron/voice/routing/voice-target.ts";
import { meaningOf } from "../../../electron/voice/stt/voice-events.ts";
import { defaultSettings } from "../../../shared/settings.ts";
import { FakeClock } from "../../fakes/clock.ts";
import { FakeVoiceTarget } from "../../fakes/stt/voice-target.ts";
import type { HeardEvent } from "./turn-hearing.ts";

/** What became of a turn, in milliseconds on the clock of its samples. */
export interface TurnTaken {
  /** When each prompt's reply began to be shown, the first one first. */
  shownAtMs: number[];
  /** When the last request went to the model. */
  requestedAtMs: number | null;
  /** How many requests went to the model: those that were taken back count. */
  requests: number;
}

/**
 * What the router makes of what was heard, and a conversation whose model says its first word so long after each request.
 * The time is that of the samples.
 */
export function takeTurn(heard: readonly HeardEvent[], firstTokenMs: number): TurnTaken {
  const clock = new FakeClock(0);
  const target = new AnsweringTarget(clock, firstTokenMs);
  const router = new UtteranceRouter({
    settings: () => defaultSettings,
    clock,
    replies: noReplies,
    spokenAnswer: () => null,
    commands: noCommands,
  });
  const heardIn = { source: "microphone" as const, sessionId: "s", utterances: 0, audioStartedAt: 0 };
  for (const { atMs, event } of heard) {
    clock.advance(atMs - clock.now());
    const meaning = meaningOf(event, heardIn);
    if (meaning?.type === "onset") router.onset(meaning);
    else if (meaning?.type === "no_words") router.resume();
    else if (meaning?.type === "final") router.take(meaning.utterance, target, null);
  }
  clock.advance(firstTokenMs + longestHoldMs);
  return { shownAtMs: target.shownAtMs, requestedAtMs: target.requestedAtMs, requests: target.requests };
}

const longestHoldMs = 10_000;

/** Prompts that run at once, each beside the others: whether one waits is another matter. */
class AnsweringTarget extends FakeVoiceTarget {
  readonly shownAtMs: number[] = [];
  requestedAtMs: number | null = null;
  requests = 0;
  readonly #clock: FakeClock;
  readonly #firstTokenMs: number;
  readonly #settlesAt = new Map<string, number | undefined>();
  readonly #coming = new Map<string, () => void>();

  constructor(clock: FakeClock, firstTokenMs: number) {
    super();
    this.#clock = clock;
    this.#firstTokenMs = firstTokenMs;
  }

  override submit(prompt: VoicePrompt): { inputId: string } {
    const submitted = super.submit(prompt);
    this.#request(submitted.inputId, prompt.settlesAt);
    return submitted;
  }

  override suspend(inputId: string): boolean {
    if (!super.suspend(inputId)) return false;
    this.#coming.get(inputId)?.();
    return true;
  }

  override resume(inputId: string): void {
    super.resume(inputId);
    this.#request(inputId, this.#settlesAt.get(inputId));
  }

  override mergeInto(inputId: string, more: VoicePrompt): boolean {
    if (!super.mergeInto(inputId, more)) return false;
    this.#coming.get(inputId)?.();
    this.#request(inputId, more.settlesAt);
    return true;
  }

  #request(inputId: string, settlesAt: number | undefined): void {
    this.#settlesAt.set(inputId, settlesAt);
    this.requests += 1;
    this.requestedAtMs = this.#clock.now();
    const shownAtMs = Math.max(this.#clock.now() + this.#firstTokenMs, settlesAt ?? 0);
    const show = () => {
      this.seen.add(inputId);
      this.shownAtMs.push(shownAtMs);
    };
    this.#coming.set(inputId, this.#clock.after(shownAtMs - this.#clock.now(), show));
  }
}
