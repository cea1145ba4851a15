import { type SttDevice, sampleRateHz } from "../../../shared/voice/stt.ts";
import type { Clock } from "../clock.ts";
import { toSttError } from "../stt-error.ts";
import type { AudioFrame, AudioSource, OpenedSource, OverFrame, SourceNotice } from "./audio-source.ts";

export interface WantedDevice {
  deviceId?: string | undefined;
  deviceName?: string | undefined;
}

/** Tells when a device comes or goes. */
export interface DeviceWatch {
  /** @returns what ends it */
  onChange(listener: () => void): () => void;
  list(): Promise<SttDevice[]>;
}

export interface RecoveringOptions {
  /** A new source for each try. */
  create: (wanted: WantedDevice) => AudioSource;
  wanted: WantedDevice;
  devices: DeviceWatch;
  clock: Clock;
}

/** How long a device is tried for that cannot be opened any more, before the session fails. */
export const recoverMs = 15_000;
const firstWaitMs = 500;
const openTimeoutMs = 10_000;
/** The device is not there; any other reason is told. */
const missingKinds = new Set(["NotFoundError", "OverconstrainedError"]);
/** Trying again does not help here. */
const finalKinds = new Set(["NotAllowedError", "no_recorder", "unsupported_platform"]);

/**
 * A microphone that outlives its device: one that is unplugged gives way to the default, and comes back when it is
 * plugged in again. What was lost in between is a gap in the samples' numbers.
 */
export class RecoveringSource implements AudioSource {
  onNotice: (notice: SourceNotice) => void = () => undefined;
  onOver: (frame: OverFrame) => void = () => undefined;
  readonly #options: RecoveringOptions;
  readonly #closing = new AbortController();
  #current: AudioSource;
  #device: OpenedSource = { deviceId: null, deviceName: null };
  #onFallback = false;
  #endWatch: () => void = () => undefined;
  /** Wakes whoever waits to try again. */
  #changed: () => void = () => undefined;

  constructor(options: RecoveringOptions) {
    this.#options = options;
    this.#current = this.#create(options.wanted);
  }

  get hasGainControl(): boolean {
    return this.#current.hasGainControl ?? false;
  }

  async open(signal: AbortSignal): Promise<OpenedSource> {
    const opened = await this.#open(signal);
    if (this.#isNamed) {
      this.#endWatch = this.#options.devices.onChange(() => {
        this.#changed();
        void this.#look();
      });
    }
    return opened;
  }

  /** One that was chosen by its id and is not plugged in gives way to the default, too, until it is. */
  async #open(signal: AbortSignal): Promise<OpenedSource> {
    const { wanted } = this.#options;
    try {
      this.#device = await this.#current.open(signal);
      return this.#device;
    } catch (error) {
      const isMissing = missingKinds.has(toSttError(error).kind) && wanted.deviceId !== undefined;
      if (!isMissing || signal.aborted) throw error;
    }
    await this.#current.close();
    this.#current = this.#create({});
    const opened = await this.#current.open(signal);
    this.#device = { deviceId: wanted.deviceId ?? null, deviceName: null };
    this.#onFallback = true;
    this.onNotice({ ...opened, message: noticeText(true, false, opened.deviceName), isFallback: true });
    return opened;
  }

  async *frames(): AsyncGenerator<AudioFrame> {
    const { clock } = this.#options;
    let base = 0;
    let next = 0;
    let lastAt = clock.now();
    while (true) {
      let error: unknown = null;
      try {
        for await (const frame of this.#current.frames()) {
          lastAt = clock.now();
          const sampleIndex = base + frame.sampleIndex;
          next = sampleIndex + frame.pcm.length;
          yield { sampleIndex, pcm: frame.pcm };
        }
      } catch (failure) {
        error = failure;
      }
      if (this.#closing.signal.aborted) return;
      await this.#current.close();
      if (!(await this.#reopen(error))) return;
      base = next + Math.round(((clock.now() - lastAt) * sampleRateHz) / 1000);
    }
  }

  async close(): Promise<void> {
    this.#closing.abort();
    this.#endWatch();
    await this.#current.close();
  }

  #create(wanted: WantedDevice): AudioSource {
    const source = this.#options.create(wanted);
    source.onOver = (frame) => this.onOver(frame);
    return source;
  }

  get #isNamed(): boolean {
    const { deviceId, deviceName } = this.#options.wanted;
    return deviceId !== undefined || deviceName !== undefined;
  }

  /** A device came or went: is it the one that is heard, or the one that is wanted? */
  async #look(): Promise<void> {
    const isThere = await this.#isWantedThere();
    if (isThere === null || this.#closing.signal.aborted || isThere !== this.#onFallback) return;
    // Whoever reads the frames goes on with the other device.
    await this.#current.close();
  }

  /** Null when nobody can tell. */
  async #isWantedThere(): Promise<boolean | null> {
    const devices = await this.#options.devices.list().catch(() => []);
    if (devices.length === 0) return null;
    return devices.some(({ id }) => id === this.#device.deviceId);
  }

  /** @returns false when the source was closed meanwhile @throws the failure when nothing can be opened any more */
  async #reopen(failure: unknown): Promise<boolean> {
    const { clock } = this.#options;
    const { signal } = this.#closing;
    const giveUpAt = clock.now() + recoverMs;
    let error = failure;
    for (let waitMs = firstWaitMs; ; waitMs *= 2) {
      if (error && finalKinds.has(toSttError(error).kind)) throw error;
      const wantedThere = this.#isNamed && (await this.#isWantedThere()) === true;
      const tries = wantedThere ? [{ deviceId: this.#device.deviceId ?? undefined }, {}] : [{}];
      for (const wanted of tries) {
        if (signal.aborted) return false;
        try {
          return await this.#use(wanted, wanted.deviceId === undefined && this.#isNamed);
        } catch (cause) {
          error = cause;
        }
      }
      if (clock.now() >= giveUpAt) throw error;
      await this.#pause(waitMs);
    }
  }

  async #use(wanted: WantedDevice, isFallback: boolean): Promise<boolean> {
    const source = this.#create(wanted);
    this.#current = source;
    const { signal } = this.#closing;
    let opened: OpenedSource;
    try {
      opened = await source.open(AbortSignal.any([signal, AbortSignal.timeout(openTimeoutMs)]));
    } catch (error) {
      await source.close();
      if (signal.aborted) return false;
      throw error;
    }
    if (signal.aborted) {
      await source.close();
      return false;
    }
    const wasFallback = this.#onFallback;
    this.#onFallback = isFallback;
    this.onNotice({
      message: noticeText(isFallback, wasFallback, opened.deviceName),
      deviceId: opened.deviceId,
      deviceName: opened.deviceName,
      isFallback,
    });
    // What came or went while it was opened would be missed otherwise.
    if (this.#isNamed) void this.#look();
    return true;
  }

  async #pause(ms: number): Promise<void> {
    const woken = new AbortController();
    this.#changed = () => woken.abort();
    await this.#options.clock
      .sleep(ms, AbortSignal.any([woken.signal, this.#closing.signal]))
      .catch(() => undefined);
  }
}

function noticeText(isFallback: boolean, wasFallback: boolean, name: string | null): string {
  const named = name ? ` (${name})` : "";
  if (isFallback) {
    return `The chosen microphone is gone. Listening to the default one${named} until it is back.`;
  }
  if (wasFallback) return `The chosen microphone is back${named}. Listening to it again.`;
  return `The sound broke off and is back${named}.`;
}
