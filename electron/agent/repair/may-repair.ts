import type { Settings } from "../../../shared/settings.ts";
import type { RepairOffer } from "../../../shared/voice/voice-snapshot.ts";
import { quickModel } from "../context/side-request.ts";
import { priceOf } from "../loop/budget.ts";
import type { Provider } from "../ports/ports.ts";
import { usualTokens } from "./repair-request.ts";

/** Whether a model repairs what was heard: one in the cloud only where the user said so. */
export function mayRepair(settings: Settings, provider: Provider): boolean {
  const choice = settings["voice.repair"];
  if (choice === "off" || provider.id === "offline") return false;
  return choice === "on" || isOnThisComputer(settings, provider);
}

/** Ollama passes such models on to its cloud. */
const passedOn = /[-:]cloud$/;

const isOnThisComputer = ({ model }: Settings, provider: Provider) =>
  provider.isLocal === true && !passedOn.test(provider.resolveModel(model));

/**
 * The provider's quick model; the one that is used anyway on this computer, where another would have to be loaded first, and
 * where nobody knows whether the server has the quick one.
 */
export function repairModel({ model }: Settings, provider: Provider): string {
  const isKnown = provider.modelFacts(model).price !== undefined;
  return provider.isLocal || !isKnown ? model : quickModel(provider, model);
}

/** For whoever decides about it. @param provider null: no model answers */
export function repairOffer(settings: Settings, provider: Provider | null): RepairOffer {
  if (!provider || provider.id === "offline") return { isOn: false, model: null, usualUsd: null };
  const model = provider.resolveModel(repairModel(settings, provider));
  return { isOn: mayRepair(settings, provider), model, usualUsd: usualPrice(settings, provider) };
}

/** What a usual repair costs, in US dollars; null: the price is not known. */
function usualPrice(settings: Settings, provider: Provider): number | null {
  if (isOnThisComputer(settings, provider)) return 0;
  const model = repairModel(settings, provider);
  const price = priceOf(provider.resolveModel(model), { ...settings, model }, provider);
  if (!price) return null;
  return (usualTokens.input * price.input + usualTokens.output * price.output) / 1_000_000;
}
