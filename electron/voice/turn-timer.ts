import type { Clock } from "../agent/ports.ts";
import type { VoiceTarget } from "./voice-target.ts";

/** Where the time of a spoken turn went, milliseconds; null where the server does not say or it did not come to it. */
export interface TurnParts {
  /** From the end of speech to the finished utterance: silence that was waited for, and recognition. */
  recogniseMs: number | null;
  /** From there to the prompt: the way to us, and the gate. */
  deliverMs: number | null;
  /** To the request to the model. */
  requestMs: number | null;
  /** To the reply's first words. */
  firstWordsMs: number | null;
}

/** Times the last spoken prompt that got a run. */
export class TurnTimer {
  readonly #clock: Clock;
  #parts: TurnParts | null = null;
  #end: (() => void) | null = null;

  constructor(clock: Clock) {
    this.#clock = clock;
  }

  get last(): TurnParts | null {
    return this.#parts;
  }

  /** @param spoken milliseconds since the epoch. A prompt that waits in the queue is timed like any other. */
  begin(
    target: VoiceTarget,
    inputId: string,
    spoken: { endedAt: number | null; finalAt: number | null },
  ): void {
    this.#end?.();
    const { endedAt, finalAt } = spoken;
    const submittedAt = this.#clock.now();
    const parts: TurnParts = {
      recogniseMs: between(endedAt, finalAt),
      deliverMs: between(finalAt, submittedAt),
      requestMs: null,
      firstWordsMs: null,
    };
    this.#parts = parts;
    let isOurs = false;
    let requestedAt: number | null = null;
    const end = target.subscribe((event) => {
      if (event.type === "run.started") isOurs = event.inputId === inputId;
      if (!isOurs) return;
      if (event.type === "model.requested" && requestedAt === null) {
        requestedAt = event.at;
        parts.requestMs = between(submittedAt, requestedAt);
      } else if (event.type === "text.delta") {
        parts.firstWordsMs = between(requestedAt, event.at);
        end();
      } else if (event.type === "run.ended") end();
    });
    this.#end = end;
  }
}

const between = (from: number | null, to: number | null) =>
  from === null || to === null ? null : Math.max(0, to - from);
