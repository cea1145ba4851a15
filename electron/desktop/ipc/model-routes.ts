import type { Price } from "../../../shared/conversation/cost.ts";
import { settingsFor } from "../../../shared/conversation/model-choice.ts";
import { modelName } from "../../../shared/conversation/model-name.ts";
import type { ModelList, ModelRow, ModelState } from "../../../shared/ipc/model-routes.ts";
import type { Settings } from "../../../shared/settings.ts";
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
  price(id: string): Price | null;
  store: Pick<SessionStore, "recentModels">;
}

const maxRecent = 5;

/** What windows say about who answers in a conversation. */
export function modelRoutes(options: ModelRoutesOptions) {
  const { find, settings, changeSettings, describe } = options;
  let listing = new AbortController();

  const current = (conversationId: string) => settingsFor(settings(), find(conversationId).modelChoice);

  function state(conversationId: string): ModelState {
    const own = current(conversationId);
    const { provider, modelId, modelLabel, modelHost, takesImages, efforts } = describe(own);
    const { model, effort } = settings();
    return {
      provider,
      modelId,
      modelName: modelId === null ? modelLabel : modelName(modelLabel),
      ...(modelHost !== undefined && { modelHost }),
      takesImages,
      effort: own.effort,
      efforts,
      price: modelId === null ? null : options.price(modelId),
      isForNew: own.model === model && own.effort === effort,
    };
  }

  const rowOf = ({ id, name }: ListedModel): ModelRow => ({
    id,
    name: name ?? modelName(id),
    price: options.price(id),
  });

  async function list(conversationId: string | undefined): Promise<ModelList> {
    const { signal } = listing;
    const own = conversationId === undefined ? settings() : current(conversationId);
    let listed: ListedModel[] | null = null;
    let problem: ModelList["problem"] = null;
    try {
      listed = await options.list(own, signal);
    } catch (error) {
      if (!signal.aborted) problem = toUserError(error);
    }
    const aliases = options.aliases(own);
    const byAlias = aliases.map(({ alias, id }) => ({ ...rowOf({ id }), id: alias }));
    const models = listed && listed.length > 0 ? listed.map(rowOf) : byAlias;
    const isListed = (id: string) => [...models, ...byAlias].some((other) => other.id === id);
    const recent = options.store.recentModels(maxRecent).filter((id) => !isListed(id));
    const { modelId, modelLabel } = describe(own);
    const chosen = { ...rowOf({ id: own.model }), ...(modelId !== null && { name: modelName(modelLabel) }) };
    return { models, recent: recent.map((id) => rowOf({ id })), current: chosen, problem };
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
      const { model, effort } = current(conversationId);
      changeSettings({ model, effort });
    },
  } satisfies Partial<IpcHandlers>;
}
