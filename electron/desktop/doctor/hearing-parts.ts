import { SttClient } from "../../voice/stt/stt-client.ts";
import { AudioWindow } from "../audio/audio-window.ts";
import { SttProcess } from "../audio/stt-process.ts";
import type { HearingParts } from "./hearing-checks.ts";

export interface OwnHearingOptions {
  preload: string;
  /** The built entry of the speech server. */
  entry: string;
  env: NodeJS.ProcessEnv;
  onLog(line: string): void;
}

interface Running {
  parts: HearingParts;
  close(): Promise<void>;
  /** Resolves when the server is gone. */
  closed: Promise<void>;
}

/** How long nobody asks before it is closed, in milliseconds. */
const keptMs = 30_000;

/**
 * A speech server and an audio page for the checks alone: what listens meanwhile is left in peace, and one that died is
 * no reason for a check to fail. It is closed when nobody has asked for a while.
 */
export class OwnHearing {
  readonly #options: OwnHearingOptions;
  readonly #listeners = new Set<(sessionId: string, level: number) => void>();
  #running: Promise<Running> | null = null;
  #timer: NodeJS.Timeout | undefined;

  constructor(options: OwnHearingOptions) {
    this.#options = options;
  }

  async parts(): Promise<HearingParts> {
    clearTimeout(this.#timer);
    this.#timer = setTimeout(() => void this.close(), keptMs);
    this.#timer.unref();
    this.#running ??= this.#begin();
    return (await this.#running).parts;
  }

  #begin(): Promise<Running> {
    const running = this.#start();
    const over = () => {
      if (this.#running === running) this.#running = null;
    };
    // The server ends by itself, too, where nothing was asked of it for a while.
    running.then(({ closed }) => closed.then(over), over);
    return running;
  }

  async close(): Promise<void> {
    clearTimeout(this.#timer);
    const running = this.#running;
    this.#running = null;
    await running?.then(
      ({ close }) => close(),
      () => {},
    );
  }

  async #start(): Promise<Running> {
    const { preload, entry, env, onLog } = this.#options;
    const audio = new AudioWindow(preload, (line) => onLog(`audio: ${line}`));
    const stt = new SttProcess({
      entry,
      audio,
      env,
      onLevel: (level, sessionId) => {
        for (const listener of [...this.#listeners]) listener(sessionId, level);
      },
      onLog: (line) => onLog(`speech: ${line}`),
    });
    const client = await SttClient.connect(await stt.connect());
    const parts: HearingParts = {
      client,
      onLevel: (listener) => {
        this.#listeners.add(listener);
        return () => void this.#listeners.delete(listener);
      },
    };
    const close = async () => {
      await stt.close();
      audio.close();
    };
    return { parts, close, closed: client.closed };
  }
}
