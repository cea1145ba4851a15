import {
  type StartSessionArguments,
  type SttSessionStatus,
  sampleRateHz,
  sttInfo,
} from "../../shared/stt.ts";
import type { AudioFrame, AudioSource, OpenedSource } from "./audio-source.ts";
import type { Clock } from "./clock.ts";
import type { EndpointSettings } from "./endpointer.ts";
import { grammarRecogniser, PhraseRecogniser } from "./grammar.ts";
import { LevelMeter } from "./level-meter.ts";
import type { Recogniser, RecogniserModel } from "./recogniser.ts";
import { SessionLog, type SttEventBody } from "./session-log.ts";
import { SttError, toSttError } from "./stt-error.ts";
import { Transcriber } from "./transcriber.ts";
import { WakeRecogniser } from "./wake-recogniser.ts";

/** How long a device may take to open: somebody may have to answer the system's question first. */
const openTimeoutMs = 30_000;
/** Lost audio up to this long is replaced by silence; longer gaps are shortened to it. */
const maxFilledGapMs = 5000;

export interface SessionOptions {
  id: string;
  request: StartSessionArguments;
  source: AudioSource;
  model: RecogniserModel;
  clock: Clock;
  onLevel: (level: number) => void;
}

/** One listening: starting → running (once audio arrives) → stopping → stopped, or failed. */
export class Session {
  readonly id: string;
  readonly request: StartSessionArguments;
  readonly modelName: string;
  readonly createdAt: number;
  readonly log: SessionLog;
  readonly #source: AudioSource;
  readonly #model: RecogniserModel;
  readonly #clock: Clock;
  readonly #onLevel: (level: number) => void;
  readonly #opening = new AbortController();
  #status: SttSessionStatus = "starting";
  #device: OpenedSource = { deviceId: null, deviceName: null };
  #done: Promise<void> = Promise.resolve();
  #transcriber: Transcriber | undefined;
  #settings: EndpointSettings;
  #muted: boolean;
  /** Where the session's clock stood when it was muted; null while it hears. */
  #mutedSinceMs: number | null = null;
  #utterances = 0;
  #finals = 0;
  #errors = 0;
  #latestTranscript = "";

