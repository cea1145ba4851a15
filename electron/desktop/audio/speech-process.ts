import { MessageChannelMain, type MessagePortMain, type UtilityProcess, utilityProcess } from "electron";
import {
  embeddedVoice,
  type PlaybackEvent,
  type PlaybackRequest,
  playbackEvent,
  type SpeechRequest,
  speechFailure,
} from "../../../shared/voice/speech.ts";
import type { Speaker, SpeechPart } from "../../voice/speaking/speaker.ts";
import type { AudioWindow } from "./audio-window.ts";

export interface SpeechProcessOptions {
  /** The built entry of the speech process. */
  entry: string;
  audio: AudioWindow;
  env: NodeJS.ProcessEnv;
  onLog(line: string): void;
}

/** How often a sentence is made again after the process died over it. */
const maxTries = 3;
/** So often in a row a voice may end the process before another one speaks in its place. */
const maxDeaths = 2;

/**
 * Parley's voice: the process that makes speech and the audio window that plays it, both started when first needed
 * and again after they died. A sentence that was lost with one of them, before it began or in its middle, is said anew.
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
    this.#play({ type: "turn", turn });
  }

  say(part: SpeechPart): void {
    this.#open.set(part.id, { part, tries: 1, isAudible: false });
    this.#order(part);
  }

  pause(): void {
    this.#isPaused = true;
    this.#play({ type: "pause" });
  }

  resume(): void {
    this.#isPaused = false;
    this.#play({ type: "resume" });
  }

  setVolume(volume: number): void {
    if (volume === this.#volume) return;
    this.#volume = volume;
    this.#play({ type: "volume", volume });
  }

  chime(of: "start" | "stop"): void {
    this.#play({ type: "chime", of });
  }

  close(): void {
    this.#closed = true;
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

  #play(request: PlaybackRequest): void {
    this.#connected().then(
      (player) => player.postMessage(request),
      (error: unknown) => this.#options.onLog(`The audio window failed: ${String(error)}`),
    );
  }

  /** Both parts running and joined; samples wait in the port until the window is there. */
  #connected(): Promise<MessagePortMain> {
    if (!this.#child) {
      this.#child = this.#start();
      // The new process needs a way to the window.
      if (this.#player) void this.#player.then((player) => this.#join(player));
    }
    this.#player ??= this.#connectPlayer().catch((error: unknown) => {
      this.#player = null;
      throw error;
    });
    return this.#player;
  }

  async #connectPlayer(): Promise<MessagePortMain> {
    const { port1, port2 } = new MessageChannelMain();
    port1.on("message", ({ data }) => this.#heard(playbackEvent.parse(data)));
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
    const child = utilityProcess.fork(entry, [], {
      serviceName: "Parley speech",
      stdio: ["ignore", "ignore", "pipe"],
      env,
    });
    child.stderr?.setEncoding("utf8").on("data", (text: string) => onLog(text.trimEnd()));
    child.on("message", (message: unknown) => this.#heard(speechFailure.parse(message)));
    child.once("exit", (code) => {
      if (this.#child === child) this.#child = null;
      if (this.#closed) return;
      onLog(`The speech process ended (${code}).`);
      this.#blame(code);
      this.#again();
    });
    return child;
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
    const message = `the voice “${voice}” ended its process twice (code ${code}). Its files are damaged, or of a kind that cannot be opened. Choose another one.`;
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
    if (event.type === "ended" || event.type === "failed") this.#open.delete(event.id);
    for (const listener of this.#listeners) listener(event);
  }
}
