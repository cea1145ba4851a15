import { MessageChannelMain, type MessagePortMain, type UtilityProcess } from "electron";
import {
  type ChimeName,
  embeddedVoice,
  type PlaybackEvent,
  type PlaybackRequest,
  playbackEvent,
  type SpeechRequest,
  speechFailure,
} from "../../../shared/voice/speech.ts";
import type { Speaker, SpeechPart } from "../../voice/speaking/speaker.ts";
import { hearPart, startPart } from "../part-process.ts";
import type { AudioWindow } from "./audio-window.ts";

export interface SpeechProcessOptions {
  /** The built entry of the speech process. */
  entry: string;
  audio: AudioWindow;
  env: NodeJS.ProcessEnv;
  /** Voice is on: something may have to be said at any moment. */
  isWanted(): boolean;
  onLog(line: string): void;
}

/** Nothing was said, or could have been, for so long: the process and its end of the page go. In milliseconds. */
export const speechKeptMs = 20_000;

/** How often a sentence is made again after the process died over it. */
const maxTries = 3;
/** So often in a row a voice may end the process before another one speaks in its place. */
const maxDeaths = 2;

/**
 * Parley's voice: the process that makes speech and the audio window that plays it, both started when first needed
 * and again after they died; they end when nothing has been said for a while. A sentence that was lost with one of them, before it began or in its middle, is said anew.
 */
export class SpeechProcess implements Speaker {
  readonly #options: SpeechProcessOptions;
  readonly #listeners = new Set<(event: PlaybackEvent) => void>();
  /** Sentences that were asked for and are not over. */
  readonly #open = new Map<number, { part: SpeechPart; tries: number; isAudible: boolean }>();
  /** How often in a row the process died over a voice that is not embedded. */
  readonly #deaths = new Map<string, number>();
  #turn = 0;
  #volume = 1;
  #isPaused = false;
  #child: UtilityProcess | null = null;
  #player: Promise<MessagePortMain> | null = null;
  #resting: NodeJS.Timeout | undefined;
  #closed = false;

