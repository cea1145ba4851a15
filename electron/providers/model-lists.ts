import { createHash } from "node:crypto";
import type { Settings } from "../../shared/settings.ts";
import type { Clock, ListedModel, Provider } from "../agent/ports/ports.ts";

export interface ModelListsOptions {
  clock: Clock;
  /** @throws ModelError where the chosen one cannot be had */
  newProvider(settings: Settings): Provider;
  /** What decides whose list it is: addresses and keys. */
  account(settings: Settings): unknown;
}

/** How long a list counts. */
const freshMs = 5 * 60_000;
/** A list is looked at while it comes: nobody waits longer for it. */
const mostMs = 15_000;

/** The models that providers offer: asked only when somebody wants to see them, and kept for some minutes. */
export class ModelLists {
  readonly #options: ModelListsOptions;
  /** By account. */
  readonly #known = new Map<string, { at: number; models: ListedModel[] | null }>();

  constructor(options: ModelListsOptions) {
    this.#options = options;
  }

  /**
   * @returns those that can answer, in the provider's order; null where it has no list
   * @throws ModelError where it cannot be asked; the signal's reason when aborted
   */
  async of(settings: Settings, signal: AbortSignal): Promise<ListedModel[] | null> {
    const { clock, newProvider } = this.#options;
    const account = hashOf(this.#options.account(settings));
    const known = this.#known.get(account);
    if (known && clock.now() - known.at < freshMs) return known.models;
    const provider = newProvider(settings);
    const listed = await provider.listModels(AbortSignal.any([signal, AbortSignal.timeout(mostMs)]));
    const models = listed?.filter(({ id }) => answersPrompts(id)) ?? null;
    for (const [other, { at }] of this.#known) if (clock.now() - at >= freshMs) this.#known.delete(other);
    this.#known.set(account, { at: clock.now(), models });
    return models;
  }
}

/** It may hold keys, which need not be kept twice. */
const hashOf = (account: unknown) => createHash("sha256").update(JSON.stringify(account)).digest("hex");

/** The lists name models for sound, pictures, search and the like, too. */
const answersPrompts = (id: string) =>
  !otherUse.test(id) && !otherUseAsWord.test(id) && !completesOnly.test(id);

const otherUse =
  /embed|whisper|dall-e|image|audio|realtime|transcri|moderation|computer-use|deep-research|imagen|robotics/i;
/** So short that other names have them inside. */
const otherUseAsWord = /(?<![a-z])(?:tts|sora|veo|aqa|live|search)(?![a-z])/i;
/** Elsewhere `instruct` is what a model that chats is called. */
const completesOnly = /^gpt-3\.5.*instruct/i;
