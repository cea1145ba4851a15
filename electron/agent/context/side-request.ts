import type { Effort } from "../../../shared/conversation/effort.ts";
import type { Provider } from "../ports/ports.ts";

/** For what is asked beside the conversation: the quick model of whoever the provider is; the given one where it has none. */
export function quickModel(provider: Provider, otherwise: string): string {
  return provider.resolveModel(quick) === quick ? otherwise : quick;
}

/** For what wants a few words soon: no thinking, where the model can surely do without. */
export function leastEffort(provider: Provider, model: string): Effort {
  const { taken, isGuess = false } = provider.efforts(model);
  return taken.includes("off") && !isGuess ? "off" : "default";
}

const quick = "haiku";