  constructor(options: SpeechProcessOptions) {
    this.#options = options;
    options.audio.onGone(() => {
      this.#player = null;
      for (const open of this.#open.values()) open.isAudible = false;
      this.#again();
    });
  }

  onEvent(listener: (event: PlaybackEvent) => void): void {
    this.#listeners.add(listener);
  }

  prepare(): void {
    void this.#connected().catch(() => {});
  }

  open(): void {
    this.#play({ type: "open" });
  }

  begin(turn: number): void {
    this.#child?.postMessage({ type: "cancel", turn: turn - 1 } satisfies SpeechRequest);
    this.#turn = turn;
    this.#isPaused = false;
    this.#open.clear();
    this.#tell({ type: "turn", turn });
  }

  say(part: SpeechPart): void {
    this.#open.set(part.id, { part, tries: 1, isAudible: false });
    this.#order(part);
  }

  pause(): void {
    this.#isPaused = true;
    this.#tell({ type: "pause" });
  }

  resume(): void {
    this.#isPaused = false;
    this.#tell({ type: "resume" });
  }

  setVolume(volume: number): void {
    if (volume === this.#volume) return;
    this.#volume = volume;
    this.#tell({ type: "volume", volume });
  }

  chime(of: ChimeName): void {
    this.#play({ type: "chime", of });
  }

  close(): void {
    this.#closed = true;
    clearTimeout(this.#resting);
    this.#child?.postMessage({ type: "quit" } satisfies SpeechRequest);
  }

  #order(part: SpeechPart): void {
    const system = /^system(?::(.+))?$/.exec(part.voice);
    if (system) {
      this.#play({ ...part, type: "system", voice: system[1] ?? "" });
      return;
    }
    this.prepare();
    const { speaker, ...order } = part;
    const isDeadly = (this.#deaths.get(part.voice) ?? 0) >= maxDeaths;
    const how = isDeadly ? { voice: embeddedVoice, speaker: 0 } : { speaker };
    this.#child?.postMessage({ ...order, ...how, type: "make" } satisfies SpeechRequest);
  }

  /** What a page that is made later is told when it is connected. */
  #tell(request: PlaybackRequest): void {
    if (this.#player) this.#play(request);
  }

  #play(request: PlaybackRequest): void {
    this.#connected().then(
      (player) => player.postMessage(request),
      (error: unknown) => this.#options.onLog(`The audio window failed: ${String(error)}`),
    );
  }

  /** Both parts running and joined; samples wait in the port until the window is there. */
  #connected(): Promise<MessagePortMain> {
    this.#restLater();
    if (!this.#child) {
      this.#child = this.#start();
      // The new process needs a way to the window.
      this.#player?.then((player) => this.#join(player)).catch(() => {});
    }
    this.#player ??= this.#connectPlayer().catch((error: unknown) => {
      this.#player = null;
      throw error;
    });
    return this.#player;
  }

  async #connectPlayer(): Promise<MessagePortMain> {
    const { port1, port2 } = new MessageChannelMain();
    port1.on("message", ({ data }) => {
      const event = playbackEvent.safeParse(data);
      if (event.success) this.#heard(event.data);
      else this.#options.onLog(`The audio window sent an invalid message: ${event.error.message}`);
    });
    port1.start();
    this.#join(port1);
    port1.postMessage({ type: "volume", volume: this.#volume } satisfies PlaybackRequest);
    port1.postMessage({ type: "turn", turn: this.#turn } satisfies PlaybackRequest);
    if (this.#isPaused) port1.postMessage({ type: "pause" } satisfies PlaybackRequest);
    await this.#options.audio.connect(port2, "playbackPort");
    return port1;
  }

  #join(player: MessagePortMain): void {
    const { port1, port2 } = new MessageChannelMain();
    this.#child?.postMessage({ type: "audio" } satisfies SpeechRequest, [port1]);
    player.postMessage({ type: "source" } satisfies PlaybackRequest, [port2]);
  }

  #start(): UtilityProcess {
    const { entry, env, onLog } = this.#options;
    const child = startPart(entry, { serviceName: "Parley speech", env, onLog });
    hearPart(child, speechFailure, (event) => this.#heard(event));
    child.once("exit", (code) => {
      // One that was sent to rest has ended as it should.
      if (this.#child !== child) return;
      this.#child = null;
      if (this.#closed) return;
      onLog(`The speech process ended (${code}).`);
      this.#blame(code);
      this.#again();
    });
    return child;
  }

  #restLater(): void {
    clearTimeout(this.#resting);
    if (!this.#closed) this.#resting = setTimeout(() => this.#rest(), speechKeptMs).unref();
  }

  #rest(): void {
    if (this.#open.size > 0 || this.#options.isWanted()) {
      this.#restLater();
      return;
    }
    this.#child?.postMessage({ type: "quit" } satisfies SpeechRequest);
    this.#child = null;
    this.#player = null;
    this.#options.audio.release("playbackPort");
  }

  /**
   * The native code ends the process over a file that it cannot bear, where the embedded voice has none: a voice over
   * which it died again speaks no more until Parley is started again.
   */
  #blame(code: number): void {
    const [id, open] = [...this.#open].find(([, { isAudible }]) => !isAudible) ?? [];
    if (id === undefined || !open || !/^(model|folder):/.test(open.part.voice)) return;
    const { voice, turn } = open.part;
    const deaths = (this.#deaths.get(voice) ?? 0) + 1;
    this.#deaths.set(voice, deaths);
    if (deaths !== maxDeaths) return;
    const message = `the voice “${voice}” crashed twice (code ${code}). Its files are damaged or of an unsupported kind. Choose another voice.`;
    this.#heard({ type: "other_voice", turn, id, message });
  }

  /** Asks once more for what was lost with a process. */
  #again(): void {
    for (const [id, open] of this.#open) {
      if (open.isAudible) continue;
      if (open.tries >= maxTries) {
        this.#heard({ type: "failed", turn: open.part.turn, id, message: "The voice failed." });
        continue;
      }
      open.tries += 1;
      this.#order(open.part);
    }
  }

  #heard(event: PlaybackEvent): void {
    const open = this.#open.get(event.id);
    if (event.type === "started" && open) {
      open.isAudible = true;
      if ((this.#deaths.get(open.part.voice) ?? 0) < maxDeaths) this.#deaths.delete(open.part.voice);
    }
    if (event.type === "ended" || event.type === "failed") {
      this.#open.delete(event.id);
      this.#restLater();
    }
    for (const listener of this.#listeners) listener(event);
  }
}
