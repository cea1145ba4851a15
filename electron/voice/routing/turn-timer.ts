import type { TurnTimings } from "../../../shared/voice/voice-snapshot.ts";
import type { Clock } from "../../agent/ports/ports.ts";
import type { VoiceTarget } from "./voice-target.ts";

/** Times the last spoken prompt that got a run. */
export class TurnTimer {
  readonly #clock: Clock;
  readonly #onChange: () => void;
  #parts: TurnTimings | null = null;
  #end: (() => void) | null = null;

  /** @param onChange a part of the last turn became known */
  constructor(clock: Clock, onChange: () => void = () => {}) {
    this.#clock = clock;
    this.#onChange = onChange;
  }

  get last(): TurnTimings | null {
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
    let parts: TurnTimings = {
      recogniseMs: betweenClocks(endedAt, finalAt),
      deliverMs: betweenClocks(finalAt, submittedAt),
      requestMs: null,
      firstWordsMs: null,
      firstAudioMs: null,
    };
    const know = (more: Partial<TurnTimings>) => {
      parts = { ...parts, ...more };
      this.#parts = parts;
      this.#onChange();
    };
    know({});
    let isOurs = false;
    let requestedAt: number | null = null;
    let words: { messageId: string; at: number } | null = null;
    const end = target.subscribe((event) => {
      if (event.type === "speech.state" && event.state === "speaking") {
        // What is said aloud goes on after the run that wrote it.
        if (words === null || event.messageId !== words.messageId) return;
        know({ firstAudioMs: between(words.at, event.at) });
        return end();
      }
      if (event.type === "run.started") {
        if (words !== null) return end();
        isOurs = event.inputId === inputId;
      }
      if (!isOurs || words !== null) return;
      if (event.type === "model.requested" && requestedAt === null) {
        requestedAt = event.at;
        know({ requestMs: between(submittedAt, requestedAt) });
      } else if (event.type === "text.delta") {
        words = { messageId: event.messageId, at: event.at };
        know({ firstWordsMs: between(requestedAt, event.at) });
      } else if (event.type === "run.ended") end();
    });
    this.#end = end;
  }
}

/** Two clocks that agree may be so far apart, in milliseconds. */
const slackMs = 20;
/** No part of a turn takes so long, in milliseconds: the server's clock is another one. */
const maxPartMs = 3_600_000;

/** Times of the speech server and of the samples: where they do not agree with ours nothing is known. */
function betweenClocks(from: number | null, to: number | null): number | null {
  if (from === null || to === null || to < from - slackMs || to - from > maxPartMs) return null;
  return between(from, to);
}

const between = (from: number | null, to: number | null) =>
  from === null || to === null ? null : Math.max(0, to - from);
