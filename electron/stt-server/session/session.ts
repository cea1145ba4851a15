import {
  type StartSessionArguments,
  type SttSessionStatus,
  sampleRateHz,
  sttInfo,
} from "../../../shared/voice/stt.ts";
import type { AudioFrame, AudioSource, OpenedSource, SourceNotice } from "../audio/audio-source.ts";
import { LevelMeter } from "../audio/level-meter.ts";
import { SampleClock } from "../audio/sample-clock.ts";
import { watchedFrames } from "../audio/watched-frames.ts";
import { deleteOldRecordings, WavWriter } from "../audio/wav-writer.ts";
import type { Clock } from "../clock.ts";
import { grammarRecogniser, PhraseRecogniser } from "../recognisers/grammar.ts";
import type { Recogniser, RecogniserModel } from "../recognisers/recogniser.ts";
import { ShortCommands } from "../recognisers/short-commands.ts";
import { WakeRecogniser } from "../recognisers/wake-recogniser.ts";
import { SttError, toSttError } from "../stt-error.ts";
import type { EndpointSettings } from "./endpointer.ts";
import { SessionLog, type SttEventBody } from "./session-log.ts";
import { TalkGate } from "./talk-gate.ts";
import { Transcriber } from "./transcriber.ts";

/** How long a device may take to open: somebody may have to answer the system's question first. */
const openTimeoutMs = 30_000;
/** Lost audio up to this long is heard as silence; of a longer gap only the clock takes note. */
const maxFilledGapMs = 5000;
/** No frame for so long, though none is missing: the whole machine stood still. */
const sleptMs = 5000;
/** Whoever holds a key says when they are done: no pause does. Its length is bounded all the same. */
const whileTalking = { endpointingMs: 300_000, utteranceEndMs: 300_000, maxUtteranceMs: 300_000 };

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
  readonly #talk: TalkGate;
  /** Where the session's clock stood when it was muted; null while it hears. */
  #mutedSinceMs: number | null = null;
  /** From `talk_started` to `talk_ended`. */
  #isTalking = false;
  #recording: WavWriter | null = null;
  /** null where the samples keep no pace with the time: of a file, and before the first one. */
  #sampleClock: SampleClock | null = null;
  /** Whether the next gap in the sound has been told of already. */
  #gapIsTold = false;
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
    this.#talk = new TalkGate({ isShutBetween: request.push_to_talk, isTalking: request.talking });
    this.log = new SessionLog(clock);
    this.#source = source;
    this.#model = model;
    this.#clock = clock;
    this.#onLevel = onLevel;
    source.onNotice = (notice) => this.#tellDevice(notice);
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

  get settings(): EndpointSettings & { muted: boolean; talking: boolean } {
    return { ...this.#settings, muted: this.#muted, talking: this.#talk.isTalking };
  }

  /** Changes what is given, from the next frame on. */
  update(changes: Partial<EndpointSettings & { muted: boolean; talking: boolean }>): void {
    const { muted = this.#muted, talking = this.#talk.isTalking, ...limits } = changes;
    this.#muted = muted;
    this.#talk.isTalking = talking;
    this.#settings = { ...this.#settings, ...limits };
    if (!this.#isTalking) this.#transcriber?.configure(this.#settings);
  }

  /** How many utterances were heard, how often it failed, and the last words. */
  get tally(): { finals: number; errors: number; latestTranscript: string } {
    return { finals: this.#finals, errors: this.#errors, latestTranscript: this.#latestTranscript };
  }

  /** Opens the source and begins to listen. @throws SttError when it cannot be opened */
  async start(): Promise<void> {
    const timeout = AbortSignal.timeout(openTimeoutMs);
    try {
      await this.#startRecording();
      this.#device = await this.#source.open(AbortSignal.any([timeout, this.#opening.signal]));
      const { recogniser, wake } = this.#makeRecogniser();
      this.#done = this.#listen(recogniser, this.#makeTranscriber(recogniser, wake));
    } catch (error) {
      await this.#source.close();
      await this.#endRecording();
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
      commands: ShortCommands.of(this.#model, this.request),
      // The phrases of a grammar are compared, not read.
      punctuate: this.request.grammar ? undefined : this.#model.punctuate?.bind(this.#model),
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
      await this.#endRecording();
      this.#end("stopped");
    } catch (error) {
      await transcriber.flush("session_stop").catch(() => undefined);
      await this.#endRecording();
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
    let lastAt = this.#clock.now();
    for await (const frame of this.#frames()) {
      if (this.#status === "starting") this.#running(frame);
      // Sound that is known to be missing explains as much of the wait.
      const missingMs = toMs(Math.max(0, frame.sampleIndex - expected));
      const quietMs = this.#clock.now() - lastAt - missingMs;
      if (this.request.source !== "file" && expected > 0 && quietMs > sleptMs) {
        await this.#wakeUp(transcriber, quietMs);
      }
      if (frame.sampleIndex > expected) await this.#bridge(transcriber, frame.sampleIndex - expected);
      expected = frame.sampleIndex + frame.pcm.length;
      this.#sampleClock?.arrived(toMs(expected), this.#clock.now());
      const isDeaf = this.#muted || this.#talk.isShut;
      const level = meter.add(isDeaf ? new Int16Array(frame.pcm.length) : frame.pcm);
      if (level !== null) this.#onLevel(level);
      await this.#hear(transcriber, frame.pcm);
      // After the work: a slow recogniser is no sleep.
      lastAt = this.#clock.now();
    }
    if (this.#status === "stopping") return transcriber.flush("session_stop");
    await transcriber.finish();
    this.#emit({ type: "info", message: sttInfo.sourceEnded });
  }

  /** Of what is heard live, also word of when nothing comes. */
  #frames(): AsyncIterable<AudioFrame> {
    if (this.request.source === "file") return this.#source.frames();
    return watchedFrames(this.#source.frames(), this.#clock, (flows) => {
      // Before the first frame nobody believes that it listens.
      if (this.#status !== "running") return;
      this.#emit({ type: "info", message: flows ? sttInfo.audioFlows : sttInfo.audioStalled });
    });
  }

  /** One frame, or the gap that it is while the session is muted or nobody holds the key to talk. */
  async #hear(transcriber: Transcriber, pcm: Int16Array): Promise<void> {
    if (this.#muted) {
      if (this.#mutedSinceMs === null) {
        await transcriber.flush("muted");
        this.#mutedSinceMs = transcriber.nowMs;
        const payload = { offset_ms: Math.round(this.#mutedSinceMs) };
        this.#emit({ type: "info", message: sttInfo.muted, payload });
      }
      return transcriber.skip(this.#talk.forget() + pcm.length);
    }
    if (this.#mutedSinceMs !== null) {
      const { nowMs } = transcriber;
      const payload = { offset_ms: Math.round(nowMs), gap_ms: Math.round(nowMs - this.#mutedSinceMs) };
      this.#mutedSinceMs = null;
      this.#emit({ type: "info", message: sttInfo.unmuted, payload });
    }
    const { begins, heard, skipped, ends } = this.#talk.pass(pcm);
    if (skipped > 0) transcriber.skip(skipped);
    if (begins) this.#tellTalk(transcriber, true);
    for (const frame of heard) {
      await this.#record(frame);
      await transcriber.write(frame);
    }
    if (!ends) return;
    await transcriber.flush("released");
    this.#tellTalk(transcriber, false);
  }

  #tellTalk(transcriber: Transcriber, isTalking: boolean): void {
    this.#isTalking = isTalking;
    transcriber.configure(isTalking ? whileTalking : this.#settings);
    const message = isTalking ? sttInfo.talkStarted : sttInfo.talkEnded;
    this.#emit({ type: "info", message, payload: { offset_ms: Math.round(transcriber.nowMs) } });
  }

  #running(frame: AudioFrame): void {
    this.#status = "running";
    this.#tellStart(Math.round(this.#clock.now() - toMs(frame.pcm.length)));
  }

  /** @param epochMs when sample 0 was heard */
  #tellStart(epochMs: number): void {
    if (this.request.source !== "file") this.#sampleClock = new SampleClock(epochMs);
    this.#emit({ type: "info", message: sttInfo.audioStarted, payload: { epoch_ms: epochMs } });
  }

  /** The computer slept, or the sound stood still: what was being said is over, and the clock is set anew. */
  async #wakeUp(transcriber: Transcriber, quietMs: number): Promise<void> {
    await transcriber.flush("utterance_end");
    this.#emit({
      type: "warning",
      message: `Nothing came from the device for ${Math.round(quietMs / 1000)} s: the computer may have slept. It listens again.`,
      payload: { lost_ms: Math.round(quietMs) },
    });
    this.#tellStart(Math.round(this.#clock.now() - transcriber.nowMs));
  }

  #tellDevice({ message, deviceId, deviceName, isFallback }: SourceNotice): void {
    this.#gapIsTold = true;
    const payload = { device_id: deviceId, device_name: deviceName, fallback: isFallback };
    this.#emit({ type: "warning", message, payload });
    this.#emit({ type: "info", message: sttInfo.deviceChanged, payload });
  }

  /** Only when it was asked for. @throws SttError where the folder cannot be written */
  async #startRecording(): Promise<void> {
    const { record_to: folder, record_keep_days: keepDays } = this.request;
    if (folder === undefined) return;
    try {
      await deleteOldRecordings(folder, keepDays, this.createdAt);
      this.#recording = await WavWriter.create(folder, this.createdAt, this.id);
    } catch (error) {
      const why = error instanceof Error ? error.message : String(error);
      throw new SttError(
        "cannot_record",
        `The recording cannot be written to ${folder}: ${why}. Choose another folder, or listen without recording.`,
        { cause: error },
      );
    }
    this.#emit({ type: "info", message: sttInfo.recording, payload: { path: this.#recording.path } });
  }

  /** What is muted is not recorded. A disk that is full ends the recording, never the listening. */
  async #record(pcm: Int16Array): Promise<void> {
    if (!this.#recording) return;
    try {
      await this.#recording.write(pcm);
    } catch (error) {
      const why = error instanceof Error ? error.message : String(error);
      this.#emit({ type: "warning", message: `The recording ended: ${why}. Parley goes on listening.` });
      await this.#endRecording();
    }
  }

  async #endRecording(): Promise<void> {
    const recording = this.#recording;
    this.#recording = null;
    await recording?.close().catch((error: unknown) => console.error("The recording's end:", error));
  }

  async #bridge(transcriber: Transcriber, samples: number): Promise<void> {
    const lostMs = Math.round(toMs(samples));
    const isTold = this.#gapIsTold;
    this.#gapIsTold = false;
    if (!isTold) this.#tellLoss(lostMs);
    const before = transcriber.nowMs;
    await transcriber.writeSilence(Math.min(lostMs, maxFilledGapMs));
    const rest = samples - Math.round(((transcriber.nowMs - before) * sampleRateHz) / 1000);
    if (rest <= 0) return;
    // Nobody goes on with a sentence after that; the clock does.
    await transcriber.flush("utterance_end");
    transcriber.skip(rest);
  }

  #tellLoss(lostMs: number): void {
    this.#emit({
      type: "warning",
      message: `${lostMs} ms of audio were lost: the computer may be too busy. Words may be missing.`,
      payload: { lost_ms: lostMs },
    });
  }

  #emit(event: SttEventBody): void {
    if (event.type === "utterance_final") {
      // Its times are read by this clock.
      const epoch_ms = this.#sampleClock?.news() ?? null;
      if (epoch_ms !== null)
        this.log.append({ type: "info", message: sttInfo.audioStarted, payload: { epoch_ms } });
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

const toMs = (samples: number) => (samples * 1000) / sampleRateHz;
