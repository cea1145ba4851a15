import { sttInfo } from "../../../shared/voice/stt.ts";
import type { SessionLog } from "./session-log.ts";
import type { SoundPiece } from "./sound-piece.ts";
import { TalkGate } from "./talk-gate.ts";

export interface ListeningGateOptions {
  muted: boolean;
  /** Nothing is heard unless the user talks by a key. */
  pushToTalk: boolean;
  talking: boolean;
  /** Where the session's clock stands, in milliseconds: at the end of all that was handed on. */
  nowMs(): number;
  log: Pick<SessionLog, "append">;
  /** Is given all sound as it is heard: of what nobody hears, silence. */
  meter(pcm: Int16Array): void;
  /** Is given what is heard, before it is handed on. */
  record(pcm: Int16Array): Promise<void>;
}

/** Lets through what the session may hear: nothing while it is muted, or while nobody holds the key to talk. */
export class ListeningGate {
  readonly #options: ListeningGateOptions;
  readonly #talk: TalkGate;
  #muted: boolean;
  /** It was muted, if only between two frames: what is being said ends there. */
  #endWanted = false;
  /** Where the session's clock stood when it was muted; null while it hears. */
  #mutedSinceMs: number | null = null;

  constructor(options: ListeningGateOptions) {
    this.#options = options;
    this.#muted = options.muted;
    this.#talk = new TalkGate({ isShutBetween: options.pushToTalk, isTalking: options.talking });
  }

  get settings(): { muted: boolean; talking: boolean } {
    return { muted: this.#muted, talking: this.#talk.isTalking };
  }

  /** From the next frame on. */
  update({ muted = this.#muted, talking = this.#talk.isTalking }: { muted?: boolean; talking?: boolean }) {
    if (muted && !this.#muted) this.#endWanted = true;
    this.#muted = muted;
    this.#talk.isTalking = talking;
  }

  async *passed(pieces: AsyncIterable<SoundPiece>): AsyncGenerator<SoundPiece, void> {
    for await (const piece of pieces) {
      if (piece.type !== "sound") {
        yield piece;
        continue;
      }
      const isDeaf = this.#muted || this.#talk.isShut;
      if (this.#endWanted && !this.#muted) yield { type: "end", reason: "muted" };
      this.#endWanted = false;
      this.#options.meter(isDeaf ? new Int16Array(piece.pcm.length) : piece.pcm);
      yield* this.#muted ? this.#dropped(piece.pcm) : this.#heard(piece.pcm);
    }
  }

  *#dropped(pcm: Int16Array): Generator<SoundPiece, void> {
    if (this.#mutedSinceMs === null) {
      yield { type: "end", reason: "muted" };
      this.#mutedSinceMs = this.#options.nowMs();
      this.#tell(sttInfo.muted);
    }
    yield { type: "skip", samples: this.#talk.forget() + pcm.length };
  }

  async *#heard(pcm: Int16Array): AsyncGenerator<SoundPiece, void> {
    if (this.#mutedSinceMs !== null) {
      const gap_ms = Math.round(this.#options.nowMs() - this.#mutedSinceMs);
      this.#mutedSinceMs = null;
      this.#tell(sttInfo.unmuted, { gap_ms });
    }
    const { begins, heard, skipped, ends } = this.#talk.pass(pcm);
    if (skipped > 0) yield { type: "skip", samples: skipped };
    if (begins) {
      // What was being said to the others is not said to Parley.
      if (!this.#options.pushToTalk) yield { type: "end", reason: "utterance_end" };
      yield { type: "talk", isTalking: true };
      this.#tell(sttInfo.talkStarted);
    }
    for (const frame of heard) {
      await this.#options.record(frame);
      yield { type: "sound", pcm: frame };
    }
    if (!ends) return;
    yield { type: "end", reason: "released" };
    yield { type: "talk", isTalking: false };
    this.#tell(sttInfo.talkEnded);
  }

  #tell(message: string, more: object = {}): void {
    const payload = { offset_ms: Math.round(this.#options.nowMs()), ...more };
    this.#options.log.append({ type: "info", message, payload });
  }
}
