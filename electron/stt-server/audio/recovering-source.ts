import { type SttDevice, sampleRateHz } from "../../../shared/voice/stt.ts";
import type { Clock } from "../clock.ts";
import { toSttError } from "../stt-error.ts";
import type { AudioFrame, AudioSource, OpenedSource, OverFrame, SourceNotice } from "./audio-source.ts";

export interface WantedDevice {
  deviceId?: string | undefined;
  deviceName?: string | undefined;
}

/** Tells when a device comes or goes, or another one becomes the system's default. */
export interface DeviceWatch {
  /** @returns what ends it */
  onChange(listener: () => void): () => void;
  list(): Promise<SttDevice[]>;
  /** The device that is the default now; null where nobody knows. */
  default(): Promise<SttDevice | null>;
  /** Whoever hears the default hears the new one by itself; else it has to be opened again. */
  defaultMoves: boolean;
}

export interface RecoveringOptions {
  /** A new source for each try. */
  create: (wanted: WantedDevice) => AudioSource;
  wanted: WantedDevice;
  /** null where there is nothing to choose from. */
  devices: DeviceWatch | null;
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
 * plugged in again. The default is followed to whatever device it is. What was lost in between is a gap in the samples'
 * numbers.
 */
export class RecoveringSource implements AudioSource {
  onNotice: (notice: SourceNotice) => void = () => undefined;
  onOver: (frame: OverFrame) => void = () => undefined;
  readonly #options: RecoveringOptions;
  readonly #closing = new AbortController();
  #current: AudioSource;
  #device: OpenedSource = { deviceId: null, deviceName: null };
  #onFallback = false;
  /** The device that the default was when it was opened; null where it is not heard, or nobody knows. */
  #default: SttDevice | null = null;
  /** Told with the first frame: a device that was opened again may send none. */
  #notice: SourceNotice | null = null;
  #endWatch: () => void = () => undefined;
  /** What is opened is looked at when it is open. */
  #isReopening = false;
  /** The last look decides: what an earlier one saw is old. */
  #looks = 0;
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
    // Nobody would end the watch any more.
    this.#closing.signal.throwIfAborted();
    const end = this.#options.devices?.onChange(() => {
      this.#changed();
      void this.#look();
    });
    if (end) this.#endWatch = end;
    return opened;
  }

  async isMuted(): Promise<boolean | null> {
    return (await this.#current.isMuted?.()) ?? null;
  }

  /** One that was chosen by its id and is not plugged in gives way to the default, too, until it is. */
  async #open(signal: AbortSignal): Promise<OpenedSource> {
    const { wanted } = this.#options;
    try {
      this.#device = await this.#opened(this.#current, signal, this.#isNamed);
      return this.#device;
    } catch (error) {
      const isMissing = missingKinds.has(toSttError(error).kind) && wanted.deviceId !== undefined;
      if (!isMissing || signal.aborted) throw error;
    }
    await this.#current.close();
    this.#current = this.#create({});
    const opened = await this.#opened(this.#current, signal);
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
          if (this.#notice) this.onNotice(this.#notice);
          this.#notice = null;
          yield { sampleIndex, pcm: frame.pcm, isSilent: frame.isSilent };
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
    const look = ++this.#looks;
    const counts = () => !(this.#closing.signal.aborted || this.#isReopening) && look === this.#looks;
    if (this.#isNamed) {
      const isThere = await this.#isWantedThere();
      if (!counts()) return;
      // Whoever reads the frames goes on with the other device.
      if (isThere !== null && isThere === this.#onFallback) return await this.#current.close();
      if (!this.#onFallback) return;
    }
    const now = await this.#defaultNow();
    if (counts() && now) await this.#follow(now);
  }

  /** @param now the device that is the default */
  async #follow(now: SttDevice): Promise<void> {
    if (!this.#default || now.id === this.#default.id) return;
    if (!this.#options.devices?.defaultMoves) return await this.#current.close();
    this.#default = now;
    const isFallback = this.#onFallback;
    this.onNotice({
      message: nowWith(now.name),
      deviceId: now.id,
      deviceName: now.name,
      isFallback,
      goesOn: true,
    });
  }

  async #defaultNow(): Promise<SttDevice | null> {
    return (await this.#options.devices?.default().catch(() => null)) ?? null;
  }

  /** @returns what was opened; the default by the name of the device that it is */
  async #opened(source: AudioSource, signal: AbortSignal, isChosen = false): Promise<OpenedSource> {
    const [opened, device] = await Promise.all([source.open(signal), isChosen ? null : this.#defaultNow()]);
    this.#default = device;
    return { ...opened, deviceName: device?.name || opened.deviceName };
  }

  /** Null when nobody can tell. */
  async #isWantedThere(): Promise<boolean | null> {
    const devices = (await this.#options.devices?.list().catch(() => [])) ?? [];
    if (devices.length === 0) return null;
    return devices.some(({ id }) => id === this.#device.deviceId);
  }

  /** @returns false when the source was closed meanwhile @throws the failure when nothing can be opened any more */
  async #reopen(failure: unknown): Promise<boolean> {
    const { clock } = this.#options;
    const { signal } = this.#closing;
    this.#isReopening = true;
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
    const before = this.#default;
    let opened: OpenedSource;
    try {
      const limit = AbortSignal.any([signal, AbortSignal.timeout(openTimeoutMs)]);
      opened = await this.#opened(source, limit, this.#isNamed && !isFallback);
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
    const { deviceId, deviceName } = opened;
    const tell = (message: string) => ({ message, deviceId, deviceName, isFallback });
    this.#notice = null;
    const now = this.#default;
    if (before && now && now.id !== before.id) this.onNotice(tell(nowWith(now.name)));
    else if (isFallback || wasFallback) this.onNotice(tell(noticeText(isFallback, wasFallback, deviceName)));
    else this.#notice = tell(noticeText(isFallback, wasFallback, deviceName));
    // What came or went while it was opened would be missed otherwise.
    this.#isReopening = false;
    void this.#look();
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

const nowWith = (name: string) => `Now listening with ${name}.`;

function noticeText(isFallback: boolean, wasFallback: boolean, name: string | null): string {
  const named = name ? ` (${name})` : "";
  if (isFallback) {
    return `The chosen microphone is gone. Listening to the default one${named} until it is back.`;
  }
  if (wasFallback) return `The chosen microphone is back${named}. Listening to it again.`;
  return `The sound broke off and is back${named}.`;
}
