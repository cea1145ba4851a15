import type { ChimeName, PlaybackEvent, SpeechSamples } from "../../shared/voice/speech.ts";
import { frameMs, frameSamples } from "../../shared/voice/stt.ts";
import type { EchoLink } from "./echo-link.ts";
import playbackWorklet from "./playback-worklet.ts?worker&url";
import { StepClock } from "./step-clock.ts";

/** The worklet's news. */
type PlaybackMessage =
  | { type: "started"; id: number }
  | { type: "position"; id: number; frames: number; total: number }
  | { type: "ended"; id: number }
  | { type: "played"; samples: Float32Array };

interface Output {
  context: AudioContext;
  gain: GainNode;
  node: AudioWorkletNode;
}

/** `level`: how loud, 0–1. `notes` in hertz: upwards when listening begins, downwards when it ends. */
const chimes: Record<ChimeName, { level: number; notes: readonly number[] }> = {
  start: { level: 0.15, notes: [660, 880] },
  stop: { level: 0.15, notes: [660, 440] },
  waiting: { level: 0.1, notes: [550, 550] },
};

/** Most voices' rate; another one opens an output of its own. */
const usualRateHz = 16_000;
/** An output that has nothing to play is kept so long for what comes next, in milliseconds. */
const keepMs = 3_000;

/** Plays speech through the computer's output, which is open only while there is something to say. */
export class Player {
  readonly #tell: (event: PlaybackEvent) => void;
  readonly #echo: Pick<EchoLink, "played" | "playing" | "paused">;
  #turn = 0;
  /** Parts of the turn that came: a speech process that was started again may send one twice. */
  #seen = new Set<number>();
  /** Of them, those that the output has and that are not over. */
  #waiting = new Set<number>();
  /** Of another rate than the output, or behind such: they wait until it has nothing left. */
  #later: SpeechSamples[] = [];
  #volume = 1;
  #output: Promise<Output> | null = null;
  #rateHz = 0;
  #isPaused = false;
  #closing: ReturnType<typeof setTimeout> | undefined;

  /** @param echo is told what a microphone may hear of it */
  constructor(tell: (event: PlaybackEvent) => void, echo: Pick<EchoLink, "played" | "playing" | "paused">) {
    this.#tell = tell;
    this.#echo = echo;
  }

  get turn(): number {
    return this.#turn;
  }

