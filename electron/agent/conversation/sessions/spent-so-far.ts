import { Budget, priceOf } from "../../loop/budget.ts";
import type { AgentOptions } from "../../ports/agent-options.ts";
import type { Provider } from "../../ports/ports.ts";

/** What a conversation has used, from the store: nothing of it has run in this process yet. @throws StoreError */
export async function spentSoFar(options: AgentOptions, conversationId: string): Promise<Budget> {
  const settings = options.settings();
  const provider = await anyProvider(options);
  return new Budget(options.store.usageOf(conversationId), (model) =>
    provider ? priceOf(model, settings, provider) : settings.prices[model],
  );
}

/** Without one (no key, no network) the prices of the settings still count. */
export async function anyProvider(
  { createProvider, settings }: Pick<AgentOptions, "createProvider" | "settings">,
  current = settings(),
): Promise<Provider | null> {
  try {
    return await createProvider(current);
  } catch {
    return null;
  }
}
