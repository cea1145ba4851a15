import type { Settings } from "../../shared/settings.ts";
import { type Clock, ModelError, type Provider } from "../agent/ports.ts";
import { AnthropicProvider } from "./anthropic.ts";
import { type Credential, credentialsIn } from "./credentials.ts";
import { GeminiProvider } from "./gemini.ts";
import { type LocalServer, localModel, localServerId } from "./local-server.ts";
import { acceptsImages, modelFacts, resolveModel } from "./models.ts";
import { OfflineProvider } from "./offline.ts";
import { OpenAIProvider, openaiAddress } from "./openai.ts";

const none = () => null;

type Variables = Readonly<Record<string, string | undefined>>;

export interface ProviderParts {
  clock: Clock;
  /** A new unique id. */
  newId(): string;
  /** The environment variables: keys, and base URLs. */
  env: Variables;
  /**
   * The model server on this computer, as far as it is known; nothing is waited for. Asked only where the choice
   * depends on it: asking may make it look again.
   */
  localServer?(): LocalServer | null;
  /** 0 ≤ n < 1. */
  random?(): number;
  fetch?: typeof fetch;
}

/**
 * The provider that the settings ask for; `auto` takes the first of Anthropic, OpenAI and Gemini that there is a key
 * for, else an OpenAI-compatible address that is set, else a server on this computer that the user agreed to, else the offline
 * assistant.
 * @throws ModelError `auth` when a provider is chosen that there is no key for, `invalid_request` for a broken address
 */
export function createProvider(settings: Settings, parts: ProviderParts): Provider {
  const { clock, newId, random = Math.random, fetch } = parts;
  const common = {
    retry: { max: settings.retryMax, baseMs: settings.retryBaseMs, capMs: settings.retryCapMs },
    limits: { requestTimeoutMs: settings.requestTimeoutMs, streamIdleMs: settings.streamIdleMs },
    facts: (id: string) => modelFacts(id, settings),
    clock,
    newId,
    random,
    ...(fetch && { fetch }),
  };
  const choice = choose(settings, parts.env, parts.localServer ?? none);
  switch (choice.kind) {
    case "anthropic": {
      const { credential, baseUrl } = choice;
      return new AnthropicProvider({ ...common, credential, baseUrl });
    }
    case "openai": {
      const { credential: key, baseUrl } = choice;
      const modelHint = "the full id of a model that this server has";
      const resolve = (name: string) => resolveModel(name, "openai");
      return new OpenAIProvider({ ...common, id: "openai", key, baseUrl, modelHint, resolveModel: resolve });
    }
    case "local":
      return localProvider(choice.server, common);
    case "gemini": {
      const { credential: key, baseUrl } = choice;
      return new GeminiProvider({ ...common, key, baseUrl });
    }
    case "offline":
      return new OfflineProvider({ clock, newId });
    case "missing":
      throw new ModelError(
        "auth",
        `There is no key for ${choice.name}.`,
        `Type /key set ${settings.provider}, or set ${choice.variable} in the environment or in a .env file, or set \`provider\` to auto or offline.${choice.more ?? ""}`,
      );
  }
}

type Common = Omit<
  ConstructorParameters<typeof OpenAIProvider>[0],
  "id" | "key" | "baseUrl" | "modelHint" | "resolveModel"
>;

function localProvider(server: LocalServer, common: Common): Provider {
  return new OpenAIProvider({
    ...common,
    id: "local",
    key: undefined,
    baseUrl: server.baseUrl,
    modelHint: `one of ${server.models.slice(0, 5).join(", ")}`,
    resolveModel: (name) => localModel(server, name),
    // Whatever it is called, it runs here.
    facts: (id) => ({ ...common.facts(id), price: { input: 0, output: 0, cacheRead: 0, cacheWrite: 0 } }),
  });
}

/**
 * What the window's header says: which provider, and the model's id or that there is none; and whether it takes images,
 * as far as is known. Waits for nothing.
 */