  constructor({ id, request, source, model, clock, onLevel }: SessionOptions) {
    this.id = id;
    this.request = request;
    this.modelName = model.name;
    this.createdAt = clock.now();
    this.#settings = {
      endpointingMs: request.endpointing_ms,
      utteranceEndMs: request.utterance_end_ms,
      maxUtteranceMs: request.max_utterance_ms,
    };
    this.#muted = request.muted;
    this.log = new SessionLog(clock);
    this.#source = source;
    this.#model = model;
    this.#clock = clock;
    this.#onLevel = onLevel;
  }

  get status(): SttSessionStatus {
    return this.#status;
  }

  get device(): OpenedSource {
    return this.#device;
  }

  get isOver(): boolean {
    return this.#status === "stopped" || this.#status === "failed";
  }

  /** Resolves when nothing more is heard and every event is in the log; never rejects. */
  get ended(): Promise<void> {
    return this.#done;
  }

  get settings(): EndpointSettings & { muted: boolean } {
    return { ...this.#settings, muted: this.#muted };
  }

  /** Changes what is given, from the next frame on. */
  update(changes: Partial<EndpointSettings & { muted: boolean }>): void {
    const { muted = this.#muted, ...limits } = changes;
    this.#muted = muted;
    this.#settings = { ...this.#settings, ...limits };
    this.#transcriber?.configure(this.#settings);
  }

  /** How many utterances were heard, how often it failed, and the last words. */
  get tally(): { finals: number; errors: number; latestTranscript: string } {
    return { finals: this.#finals, errors: this.#errors, latestTranscript: this.#latestTranscript };
  }

  /** Opens the source and begins to listen. @throws SttError when it cannot be opened */
  async start(): Promise<void> {
    const timeout = AbortSignal.timeout(openTimeoutMs);
    try {
      this.#device = await this.#source.open(AbortSignal.any([timeout, this.#opening.signal]));
      const { recogniser, wake } = this.#makeRecogniser();
      this.#done = this.#listen(recogniser, this.#makeTranscriber(recogniser, wake));
    } catch (error) {
      await this.#source.close();
      this.#end("failed");
      if (this.#opening.signal.aborted)
        throw new SttError("stopped", "The session was stopped while it started.");
      if (!timeout.aborted) throw error;
      throw new SttError(
        "open_timeout",
        "The microphone was not opened in time. Answer the system's question about it, if there is one, and start again.",
      );
    }
  }

  /** Ends the session; what is being said becomes its last utterance. Resolves when all events are in the log. */
  async stop(): Promise<void> {
    if (!this.isOver && this.#status !== "stopping") {
      this.#status = "stopping";
      this.#opening.abort();
      await this.#source.close();
    }
    await this.#done;
  }

  /** @throws SttError where the model cannot do what is asked */
  #makeRecogniser(): { recogniser: Recogniser; wake?: WakeRecogniser } {
    const { grammar, wake_phrase: phrase } = this.request;
    const open = () =>
      grammar
        ? new PhraseRecogniser(grammar, grammarRecogniser(this.#model, grammar))
        : this.#model.createRecogniser();
    if (phrase === undefined) return { recogniser: open() };
    const wake = new WakeRecogniser({
      phrase,
      grammar: grammarRecogniser(this.#model, [phrase]),
      free: open(),
      onChange: (state) => {
        const payload = { offset_ms: Math.round(this.#transcriber?.nowMs ?? 0) };
        this.#emit({
          type: "info",
          message: state === "awake" ? sttInfo.wakePhrase : sttInfo.asleep,
          payload,
        });
      },
    });
    return { recogniser: wake, wake };
  }

  #makeTranscriber(recogniser: Recogniser, wake: WakeRecogniser | undefined): Transcriber {
    this.#transcriber = new Transcriber({
      ...this.#settings,
      recogniser,
      wake,
      clock: this.#clock,
      newUtteranceId: () => `${this.id}-u${++this.#utterances}`,
      emit: (event) => this.#emit(event),
    });
    return this.#transcriber;
  }

  /** Never rejects: what goes wrong becomes the session's last event. */
  async #listen(recogniser: Recogniser, transcriber: Transcriber): Promise<void> {
    try {
      await this.#transcribe(transcriber);
      this.#end("stopped");
    } catch (error) {
      await transcriber.flush("session_stop").catch(() => undefined);
      const { kind, message } = toSttError(error);
      this.#emit({ type: "error", message, kind, fatal: true });
      this.#end("failed");
    } finally {
      transcriber.dispose();
      recogniser.dispose();
      await this.#source.close().catch(() => undefined);
    }
  }

  async #transcribe(transcriber: Transcriber): Promise<void> {
    const meter = new LevelMeter(this.#clock);
    let expected = 0;
    for await (const frame of this.#source.frames()) {
      if (this.#status === "starting") this.#running(frame);
      if (frame.sampleIndex > expected) await this.#bridge(transcriber, frame.sampleIndex - expected);
      expected = frame.sampleIndex + frame.pcm.length;
      const level = meter.add(this.#muted ? new Int16Array(frame.pcm.length) : frame.pcm);
      if (level !== null) this.#onLevel(level);
      await this.#hear(transcriber, frame.pcm);
    }
    if (this.#status === "stopping") return transcriber.flush("session_stop");
    await transcriber.finish();
    this.#emit({ type: "info", message: sttInfo.sourceEnded });
  }

  /** One frame, or the gap that it is while the session is muted. */
  async #hear(transcriber: Transcriber, pcm: Int16Array): Promise<void> {
    if (this.#muted) {
      if (this.#mutedSinceMs === null) {
        await transcriber.flush("muted");
        this.#mutedSinceMs = transcriber.nowMs;
        const payload = { offset_ms: Math.round(this.#mutedSinceMs) };
        this.#emit({ type: "info", message: sttInfo.muted, payload });
      }
      return transcriber.skip(pcm.length);
    }
    if (this.#mutedSinceMs !== null) {
      const { nowMs } = transcriber;
      const payload = { offset_ms: Math.round(nowMs), gap_ms: Math.round(nowMs - this.#mutedSinceMs) };
      this.#mutedSinceMs = null;
      this.#emit({ type: "info", message: sttInfo.unmuted, payload });
    }
    await transcriber.write(pcm);
  }

  #running(frame: AudioFrame): void {
    this.#status = "running";
    const frameMs = (frame.pcm.length * 1000) / sampleRateHz;
    const payload = { epoch_ms: Math.round(this.#clock.now() - frameMs) };
    this.#emit({ type: "info", message: sttInfo.audioStarted, payload });
  }

  async #bridge(transcriber: Transcriber, samples: number): Promise<void> {
    const lostMs = Math.round((samples * 1000) / sampleRateHz);
    this.#emit({
      type: "warning",
      message: `${lostMs} ms of audio were lost: the computer may be too busy. Words may be missing.`,
      payload: { lost_ms: lostMs },
    });
    await transcriber.writeSilence(Math.min(lostMs, maxFilledGapMs));
  }

  #emit(event: SttEventBody): void {
    if (event.type === "utterance_final") {
      this.#finals++;
      this.#latestTranscript = event.text;
    }
    if (event.type === "error") this.#errors++;
    this.log.append(event);
  }

  #end(status: "stopped" | "failed"): void {
    this.#status = status;
    this.log.close();
  }
}
