import { GainControl } from "../../../shared/voice/gain-control.ts";
import { type StartSessionArguments, type SttSessionStatus, sttInfo } from "../../../shared/voice/stt.ts";
import type { AudioSource, OpenedSource, SourceNotice } from "../audio/audio-source.ts";
import { LevelMeter } from "../audio/level-meter.ts";
import type { Clock } from "../clock.ts";
import { detectedLanguage, languageCode } from "../models/model-location.ts";
import { grammarRecogniser, PhraseRecogniser } from "../recognisers/grammar.ts";
import type { Recogniser, RecogniserModel } from "../recognisers/recogniser.ts";
import { ShortCommands } from "../recognisers/short-commands.ts";
import { WakeRecogniser } from "../recognisers/wake-recogniser.ts";
import type { OwnWord } from "../rescoring/own-words.ts";
import { Rescoring } from "../rescoring/rescoring.ts";
import { SecondListener } from "../rescoring/second-listener.ts";
import { SpeechSignsListener } from "../signs/speech-signs.ts";
import { SttError, toSttError } from "../stt-error.ts";
import type { EndpointSettings } from "./endpointer.ts";
import { FrameRepair } from "./frame-repair.ts";
import { ListeningGate } from "./listening-gate.ts";
import { type Phrase, phraseOf } from "./phrase-rule.ts";
import { Recording } from "./recording.ts";
import { SessionLog } from "./session-log.ts";
import { SilenceWatch } from "./silence-watch.ts";
import { StopListener } from "./stop-listener.ts";
import { Transcriber } from "./transcriber.ts";

/** How long a device may take to open: somebody may have to answer the system's question first. */
const openTimeoutMs = 30_000;

export interface SessionOptions {
  id: string;
  request: StartSessionArguments;
  source: AudioSource;
  model: RecogniserModel;
  /** Where `model` cannot be held to a grammar: one of the same language that can, and hears beside it. */
  secondModel?: RecogniserModel | undefined;
  /** Listens for words to stop, where `model` cannot: `secondModel`, or one of another language. */
  stopModel?: RecogniserModel | undefined;
  clock: Clock;
  onLevel: (level: number) => void;
}

/**
 * One listening: starting → running (once audio arrives) → stopping → stopped, or failed. It joins the stages that the
 * sound goes through (source, repair, gate, transcriber) and says how they end.
 */
export class Session {
  readonly id: string;
  readonly request: StartSessionArguments;
  readonly modelName: string;
  readonly createdAt: number;
  readonly log: SessionLog;
  readonly #source: AudioSource;
  readonly #model: RecogniserModel;
  readonly #second: RecogniserModel | undefined;
  readonly #clock: Clock;
  readonly #opening = new AbortController();
  readonly #repair: FrameRepair;
  readonly #gate: ListeningGate;
  readonly #rescoring: Rescoring;
  readonly #stops: StopListener;
  /** Of a microphone: what the computer plays may be silent, and a file is what it is. */
  readonly #silence: SilenceWatch | null;
  #status: SttSessionStatus = "starting";
  #device: OpenedSource = { deviceId: null, deviceName: null };
  #done: Promise<void> = Promise.resolve();
  #recogniser: Recogniser | undefined;
  #transcriber: Transcriber | undefined;
  #limits: EndpointSettings;
  #recording: Recording | undefined;
  #utterances = 0;

