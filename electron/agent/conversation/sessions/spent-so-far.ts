import { Budget, priceOf } from "../../loop/budget.ts";
import type { AgentParts } from "../../ports/agent-parts.ts";
import type { Provider } from "../../ports/ports.ts";

/** What a conversation has used, from the store: nothing of it has run in this process yet. @throws StoreError */
export async function spentSoFar(parts: AgentParts, conversationId: string): Promise<Budget> {
  const settings = parts.settings();
  const provider = await anyProvider(parts);
  return new Budget(parts.store.usageOf(conversationId), (model) =>
    provider ? priceOf(model, settings, provider) : settings.prices[model],
  );
}

/** Without one (no key, no network) the prices of the settings still count. */
async function anyProvider({ createProvider, settings }: AgentParts): Promise<Provider | null> {
  try {
    return await createProvider(settings());
  } catch {
    return null;
  }
}
