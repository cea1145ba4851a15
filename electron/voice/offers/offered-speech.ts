import type { Settings } from "../../../shared/settings.ts";
import type { OfferKind, SpeechOffer, SpeechOffers } from "../../../shared/voice/speech-offer.ts";
import type { Clock } from "../../agent/ports/ports.ts";
import type { SttClient } from "../stt/stt-client.ts";
import {
  betterRecogniser,
  betterVoice,
  codeOf,
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
}

/** While a model is being downloaded its progress is asked for so often, in milliseconds. */
const progressMs = 700;

/** Offers what hears and speaks better than what comes along; a click downloads it, and then it is used at once. */
export class OfferedSpeech {
  readonly #options: OfferedSpeechOptions;
  readonly #states = new Map<OfferKind, SpeechOffer["state"]>();
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

  shown(): SpeechOffers {
    return { recogniser: this.#shown("recogniser"), voice: this.#hasSpoken ? this.#shown("voice") : null };
  }

  /** Downloads what is offered, or goes on with it, and uses it. Resolves when that is over, however it ended. */
  async accept(kind: OfferKind): Promise<void> {
    const model = this.#better(kind);
    if (!model || this.#states.get(kind)?.kind === "downloading") return;
    this.#tell(kind, { kind: "downloading", doneBytes: 0 });
    try {
      const isThere = await this.#download(kind, model);
      this.#tell(kind, null);
      // The user may have chosen something else meanwhile.
      if (isThere && this.#better(kind)?.id === model.id) this.#use(kind, model);
    } catch (error) {
      this.#tell(kind, { kind: "failed", message: error instanceof Error ? error.message : String(error) });
    }
  }

  /** Ends the download; what has arrived is kept for the next time. */
  async pause(kind: OfferKind): Promise<void> {
    const model = this.#better(kind);
    if (model) await (await this.#options.server()).pauseDownload(model.id);
  }

  /** It is not offered again. */
  async decline(kind: OfferKind): Promise<void> {
    if (this.#states.get(kind)?.kind === "downloading") await this.pause(kind);
    const { settings, changeSettings, onChange } = this.#options;
    this.#states.delete(kind);
    changeSettings({ "voice.declined": [...new Set([...settings()["voice.declined"], kind])] });
    onChange();
  }

  /** @returns whether it is on the disk; false where somebody ended the download @throws Error in words where it failed */
  async #download(kind: OfferKind, { id }: RecommendedModel): Promise<boolean> {
    const server = await this.#options.server();
    let model = await server.downloadModel(id);
    while (model.state === "downloading") {
      this.#tell(kind, { kind: "downloading", doneBytes: model.done_bytes ?? 0 });
      await this.#options.clock.sleep(progressMs);
      const found = (await server.listModels()).find((one) => one.id === id);
      if (!found) throw new Error(`The speech server does not know ${id} any more.`);
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

  #better(kind: OfferKind): RecommendedModel | null {
    const { settings, models } = this.#options;
    return (kind === "voice" ? betterVoice : betterRecogniser)(settings(), models);
  }

  #shown(kind: OfferKind): SpeechOffer | null {
    const model = this.#better(kind);
    if (!model) return null;
    const { models, settings } = this.#options;
    const isBasic = kind === "voice" || (models.hasBasic && codeOf(settings()) === "en");
    return {
      name: model.name,
      bytes: model.bytes,
      isTried: model.isTried,
      until: isBasic ? "basic" : "nothing",
      state: this.#states.get(kind) ?? { kind: "offered" },
    };
  }

  #tell(kind: OfferKind, state: SpeechOffer["state"] | null): void {
    if (state) this.#states.set(kind, state);
    else this.#states.delete(kind);
    this.#options.onChange();
  }
}