  constructor({ id, request, source, model, secondModel, stopModel, clock, onLevel }: SessionOptions) {
    this.id = id;
    this.request = request;
    this.modelName = model.name;
    this.createdAt = clock.now();
    this.#limits = {
      endpointingMs: request.endpointing_ms,
      utteranceEndMs: request.utterance_end_ms,
      maxUtteranceMs: request.max_utterance_ms,
    };
    this.log = new SessionLog(clock);
    this.#source = source;
    this.#model = model;
    this.#second = secondModel;
    this.#rescoring = new Rescoring(secondModel ?? model, request);
    this.#clock = clock;
    const nowMs = () => this.#transcriber?.nowMs ?? 0;
    this.#repair = new FrameRepair({
      isLive: request.source !== "file",
      clock,
      nowMs,
      log: this.log,
      onRunning: () => {
        if (this.#status === "starting") this.#status = "running";
      },
    });
    const meter = new LevelMeter(clock);
    this.#gate = new ListeningGate({
      muted: request.muted,
      pushToTalk: request.push_to_talk,
      talking: request.talking,
      nowMs,
      log: this.log,
      meter: (pcm) => {
        const level = meter.add(pcm);
        if (level !== null) onLevel(level);
      },
      record: async (pcm) => this.#recording?.write(pcm),
    });
    this.#silence =
      request.source === "microphone"
        ? new SilenceWatch({
            clock,
            log: this.log,
            isMuted: async () => (await source.isMuted?.()) ?? null,
            isProcessed: source.hasGainControl ?? false,
          })
        : null;
    source.onNotice = (notice) => this.#tellDevice(notice);
    this.#stops = new StopListener({
      model: stopModel ?? model,
      phrases: request.grammar ? [] : (request.commands ?? []),
      isDeaf: () => {
        const { muted, talking } = this.#gate.settings;
        return muted || (request.push_to_talk && !talking);
      },
      log: this.log,
    });
    // Only a session that recognises by a model keeps it.
    if (stopModel) this.#stops.prepare();
    source.onOver = (frame) => this.#stops.hear(frame);
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
    return { ...this.#limits, ...this.#gate.settings };
  }

  /** Changes what is given, from the next frame on. */
  update({
    muted,
    talking,
    ...limits
  }: Partial<EndpointSettings & { muted: boolean; talking: boolean }>): void {
    this.#gate.update({ ...(muted !== undefined && { muted }), ...(talking !== undefined && { talking }) });
    this.#limits = { ...this.#limits, ...limits };
  }

  /** The user's words from now on, in place of those before. */
  teach(words: readonly OwnWord[]): void {
    this.#rescoring.teach(words);
    this.#recogniser?.expectWords?.(words.map(({ word }) => word));
  }

  /** Opens the source and begins to listen. @throws SttError when it cannot be opened */
  async start(): Promise<void> {
    const timeout = AbortSignal.timeout(openTimeoutMs);
    try {
      this.#recording = await Recording.start(this.request, this);
      this.#device = await this.#source.open(AbortSignal.any([timeout, this.#opening.signal]));
      const { recogniser, wake } = this.#makeRecogniser();
      this.#recogniser = recogniser;
      this.#stops.tell();
      this.#done = this.#listen(recogniser, this.#makeTranscriber(recogniser, wake));
    } catch (error) {
      await this.#source.close();
      await this.#recording?.end();
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

  /** The one that can be held to phrases, where there is one. */
  get #grammarModel(): RecogniserModel {
    return this.#second ?? this.#model;
  }

  /** Hears whatever is said. */
  #makeFree(): Recogniser {
    const canWait = this.#source.canWait ?? false;
    const first = this.#model.createRecogniser({ hotWords: this.request.hot_words, canWait });
    const second = this.#second?.createReadings?.(canWait);
    if (!second) return first;
    const knowsWord = (word: string) => this.#second?.knowsWord?.(word) ?? true;
    return new SecondListener({ first, second, knowsWord, clock: this.#clock });
  }

  /** @throws SttError where the model cannot do what is asked */
  #makeRecogniser(): { recogniser: Recogniser; wake?: WakeRecogniser } {
    const { grammar, wake_phrase: phrase } = this.request;
    const open = () =>
      grammar
        ? new PhraseRecogniser(grammar, grammarRecogniser(this.#grammarModel, grammar))
        : this.#makeFree();
    if (phrase === undefined) return { recogniser: open() };
    const wake = new WakeRecogniser({
      phrase,
      grammar: grammarRecogniser(this.#grammarModel, [phrase]),
      free: open(),
      onChange: (state) => {
        const message = state === "awake" ? sttInfo.wakePhrase : sttInfo.asleep;
        const payload = { offset_ms: Math.round(this.#transcriber?.nowMs ?? 0) };
        this.log.append({ type: "info", message, payload });
      },
    });
    return { recogniser: wake, wake };
  }

  #makeTranscriber(recogniser: Recogniser, wake: WakeRecogniser | undefined): Transcriber {
    this.#transcriber = new Transcriber({
      limits: () => this.#limits,
      gain: this.#source.hasGainControl ? undefined : new GainControl(),
      recogniser,
      wake,
      commands: ShortCommands.of(this.#grammarModel, this.request),
      // What may be said is known: nothing else becomes an utterance.
      signs: this.request.grammar ? undefined : new SpeechSignsListener(this.#grammarModel),
      rescoring: this.#rescoring,
      phraseOf: (text) => this.#phraseOf(text),
      // The phrases of a grammar are compared, not read.
      punctuate: this.request.grammar ? undefined : this.#model.punctuate?.bind(this.#model),
      clock: this.#clock,
      log: this.log,
      newUtteranceId: () => `${this.id}-u${++this.#utterances}`,
      timeNews: () => this.#repair.timeNews(),
    });
    return this.#transcriber;
  }

  #phraseOf(text: string): Phrase {
    const { grammar, language } = this.request;
    // The phrases of a grammar end as they end. Models that know no ends are helped by the one that hears beside them.
    const judge = this.#model.endCost ? this.#model : this.#second;
    const endCost = grammar ? null : (judge?.endCost?.(text) ?? null);
    return phraseOf(text, {
      endCost,
      mayBeEnglish: ["en", detectedLanguage].includes(languageCode(language)),
    });
  }

  /** Never rejects: what goes wrong becomes the session's last event. */
  async #listen(recogniser: Recogniser, transcriber: Transcriber): Promise<void> {
    try {
      const frames = this.#source.frames();
      const watched = this.#silence?.watched(frames) ?? frames;
      await transcriber.hear(this.#gate.passed(this.#repair.repaired(watched)));
      if (this.#status === "stopping") await transcriber.flush("session_stop");
      else {
        await transcriber.finish();
        this.log.append({ type: "info", message: sttInfo.sourceEnded });
      }
      await this.#recording?.end();
      this.#end("stopped");
    } catch (error) {
      await transcriber.flush("session_stop").catch(() => undefined);
      await this.#recording?.end();
      const { kind, message } = toSttError(error);
      this.log.append({ type: "error", message, kind, fatal: true });
      this.#end("failed");
    } finally {
      await this.#stops.end();
      transcriber.dispose();
      recogniser.dispose();
      await this.#source.close().catch(() => undefined);
    }
  }

  #tellDevice({ message, deviceId, deviceName, isFallback, goesOn = false }: SourceNotice): void {
    if (!goesOn) this.#repair.expectGap();
    this.#silence?.restart();
    const payload = { device_id: deviceId, device_name: deviceName, fallback: isFallback };
    this.log.append({ type: "warning", message, payload });
    this.log.append({ type: "info", message: sttInfo.deviceChanged, payload });
  }

  #end(status: "stopped" | "failed"): void {
    this.#status = status;
    this.log.close();
  }
}
