import type { UserError } from "../../../shared/conversation/events.ts";
import type { SpeechSource } from "../../../shared/conversation/messages.ts";
import { SessionSupervisor, type SupervisorOptions } from "./session-supervisor.ts";
import { audioStart, type HeardIn, meaningOf, type VoiceEvent } from "./voice-events.ts";

export interface SttInputOptions extends SupervisorOptions {
  source: SpeechSource;
}

/** One source of the voice path, as one stream of events that ends when it is stopped or has failed. Read it once. */
export class SttInput implements AsyncIterable<VoiceEvent> {
  readonly source: SpeechSource;
  readonly #supervisor: SessionSupervisor;

  constructor({ source, ...options }: SttInputOptions) {
    this.source = source;
    this.#supervisor = new SessionSupervisor(options);
  }

  async *[Symbol.asyncIterator](): AsyncGenerator<VoiceEvent, void> {
    const heardIn: HeardIn = { source: this.source, sessionId: "", utterances: 0, audioStartedAt: null };
    for await (const news of this.#supervisor.events()) {
      switch (news.type) {
        case "opened":
          heardIn.sessionId = news.sessionId;
          yield { type: "opened", sessionId: news.sessionId, device: news.deviceName };
          break;
        case "running":
          yield { type: "audio_flows", flows: true };
          break;
        case "restarting":
          heardIn.audioStartedAt = null;
          yield news;
          break;
        case "event": {
          const { event } = news;
          yield { type: "raw", event };
          const startedAt = audioStart(event);
          if (startedAt !== undefined) heardIn.audioStartedAt = startedAt;
          const meaning = meaningOf(event, heardIn);
          if (event.type === "utterance_final") heardIn.utterances += 1;
          if (meaning) yield meaning;
          break;
        }
        case "unreadable":
          yield { type: "notice", message: `The speech server sends what Parley cannot read: ${news.what}.` };
          break;
        default:
          yield news;
      }
    }
  }

  /** What was being said becomes a last utterance. Resolves when everything was read, or given up. */
  stop(): Promise<void> {
    return this.#supervisor.stop();
  }

  /** Opens its source anew. */
  renew(why: UserError): void {
    this.#supervisor.renew(why);
  }

  /** Deaf until it is undone, over restarts, too. @throws SttError where the server cannot */
  mute(isMuted: boolean): Promise<void> {
    return this.#supervisor.mute(isMuted);
  }

  /** The user talks by a key, or has done so. @throws SttError where the server knows nothing of it */
  talk(isTalking: boolean): Promise<void> {
    return this.#supervisor.talk(isTalking);
  }

  /** Other limits while it listens. @throws SttError where the server cannot */
  update(limits: Parameters<SessionSupervisor["update"]>[0]): Promise<void> {
    return this.#supervisor.update(limits);
  }
}

/** Nothing went wrong: the source is opened anew because it may have gone deaf meanwhile. */
export const hasSlept: UserError = {
  code: "slept",
  message: "The computer was asleep.",
  hint: "What Parley listens to is opened again.",
};

/** The session goes on, and so does its device: nothing was started again. */
export const stalled: UserError = {
  code: "audio_stalled",
  message: "No sound arrives from the device.",
  hint: "Parley listens again as soon as it does.",
};
