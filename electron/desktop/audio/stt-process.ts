import { MessageChannelMain, type MessagePortMain, type UtilityProcess } from "electron";
import { PortTransport } from "../../../shared/port-transport.ts";
import { sttLevel, sttRest } from "../../../shared/voice/stt.ts";
import { startPart } from "../part-process.ts";
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
  #resting: NodeJS.Timeout | undefined;
  /** The server is asked whether it may end, and nothing else was since. */
  #isAsked = false;

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
    child.on("message", (message: unknown) => {
      const level = sttLevel.safeParse(message);
      if (level.success) this.#options.onLevel(level.data.level, level.data.sessionId);
      else this.#answered(child, sttRest.parse(message).mayRest);
    });
    child.once("exit", (code) => {
      this.#options.onLog(`The speech process ended (${code}).`);
      if (this.#child === child) this.#child = null;
    });
    await this.#connectAudio();
    return child;
  }

  #restLater(): void {
    this.#isAsked = false;
    clearTimeout(this.#resting);
    this.#resting = setTimeout(() => {
      this.#isAsked = true;
      this.#child?.postMessage({ type: "rest" });
    }, sttKeptMs).unref();
  }

  /** From here on a new connection starts a new server, so nothing is asked of the one that ends. */
  #answered(child: UtilityProcess, mayRest: boolean): void {
    if (!this.#isAsked || this.#child !== child) return;
    if (!mayRest) {
      this.#restLater();
      return;
    }
    this.#child = null;
    for (const transport of [...this.#transports]) void transport.close();
    this.#transports.clear();
    void this.#end(child).then(() => {
      if (!this.#child) this.#audio.release("audioPort");
    });
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
