import { grouped } from "../../../shared/grouped.ts";
import type { Settings } from "../../../shared/settings.ts";
import { tokensOfAll } from "../../agent/context/token-estimate.ts";
import { priceOf } from "../../agent/loop/budget.ts";
import type { Provider } from "../../agent/ports/ports.ts";
import type { ModelQuestion, ServerModel } from "../../mcp/asking/asking.ts";

interface ServerModelOptions {
  settings(): Settings;
  /** @throws ModelError where the chosen one cannot be had */
  newProvider(settings: Settings): Provider | Promise<Provider>;
}

/** The settings' model, for what MCP servers ask of it. */
export function createServerModel({ settings, newProvider }: ServerModelOptions): ServerModel {
  return {
    async complete(question, signal) {
      const current = settings();
      const provider = await newProvider(current);
      const { model, temperature } = current;
      return await provider.complete({ ...question, model, temperature, tools: [] }, signal);
    },
    async costOf(question) {
      const current = settings();
      return costText(question, current, await newProvider(current));
    },
  };
}

/** An upper bound, but for the count of what is sent, which is an estimate. */
function costText({ system, messages, maxTokens }: ModelQuestion, settings: Settings, provider: Provider) {
  const model = provider.resolveModel(settings.model);
  const sent = tokensOfAll([{ content: [{ type: "text", text: system }] }, ...messages]);
  const back = Math.min(maxTokens, provider.modelFacts(model).maxOutputTokens);
  const price = priceOf(model, settings, provider);
  const usd = price && (sent * price.input + back * price.output) / 1_000_000;
  const tokens = `about ${grouped(sent)} tokens sent, at most ${grouped(back)} back`;
  return `${model} is asked: ${tokens}. That costs you ${dollars(usd)}.`;
}

function dollars(usd: number | undefined): string {
  if (usd === undefined) return "what its maker takes: the price is not known here";
  if (usd === 0) return "nothing";
  return usd < 0.01 ? "less than $0.01" : `at most about $${usd.toFixed(2)}`;
}
