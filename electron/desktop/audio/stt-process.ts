import { MessageChannelMain, type MessagePortMain, type UtilityProcess } from "electron";
import { z } from "zod";
import { PortTransport } from "../../../shared/port-transport.ts";
import { sttLevel, sttRest } from "../../../shared/voice/stt.ts";
import { hearPart, startPart } from "../part-process.ts";
import type { AudioWindow } from "./audio-window.ts";

export interface SttProcessOptions {
  /** The built entry of the STT server. */
  entry: string;
  audio: AudioWindow;
  env: NodeJS.ProcessEnv;
  onLevel(level: number, sessionId: string): void;
  /** A line that the process wrote to stderr. */
  onLog(line: string): void;
}

/** Nothing was asked of the server for so long, in milliseconds: it is asked whether it may end. */
export const sttKeptMs = 20_000;

/**
 * The speech-to-text server as a utility process of the app: started when first needed, and again after it died. It ends
 * when nobody has asked anything for a while and it has nothing to do; whoever held a connection sees it close.
 */
export class SttProcess {
  readonly #options: SttProcessOptions;
  readonly #audio: AudioWindow;
  readonly #transports = new Set<PortTransport>();
  #child: UtilityProcess | null = null;
  /** Resolved once the server that runs can hear. */
  #starting: Promise<UtilityProcess> | null = null;
  #resting: NodeJS.Timeout | undefined;
  /** The server is asked whether it may end, and nothing else was since. */
  #isAsked = false;

  constructor(options: SttProcessOptions) {
    this.#options = options;
    this.#audio = options.audio;
    this.#audio.onGone(() => {
      const child = this.#child;
      if (child) this.#connectAudio(child).catch((error: unknown) => this.#giveUp(child, error));
    });
  }

  /** Process id of the running server, for diagnostics. */
  get pid(): number | undefined {
    return this.#child?.pid;
  }

  /** A fresh MCP connection to the server, which is started when it does not run. */
  async connect(): Promise<PortTransport> {
    this.#starting ??= this.#start();
    const child = await this.#starting;
    const { port1, port2 } = new MessageChannelMain();
    child.postMessage({ type: "mcp" }, [port1]);
    const used = () => this.#restLater();
    used();
    port2.on("message", used);
    const transport = new WatchedTransport(port2, used);
    this.#transports.add(transport);
    port2.on("close", () => this.#transports.delete(transport));
    // A killed process does not always close its ports.
    child.once("exit", () => void transport.close());
    return transport;
  }

  /** Ends the server; sessions are stopped by the server itself. */
  async close(): Promise<void> {
    clearTimeout(this.#resting);
    const child = this.#child;
    if (child) await this.#end(child);
  }

  async #end(child: UtilityProcess): Promise<void> {
    const exited = new Promise((resolve) => child.once("exit", resolve));
    child.postMessage({ type: "quit" });
    const patience = setTimeout(() => child.kill(), quitPatienceMs);
    await exited;
    clearTimeout(patience);
  }

  async #start(): Promise<UtilityProcess> {
    const child = startPart(this.#options.entry, {
      serviceName: "Parley speech-to-text",
      env: this.#options.env,
      onLog: this.#options.onLog,
    });
    this.#child = child;
    hearPart(child, z.union([sttLevel, sttRest]), (message) => {
      if (message.type === "rest") this.#answered(child, message.mayRest);
      else this.#options.onLevel(message.level, message.sessionId);
    });
    child.once("exit", (code) => {
      this.#options.onLog(`The speech process ended (${code}).`);
      this.#forget(child);
    });
    try {
      await this.#connectAudio(child);
    } catch (error) {
      this.#giveUp(child, error);
      throw error;
    }
    return child;
  }

  /** A server that cannot hear would keep every later start from working. */
  #giveUp(child: UtilityProcess, error: unknown): void {
    this.#options.onLog(`The speech process is ended: ${error instanceof Error ? error.message : error}`);
    this.#forget(child);
    child.kill();
  }

  /** From here on a new connection starts a new server. */
  #forget(child: UtilityProcess): void {
    if (this.#child !== child) return;
    this.#child = null;
    this.#starting = null;
  }

  #restLater(): void {
    this.#isAsked = false;
    clearTimeout(this.#resting);
    this.#resting = setTimeout(() => {
      this.#isAsked = true;
      this.#child?.postMessage({ type: "rest" });
    }, sttKeptMs).unref();
  }

  #answered(child: UtilityProcess, mayRest: boolean): void {
    if (!this.#isAsked || this.#child !== child) return;
    if (!mayRest) {
      this.#restLater();
      return;
    }
    this.#forget(child);
    for (const transport of [...this.#transports]) void transport.close();
    this.#transports.clear();
    this.#end(child)
      .then(() => {
        if (!this.#child) this.#audio.release("audioPort");
      })
      .catch((error: unknown) => this.#options.onLog(String(error)));
  }

  async #connectAudio(child: UtilityProcess): Promise<void> {
    const { port1, port2 } = new MessageChannelMain();
    await this.#audio.connect(port2);
    child.postMessage({ type: "audio" }, [port1]);
  }
}

/** How long the server may take to stop its sessions when the app quits, in milliseconds. */
const quitPatienceMs = 2_000;

/** Tells when something is asked. */
class WatchedTransport extends PortTransport {
  readonly #onSend: () => void;

  constructor(port: MessagePortMain, onSend: () => void) {
    super(port);
    this.#onSend = onSend;
  }

  override async send(message: Parameters<PortTransport["send"]>[0]): Promise<void> {
    this.#onSend();
    await super.send(message);
  }
}