  /** Stops what is being played of earlier turns, and plays nothing of them any more. */
  begin(turn: number): void {
    this.#enter(turn);
    // Its samples were ahead of this word: a pause that came since was for an earlier turn.
    if (turn === this.#turn && this.#isPaused) this.pause(false);
  }

  #enter(turn: number): void {
    if (turn <= this.#turn) return;
    this.#turn = turn;
    this.#seen = new Set();
    this.#waiting = new Set();
    this.#later = [];
    this.#echo.playing(false);
    this.#isPaused = false;
    this.#order({ type: "clear" });
    this.#closeIfUnused();
  }

  /** Something will be played soon. */
  open(): void {
    if (!this.#output) void this.#open(usualRateHz);
    this.#closeIfUnused();
  }

  play(part: SpeechSamples): void {
    const { turn, id } = part;
    // Samples have a port of their own: they may be here before the word that their turn has begun.
    this.#enter(turn);
    if (turn !== this.#turn || this.#seen.has(id)) return;
    this.#seen.add(id);
    this.#put(part);
  }

  #put(part: SpeechSamples): void {
    const { turn, id, pcm, sampleRateHz } = part;
    // Another voice: what the one before has said so far is heard to its end.
    if (this.#later.length > 0 || (this.#waiting.size > 0 && this.#rateHz !== sampleRateHz)) {
      this.#later.push(part);
      return;
    }
    this.#waiting.add(id);
    if (this.#rateHz !== sampleRateHz) void this.#open(sampleRateHz);
    clearTimeout(this.#closing);
    const samples = Float32Array.from(pcm, (sample) => sample / 0x8000);
    void this.#output?.then(
      ({ node }) => turn === this.#turn && node.port.postMessage({ type: "part", id, samples }),
      (error: unknown) => {
        if (turn === this.#turn) this.#over(id);
        this.#tell({ type: "failed", turn, id, message: String(error) });
      },
    );
  }

  #over(id: number): void {
    this.#waiting.delete(id);
    if (this.#waiting.size > 0) return;
    const later = this.#later.splice(0);
    for (const part of later) this.#put(part);
  }

  pause(isPaused: boolean): void {
    this.#isPaused = isPaused;
    this.#echo.paused(isPaused);
    this.#order({ type: isPaused ? "pause" : "resume" });
  }

  /** @param volume 0–1 */
  setVolume(volume: number): void {
    this.#volume = volume;
    this.#withOutput(({ gain }) => gain.gain.setTargetAtTime(volume, 0, 0.01));
  }

  /** Two short notes. */
  async chime(of: ChimeName): Promise<void> {
    const { context, gain } = await (this.#output ?? this.#open(usualRateHz));
    const { level: loudness, notes } = chimes[of];
    const level = new GainNode(context, { gain: loudness });
    level.connect(gain);
    for (const [index, frequency] of notes.entries()) {
      const note = new OscillatorNode(context, { frequency });
      note.connect(level);
      note.start(context.currentTime + index * 0.09);
      note.stop(context.currentTime + index * 0.09 + 0.08);
    }
    this.#closeIfUnused();
  }

  close(): void {
    clearTimeout(this.#closing);
    this.#withOutput(({ context }) => context.close());
    this.#forget();
  }

  #forget(): void {
    this.#output = null;
    this.#rateHz = 0;
  }

  #order(order: { type: "pause" | "resume" | "clear" }): void {
    this.#withOutput(({ node }) => node.port.postMessage(order));
  }

  /** That it cannot be opened is told by the sentence that needs it. */
  #withOutput(use: (output: Output) => void): void {
    this.#output?.then(use, () => {});
  }

  /** In a while, where nothing came until then. */
  #closeIfUnused(): void {
    clearTimeout(this.#closing);
    if (this.#waiting.size > 0) return;
    this.#closing = setTimeout(() => this.close(), keepMs);
  }

  #open(rateHz: number): Promise<Output> {
    this.close();
    this.#rateHz = rateHz;
    const opened = this.#start(rateHz);
    this.#output = opened;
    // The next sentence tries anew.
    opened.catch(() => this.#output === opened && this.#forget());
    return opened;
  }

  async #start(sampleRate: number): Promise<Output> {
    const context = new AudioContext({ sampleRate, latencyHint: "interactive" });
    try {
      await context.audioWorklet.addModule(playbackWorklet);
      await context.resume();
    } catch (error) {
      void context.close();
      throw error;
    }
    const node = new AudioWorkletNode(context, "playback", { numberOfInputs: 0, outputChannelCount: [1] });
    const gain = new GainNode(context, { gain: this.#volume });
    node.connect(gain).connect(context.destination);
    const clock = new StepClock(frameMs);
    node.port.onmessage = ({ data }: MessageEvent<PlaybackMessage>) => {
      if (data.type === "played") this.#played(data.samples, clock.next(performance.now()));
      else this.#news(context, data);
    };
    if (this.#isPaused) node.port.postMessage({ type: "pause" });
    return { context, gain, node };
  }

  #played(samples: Float32Array, at: number): void {
    /** At the microphone's rate. */
    const sound = Float32Array.from({ length: frameSamples }, (_, index) => {
      const place = (index * samples.length) / frameSamples;
      const [one = 0, other = one] = samples.subarray(Math.floor(place), Math.floor(place) + 2);
      return this.#volume * (one + (place % 1) * (other - one));
    });
    this.#echo.played(sound, at);
  }

  #news(context: AudioContext, news: Exclude<PlaybackMessage, { type: "played" }>): void {
    const turn = this.#turn;
    const { id } = news;
    if (!this.#seen.has(id)) return;
    /** What was handed to the device is heard so much later. */
    const delayMs = (context.outputLatency || context.baseLatency) * 1000;
    if (news.type === "started") {
      this.#echo.playing(true);
      this.#tell({ type: "started", turn, id, at: Date.now() + delayMs });
      return;
    }
    if (news.type === "ended") {
      this.#over(id);
      // The next part may be on its way to the audio thread.
      if (this.#waiting.size === 0) this.#echo.playing(false);
      this.#closeIfUnused();
      this.#tell({ type: "ended", turn, id });
      return;
    }
    const ms = (frames: number) => (frames * 1000) / context.sampleRate;
    const playedMs = Math.max(0, ms(news.frames) - delayMs);
    this.#tell({ type: "position", turn, id, playedMs, totalMs: ms(news.total) });
  }
}
