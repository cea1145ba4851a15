import type { Settings } from "../../../shared/settings.ts";
import type { OfferKind, SpeechOffer, SpeechOffers } from "../../../shared/voice/speech-offer.ts";
import type { Clock } from "../../agent/ports/ports.ts";
import type { SttClient } from "../stt/stt-client.ts";
import {
  betterRecogniser,
  betterVoice,
  codeOf,
  type DownloadedModel,
  type RecommendedModel,
  type SpeechModels,
} from "./recommended.ts";

export interface OfferedSpeechOptions {
  models: SpeechModels;
  /** Parley's own speech server, which downloads. */
  server(): Promise<Pick<SttClient, "downloadModel" | "pauseDownload" | "listModels">>;
  settings(): Settings;
  changeSettings(values: Partial<Settings>): void;
  clock: Clock;
  /** Something else is offered, or a download went on. */
  onChange(): void;
  /** What was downloaded is used from now on. */
  onUsed(kind: OfferKind): void;
}

/** While a model is being downloaded its progress is asked for so often, in milliseconds. */
const progressMs = 700;

/** What one click downloads. */
interface Accepted {
  model: RecommendedModel;
  also: DownloadedModel[];
}

/** Settings whose change says that the user wants something else. */
const choices = ["voice.server", "voice.model", "voice.language", "voice.voice", "voice.declined"] as const;

const sum = (sizes: readonly (number | null)[]) =>
  sizes.reduce<number | null>((all, bytes) => (all === null || bytes === null ? null : all + bytes), 0);

const hears = (models: SpeechModels, code: string): SpeechOffer["until"] => {
  if (!models.isHeard(code)) return "nothing";
  return code === "en" ? "basic" : "small";
};

/** Offers what hears and speaks better than what comes along; a click downloads it, and then it is used at once. */
export class OfferedSpeech {
  readonly #options: OfferedSpeechOptions;
  readonly #states = new Map<OfferKind, SpeechOffer["state"]>();
  /** What is being downloaded: once a part of it is there, something else may be better. */
  readonly #accepted = new Map<OfferKind, Accepted>();
  #hasSpoken = false;

  constructor(options: OfferedSpeechOptions) {
    this.#options = options;
  }

  /** A reply is being said aloud: from now on a better voice is worth a line. */
  tellSpoken(): void {
    if (this.#hasSpoken) return;
    this.#hasSpoken = true;
    this.#options.onChange();
  }

  get isDownloading(): boolean {
    return [...this.#states.values()].some((state) => state?.kind === "downloading");
  }

  shown(): SpeechOffers {
    return { recogniser: this.#shown("recogniser"), voice: this.#hasSpoken ? this.#shown("voice") : null };
  }

  /** Downloads what is offered, or goes on with it, and uses it. Resolves when that is over, however it ended. */
  async accept(kind: OfferKind): Promise<void> {
    const accepted = this.#offered(kind);
    if (!accepted || this.#states.get(kind)?.kind === "downloading") return;
    this.#accepted.set(kind, accepted);
    this.#tell(kind, { kind: "downloading", doneBytes: 0 });
    const chosen = this.#chosen;
    try {
      const isThere = await this.#downloadAll(kind, accepted);
      this.#accepted.delete(kind);
      this.#tell(kind, null);
      // The user may have chosen something else meanwhile.
      if (isThere && this.#chosen === chosen) {
        this.#use(kind, accepted.model);
        this.#options.onUsed(kind);
      }
    } catch (error) {
      this.#accepted.delete(kind);
      this.#tell(kind, { kind: "failed", message: error instanceof Error ? error.message : String(error) });
    }
  }

  /** Ends the download; what has arrived is kept for the next time. */
  async pause(kind: OfferKind): Promise<void> {
    const accepted = this.#offered(kind);
    if (!accepted) return;
    const server = await this.#options.server();
    for (const { id } of [accepted.model, ...accepted.also]) await server.pauseDownload(id);
  }

  /** It is not offered again. */
  async decline(kind: OfferKind): Promise<void> {
    if (this.#states.get(kind)?.kind === "downloading") await this.pause(kind);
    const { settings, changeSettings, onChange } = this.#options;
    this.#states.delete(kind);
    changeSettings({ "voice.declined": [...new Set([...settings()["voice.declined"], kind])] });
    onChange();
  }

  /** The model, then what comes along: without that it is used all the same. @returns see `#download` */
  async #downloadAll(kind: OfferKind, { model, also }: Accepted): Promise<boolean> {
    if (!(await this.#download(kind, model, 0))) return false;
    for (const one of also) {
      try {
        if (!(await this.#download(kind, one, model.bytes ?? 0))) return false;
      } catch (error) {
        console.error(`No ${one.name}:`, error);
      }
    }
    return true;
  }

  /**
   * @param before bytes of what was downloaded before
   * @returns whether it is on the disk; false where somebody ended the download @throws Error in words where it failed
   */
  async #download(kind: OfferKind, { id }: DownloadedModel, before: number): Promise<boolean> {
    const server = await this.#options.server();
    let model = await server.downloadModel(id);
    while (model.state === "downloading") {
      this.#tell(kind, { kind: "downloading", doneBytes: before + (model.done_bytes ?? 0) });
      await this.#options.clock.sleep(progressMs);
      const found = (await server.listModels()).find((one) => one.id === id);
      if (!found) throw new Error(`The speech server no longer knows ${id}.`);
      model = found;
    }
    if (model.state === "failed") throw new Error(model.message ?? "The download failed.");
    return model.state === "installed";
  }

  #use(kind: OfferKind, { id }: RecommendedModel): void {
    const { changeSettings } = this.#options;
    changeSettings(
      kind === "voice" ? { "voice.voice": `model:${id}`, "voice.speaker": 0 } : { "voice.model": id },
    );
  }

  /** What the user has chosen of all this. */
  get #chosen(): string {
    const settings = this.#options.settings();
    return JSON.stringify(choices.map((key) => settings[key]));
  }

  #offered(kind: OfferKind): Accepted | null {
    const accepted = this.#accepted.get(kind);
    if (accepted) return accepted;
    const { settings, models } = this.#options;
    const model = (kind === "voice" ? betterVoice : betterRecogniser)(settings(), models);
    if (!model) return null;
    const companion = kind === "voice" ? null : models.companion(codeOf(settings()));
    return { model, also: companion ? [companion] : [] };
  }

  #shown(kind: OfferKind): SpeechOffer | null {
    const offered = this.#offered(kind);
    if (!offered) return null;
    const { model, also } = offered;
    const { models, settings } = this.#options;
    const code = codeOf(settings());
    return {
      name: model.name,
      bytes: sum([model, ...also].map(({ bytes }) => bytes)),
      also: also.map(({ name, bytes }) => ({ name, bytes }))[0] ?? null,
      isTried: model.isTried,
      errors: kind === "recogniser" && code === "en" ? model.errors : null,
      until: kind === "voice" ? "basic" : hears(models, code),
      state: this.#states.get(kind) ?? { kind: "offered" },
    };
  }

  #tell(kind: OfferKind, state: SpeechOffer["state"] | null): void {
    if (state) this.#states.set(kind, state);
    else this.#states.delete(kind);
    this.#options.onChange();
  }
}
