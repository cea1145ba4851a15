import type { Settings } from "../../shared/settings.ts";
import { type Clock, ModelError, type Provider } from "../agent/ports.ts";
import { AnthropicProvider, type Credential } from "./anthropic.ts";
import { modelFacts, resolveModel } from "./models.ts";
import { OfflineProvider } from "./offline.ts";

export interface ProviderParts {
  clock: Clock;
  /** A new unique id. */
  newId(): string;
  /** The environment variables: keys, and the base URL. */
  env: Readonly<Record<string, string | undefined>>;
  /** 0 ≤ n < 1. */
  random?(): number;
  fetch?: typeof fetch;
}

/**
 * The provider that the settings ask for; `auto` takes Anthropic where a key is there, else the offline assistant.
 * @throws ModelError `auth` when Anthropic is chosen and no key is there
 */
export function createProvider(settings: Settings, parts: ProviderParts): Provider {
  const { clock, newId, env, random = Math.random, fetch } = parts;
  const credential = credentialOf(env);
  if (chosenProvider(settings, env) === "offline") return new OfflineProvider({ clock, newId });
  if (!credential) {
    throw new ModelError(
      "auth",
      "There is no key for Anthropic.",
      "Set ANTHROPIC_API_KEY in the environment or in a .env file, or set `provider` to auto or offline.",
    );
  }
  const baseUrl = settings.anthropicBaseUrl ?? (env.ANTHROPIC_BASE_URL?.trim() || undefined);
  if (baseUrl && !URL.canParse(baseUrl)) {
    const message = `"${baseUrl}" is not a web address.`;
    throw new ModelError("invalid_request", message, "Correct ANTHROPIC_BASE_URL: https://… is wanted.");
  }
  return new AnthropicProvider({
    credential,
    baseUrl,
    retry: { max: settings.retryMax, baseMs: settings.retryBaseMs, capMs: settings.retryCapMs },
    limits: { requestTimeoutMs: settings.requestTimeoutMs, streamIdleMs: settings.streamIdleMs },
    facts: (id) => modelFacts(id, settings),
    clock,
    random,
    ...(fetch && { fetch }),
  });
}

/** What the window's header says: which provider, and the model's id or that there is none. */
export function describeProvider(
  settings: Settings,
  env: ProviderParts["env"],
): { provider: string; modelLabel: string } {
  const provider = chosenProvider(settings, env);
  const modelLabel = provider === "offline" ? "Offline assistant" : resolveModel(settings.model, "anthropic");
  return { provider, modelLabel };
}

function chosenProvider(settings: Settings, env: ProviderParts["env"]): "anthropic" | "offline" {
  if (settings.provider === "anthropic" || settings.provider === "offline") return settings.provider;
  return credentialOf(env) ? "anthropic" : "offline";
}

/** An OAuth access token wins over a key. Blank counts as not set. */
function credentialOf(env: ProviderParts["env"]): Credential | null {
  for (const [name, kind] of credentialNames) {
    const value = env[name]?.trim();
    if (value) return { kind, value, name };
  }
  return null;
}

const credentialNames = [
  ["ANTHROPIC_AUTH_TOKEN", "authToken"],
  ["ANTHROPIC_API_KEY", "apiKey"],
] as const;
