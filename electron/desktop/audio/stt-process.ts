import { MessageChannelMain, type UtilityProcess, utilityProcess } from "electron";
import { PortTransport } from "../../../shared/port-transport.ts";
import { sttLevel } from "../../../shared/voice/stt.ts";
import type { AudioWindow } from "./audio-window.ts";

export interface SttProcessOptions {
  /** The built entry of the STT server. */
  entry: string;
  audio: AudioWindow;
  env: NodeJS.ProcessEnv;
  onLevel(level: number): void;
  /** A line that the process wrote to stderr. */
  onLog(line: string): void;
}

/**
 * The speech-to-text server as a utility process of the app: started when first needed, and again after it died.
 */
export class SttProcess {
  readonly #options: SttProcessOptions;
  readonly #audio: AudioWindow;
  #child: UtilityProcess | null = null;

  constructor(options: SttProcessOptions) {
    this.#options = options;
    this.#audio = options.audio;
    this.#audio.onGone(() => void this.#connectAudio());
  }

  /** Process id of the running server, for diagnostics. */
  get pid(): number | undefined {
    return this.#child?.pid;
  }

  /** A fresh MCP connection to the server, which is started when it does not run. */
  async connect(): Promise<PortTransport> {
    const child = this.#child ?? (await this.#start());
    const { port1, port2 } = new MessageChannelMain();
    child.postMessage({ type: "mcp" }, [port1]);
    const transport = new PortTransport(port2);
    // A killed process does not always close its ports.
    child.once("exit", () => void transport.close());
    return transport;
  }

  /** Ends the server; sessions are stopped by the server itself. */
  async close(): Promise<void> {
    const child = this.#child;
    if (!child) return;
    const exited = new Promise((resolve) => child.once("exit", resolve));
    child.postMessage({ type: "quit" });
    const patience = setTimeout(() => child.kill(), quitPatienceMs);
    await exited;
    clearTimeout(patience);
  }

  async #start(): Promise<UtilityProcess> {
    const child = utilityProcess.fork(this.#options.entry, [], {
      serviceName: "Parley speech-to-text",
      stdio: ["ignore", "pipe", "pipe"],
      env: this.#options.env,
    });
    this.#child = child;
    child.stderr?.setEncoding("utf8").on("data", (text: string) => this.#options.onLog(text.trimEnd()));
    child.stdout?.resume();
    child.on("message", (message: unknown) => {
      const level = sttLevel.safeParse(message);
      if (level.success) this.#options.onLevel(level.data.level);
    });
    child.once("exit", (code) => {
      this.#options.onLog(`The speech process ended (${code}).`);
      if (this.#child === child) this.#child = null;
    });
    await this.#connectAudio();
    return child;
  }

  async #connectAudio(): Promise<void> {
    const child = this.#child;
    if (!child) return;
    const { port1, port2 } = new MessageChannelMain();
    await this.#audio.connect(port2);
    child.postMessage({ type: "audio" }, [port1]);
  }
}

/** How long the server may take to stop its sessions when the app quits, in milliseconds. */
const quitPatienceMs = 2_000;
