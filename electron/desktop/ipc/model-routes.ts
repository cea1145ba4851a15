import type { Price } from "../../../shared/conversation/cost.ts";
import {
  type NamedProvider,
  namedModel,
  namedProviders,
  settingsFor,
  staysHere,
} from "../../../shared/conversation/model-choice.ts";
import { modelName } from "../../../shared/conversation/model-name.ts";
import type { ModelList, ModelRow, ModelState } from "../../../shared/ipc/model-routes.ts";
import { defaultSettings, type Settings } from "../../../shared/settings.ts";
import type { Conversation } from "../../agent/conversation/conversation.ts";
import { toUserError } from "../../agent/loop/user-error.ts";
import type { ListedModel } from "../../agent/ports/ports.ts";
import type { SessionStore } from "../../agent/ports/session-store.ts";
import type { ProviderDescription } from "../../providers/create-provider.ts";
import type { IpcHandlers } from "./ipc.ts";

export interface ModelRoutesOptions {
  find(conversationId: string): Pick<Conversation, "modelChoice" | "chooseModel">;
  settings(): Settings;
  changeSettings(values: Partial<Settings>): void;
  describe(settings: Settings): ProviderDescription;
  /** @throws ModelError */
  list(settings: Settings, signal: AbortSignal): Promise<ListedModel[] | null>;
  /** Names that stand for a model, and which that is now. */
  aliases(settings: Settings): readonly { alias: string; id: string }[];
  /** Of models by their full ids, where these settings have them asked. */
  prices(settings: Settings): (id: string) => Price | null;
  store: Pick<SessionStore, "recentModels">;
}

const maxRecent = 5;
/** How long the lists of those who do not answer are waited for, in milliseconds: their best-known models are named instead. */
const othersMs = 5000;

/** What windows say about who answers in a conversation. */
export function modelRoutes(options: ModelRoutesOptions) {
  const { find, settings, changeSettings, describe } = options;
  let listing = new AbortController();

  const current = (conversationId: string) => settingsFor(settings(), find(conversationId).modelChoice);

  function state(conversationId: string): ModelState {
    const own = current(conversationId);
    const { provider, modelId, modelLabel, modelHost, whyOffline, takesImages, efforts } = describe(own);
    const general = settings();
    const other = otherThan(provider);
    return {
      provider,
      modelId,
      modelName: modelId === null ? modelLabel : modelName(modelLabel),
      ...(modelHost !== undefined && { modelHost }),
      ...(whyOffline && { whyOffline }),
      takesImages,
      effort: own.effort,
      efforts,
      price: modelId === null ? null : options.prices(own)(modelId),
      isForNew:
        own.provider === general.provider && own.model === general.model && own.effort === general.effort,
      ...(other && { other }),
    };
  }

  /** Where a conversation chose another provider the settings' own model, else the first of a provider that there is a key for. */
  function otherThan(provider: string): ModelState["other"] {
    const general = settings();
    if (staysHere(general.provider)) return undefined;
    const all = namedProviders.map((one) => ({ ...general, provider: one, model: defaultSettings.model }));
    for (const one of [general, ...all]) {
      const { provider: whose, modelId, modelHost } = describe(one);
      if (modelId === null || whose === provider) continue;
      if (one === general) return { id: general.model, name: modelName(modelId) };
      // Which models there are at an address of the user's is not known.
      if (modelHost === undefined) return { id: `${whose}:${modelId}`, name: modelName(modelId) };
    }
    return undefined;
  }

  /** @param own asks this provider */
  function rowIn(own: Settings, provider: string): (listed: ListedModel) => ModelRow {
    const price = options.prices(own);
    return ({ id, name }) => ({ id, provider, name: name ?? modelName(id), price: price(id) });
  }

  function aliasRows(own: Settings, provider: string): ModelRow[] {
    const row = rowIn(own, provider);
    return options.aliases(own).map(({ alias, id }) => ({ ...row({ id }), id: alias }));
  }

  /** What others than the one that answers could answer with, where there is a key for them. */
  async function listOfOther(provider: NamedProvider, signal: AbortSignal): Promise<ModelRow[]> {
    const own: Settings = { ...settings(), provider };
    if (describe(own).modelId === null) return [];
    const limited = AbortSignal.any([signal, AbortSignal.timeout(othersMs)]);
    const listed = await options.list(own, limited).catch(() => null);
    return listed && listed.length > 0 ? listed.map(rowIn(own, provider)) : aliasRows(own, provider);
  }

  async function list(conversationId: string | undefined): Promise<ModelList> {
    const { signal } = listing;
    const own = conversationId === undefined ? settings() : current(conversationId);
    const { provider, modelId, modelLabel } = describe(own);
    // What the settings say goes for the provider that they say.
    const isAlone = conversationId === undefined || staysHere(settings().provider);
    const others = isAlone ? [] : namedProviders.filter((one) => one !== provider);
    const ofOthers = Promise.all(others.map((one) => listOfOther(one, signal)));
    let listed: ListedModel[] | null = null;
    let problem: ModelList["problem"] = null;
    try {
      listed = await options.list(own, signal);
    } catch (error) {
      if (!signal.aborted) problem = toUserError(error);
    }
    const general = describe(settings()).provider;
    /** With its provider, where another one answers by the settings. */
    const named = (row: ModelRow) =>
      row.provider === general ? row : { ...row, id: `${row.provider}:${row.id}` };
    const aliases = aliasRows(own, provider);
    const ownRows = listed && listed.length > 0 ? listed.map(rowIn(own, provider)) : aliases;
    const models = [...ownRows, ...(await ofOthers).flat()].map(named);
    const known = new Set([...models, ...aliases.map(named)].map(({ id }) => id));
    const recent = options.store.recentModels(maxRecent).flatMap((id) => {
      const { provider: whose, model } = namedModel(id);
      const counts = whose === null || !staysHere(general);
      if (known.has(id) || !counts) return [];
      const asked = whose === null ? settings() : { ...settings(), provider: whose };
      return [{ ...rowIn(asked, whose ?? general)({ id: model }), id }];
    });
    const chosen = {
      ...rowIn(own, provider)({ id: own.model }),
      ...(modelId !== null && { name: modelName(modelLabel) }),
    };
    return { models, recent, current: chosen, problem };
  }

  return {
    "model.state": ({ conversationId }) => state(conversationId),
    "model.list": ({ conversationId }) => list(conversationId),
    "model.stopList": () => {
      listing.abort();
      listing = new AbortController();
    },
    "model.choose": ({ conversationId, ...changes }) => find(conversationId).chooseModel(changes),
    "model.keep": ({ conversationId }) => {
      const { provider, model, effort } = current(conversationId);
      changeSettings({ provider, model, effort });
    },
  } satisfies Partial<IpcHandlers>;
}