export function describeProvider(
  settings: Settings,
  env: Variables,
  localServer: () => LocalServer | null = none,
): { provider: string; modelLabel: string; takesImages: boolean } {
  const choice = chooseOrNull(settings, env, localServer);
  switch (choice?.kind) {
    case "anthropic":
    case "openai":
    case "gemini":
      return described(choice.kind, resolveModel(settings.model, choice.kind));
    case "local": {
      const { server } = choice;
      const model = localModel(server, settings.model);
      return { ...described("local", model), modelLabel: `${model} (${server.name})` };
    }
    case "offline":
      return { provider: "offline", modelLabel: "Offline assistant", takesImages: false };
    case "missing":
      return described(settings.provider, `No key for ${choice.name}`);
    default:
      return described(settings.provider, "Address is broken");
  }
}

/** A server on this computer that would answer if the user agreed to it; null where something else answers, or none is there. */
export function offeredServer(
  settings: Settings,
  env: Variables,
  localServer: () => LocalServer | null,
): LocalServer | null {
  if (settings.provider !== "auto") return null;
  return chooseOrNull(settings, env, localServer)?.kind === "offline" ? localServer() : null;
}

const described = (provider: string, model: string) => ({
  provider,
  modelLabel: model,
  takesImages: acceptsImages(model),
});

type Choice =
  | { kind: "anthropic"; credential: Credential; baseUrl: string | undefined }
  | { kind: "openai"; credential: Credential | undefined; baseUrl: string }
  | { kind: "gemini"; credential: Credential; baseUrl: string | undefined }
  | { kind: "local"; server: LocalServer }
  | { kind: "offline" }
  | { kind: "missing"; name: string; variable: string; more?: string };

function chooseOrNull(...given: Parameters<typeof choose>): Choice | null {
  try {
    return choose(...given);
  } catch {
    return null;
  }
}

function choose(settings: Settings, env: Variables, localServer: () => LocalServer | null): Choice {
  const { anthropic, openai, gemini } = credentialsIn(env);
  const claude = (credential: Credential): Choice => ({
    kind: "anthropic",
    credential,
    baseUrl: settings.anthropicBaseUrl ?? addressIn(env, "ANTHROPIC_BASE_URL"),
  });
  const ownAddress = settings.openaiBaseUrl ?? addressIn(env, "OPENAI_BASE_URL");
  const chat = (): Choice => {
    // The address of the server that was found: then its models are known.
    const server = !openai && ownAddress ? localServer() : null;
    if (server && ownAddress && isSame(ownAddress, server.baseUrl)) return { kind: "local", server };
    return { kind: "openai", credential: openai, baseUrl: ownAddress ?? openaiAddress };
  };
  const google = (credential: Credential): Choice => ({
    kind: "gemini",
    credential,
    baseUrl: addressIn(env, "GEMINI_BASE_URL"),
  });
  switch (settings.provider) {
    case "anthropic":
      return anthropic
        ? claude(anthropic)
        : { kind: "missing", name: "Anthropic", variable: "ANTHROPIC_API_KEY" };
    case "openai":
      // A server of one's own may want no key.
      if (openai || ownAddress) return chat();
      return {
        kind: "missing",
        name: "OpenAI",
        variable: "OPENAI_API_KEY",
        more: " A server that wants no key needs `openaiBaseUrl`.",
      };
    case "gemini":
      return gemini ? google(gemini) : { kind: "missing", name: "Gemini", variable: "GEMINI_API_KEY" };
    case "offline":
      return { kind: "offline" };
    default: {
      if (anthropic) return claude(anthropic);
      if (openai) return chat();
      if (gemini) return google(gemini);
      if (ownAddress) return chat();
      const server = localServer();
      const isAgreed = server && settings.localModelServers.includes(localServerId(server));
      return isAgreed ? { kind: "local", server } : { kind: "offline" };
    }
  }
}

const isSame = (one: string, other: string) => one.replace(/\/+$/, "") === other.replace(/\/+$/, "");

/** @throws ModelError */
function addressIn(env: Variables, name: string): string | undefined {
  const address = env[name]?.trim() || undefined;
  if (address === undefined || (/^https?:\/\//i.test(address) && URL.canParse(address))) return address;
  const message = `"${address}" is not a web address.`;
  throw new ModelError("invalid_request", message, `Correct ${name}: https://… is wanted.`);
}
