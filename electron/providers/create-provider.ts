import type { Settings } from "../../shared/settings.ts";
import { type Clock, ModelError, type Provider } from "../agent/ports/ports.ts";
import { AnthropicProvider } from "./anthropic/anthropic.ts";
import { type Credential, type Credentials, credentialsIn } from "./credentials.ts";
import { GeminiProvider } from "./gemini/gemini.ts";
import { type LocalServer, localModel, localServerId } from "./local-server.ts";
import { acceptsImages, modelFacts, resolveModel } from "./models.ts";
import { OfflineProvider } from "./offline/offline.ts";
import { OpenAIProvider, openaiAddress } from "./openai/openai.ts";
import { localProfile, openaiProfile } from "./profiles.ts";

const none = () => null;

type Variables = Readonly<Record<string, string | undefined>>;

export interface ProviderParts {
  clock: Clock;
  /** A new unique id. */
  newId(): string;
  /** The user's own variables: keys, and base URLs. */
  env: Variables;
  /** Keys from a folder's `.env`, where the user trusts it. None of them is sent to an address that the user set. */
  folderKeys?: Variables;
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
  const choice = choose(settings, parts.env, parts.localServer ?? none, parts.folderKeys ?? {});
  switch (choice.kind) {
    case "anthropic": {
      const { credential, baseUrl } = choice;
      return new AnthropicProvider({ ...common, credential, baseUrl });
    }
    case "openai": {
      const { credential: key, baseUrl } = choice;
      const modelHint = "the full id of a model that this server has";
      const resolve = (name: string) => resolveModel(name, "openai");
      const profile = isOpenAIs(baseUrl, resolve(settings.model)) ? openaiProfile : localProfile;
      const server = { id: "openai", profile, key, baseUrl, modelHint, resolveModel: resolve };
      return new OpenAIProvider({ ...common, ...server });
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
  "id" | "profile" | "key" | "baseUrl" | "modelHint" | "resolveModel"
>;

function localProvider(server: LocalServer, common: Common): Provider {
  return new OpenAIProvider({
    ...common,
    id: "local",
    profile: localProfile,
    key: undefined,
    baseUrl: server.baseUrl,
    modelHint: `one of ${server.models.slice(0, 5).join(", ")}`,
    resolveModel: (name) => localModel(server, name),
    // Whatever it is called, it runs here.
    facts: (id) => ({ ...common.facts(id), price: { input: 0, output: 0, cacheRead: 0, cacheWrite: 0 } }),
  });
}

export interface ProviderDescription {
  provider: string;
  /** The model's id, or that there is none. */
  modelLabel: string;
  takesImages: boolean;
  /** Where prompts go, where that is not the provider's own. */
  modelHost?: string;
}

/** What the window's header says, as far as is known. Waits for nothing. */
export function describeProvider(
  settings: Settings,
  env: Variables,
  localServer: () => LocalServer | null = none,
  folderKeys: Variables = {},
): ProviderDescription {
  const choice = chooseOrNull(settings, env, localServer, folderKeys);
  switch (choice?.kind) {
    case "anthropic":
    case "openai":
    case "gemini": {
      const { kind, baseUrl } = choice;
      const label = described(kind, resolveModel(settings.model, kind));
      const host = baseUrl === undefined ? ownHosts[kind] : new URL(baseUrl).host;
      return host === ownHosts[kind] ? label : { ...label, modelHost: host };
    }
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
  folderKeys: Variables = {},
): LocalServer | null {
  if (settings.provider !== "auto") return null;
  return chooseOrNull(settings, env, localServer, folderKeys)?.kind === "offline" ? localServer() : null;
}

const ownHosts = {
  anthropic: "api.anthropic.com",
  openai: new URL(openaiAddress).host,
  gemini: "generativelanguage.googleapis.com",
} as const;

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

function choose(
  settings: Settings,
  env: Variables,
  localServer: () => LocalServer | null,
  folderKeys: Variables,
): Choice {
  const own = credentialsIn(env);
  const ofFolder = credentialsIn(folderKeys);
  const account = (maker: keyof Credentials, address: string | undefined): Credential | undefined =>
    address === undefined ? (ofFolder[maker] ?? own[maker]) : own[maker];
  const has = (maker: keyof Credentials) => Boolean(own[maker] ?? ofFolder[maker]);
  const claude = (): Choice => {
    const baseUrl = settings.anthropicBaseUrl
      ? checked(settings.anthropicBaseUrl, "anthropicBaseUrl")
      : addressIn(env, "ANTHROPIC_BASE_URL");
    const credential = account("anthropic", baseUrl);
    const missing = { kind: "missing", name: "Anthropic", variable: "ANTHROPIC_API_KEY" } as const;
    return credential ? { kind: "anthropic", credential, baseUrl } : withFolder(missing, has("anthropic"));
  };
  const google = (): Choice => {
    const baseUrl = addressIn(env, "GEMINI_BASE_URL");
    const credential = account("gemini", baseUrl);
    const missing = { kind: "missing", name: "Gemini", variable: "GEMINI_API_KEY" } as const;
    return credential ? { kind: "gemini", credential, baseUrl } : withFolder(missing, has("gemini"));
  };
  const chatAddress = () =>
    settings.openaiBaseUrl
      ? checked(settings.openaiBaseUrl, "openaiBaseUrl")
      : addressIn(env, "OPENAI_BASE_URL");
  const chat = (address = chatAddress()): Choice => {
    const credential = account("openai", address);
    // The address of the server that was found: then its models are known.
    const server = !credential && address ? localServer() : null;
    if (server && address && isSame(address, server.baseUrl)) return { kind: "local", server };
    return { kind: "openai", credential, baseUrl: address ?? openaiAddress };
  };
  switch (settings.provider) {
    case "anthropic":
      return claude();
    case "openai":
      // A server of one's own may want no key.
      if (has("openai") || chatAddress()) return chat();
      return {
        kind: "missing",
        name: "OpenAI",
        variable: "OPENAI_API_KEY",
        more: " A server that wants no key needs `openaiBaseUrl`.",
      };
    case "gemini":
      return google();
    case "offline":
      return { kind: "offline" };
    default: {
      if (has("anthropic")) return claude();
      if (has("openai")) return chat();
      if (has("gemini")) return google();
      if (chatAddress()) return chat();
      const server = localServer();
      const isAgreed = server && settings.localModelServers.includes(localServerId(server));
      return isAgreed ? { kind: "local", server } : { kind: "offline" };
    }
  }
}

/** @param isInFolder there is a key, which must not go there */
const withFolder = (missing: Extract<Choice, { kind: "missing" }>, isInFolder: boolean): Choice =>
  isInFolder
    ? { ...missing, more: " The one in the working folder's `.env` is not sent to an address that you set." }
    : missing;

/** Other servers that speak like OpenAI's run many kinds of models, of which the name tells. */
const isOpenAIs = (address: string, model: string) =>
  address === openaiAddress ||
  /^(gpt-(?!oss|j|neo)|chatgpt|codex|o\d)/i.test(model.slice(model.lastIndexOf("/") + 1));

const isSame = (one: string, other: string) => one.replace(/\/+$/, "") === other.replace(/\/+$/, "");

/** @throws ModelError */
function addressIn(env: Variables, name: string): string | undefined {
  const address = env[name]?.trim() || undefined;
  return address === undefined ? undefined : checked(address, name);
}

/**
 * What is said, and the key, is for nobody on the way.
 * @param name where the address stands @throws ModelError for what is neither https nor on this computer
 */
function checked(address: string, name: string): string {
  const url = URL.canParse(address) ? new URL(address) : null;
  if (url?.protocol === "https:" || (url?.protocol === "http:" && isLoopback(url.hostname))) return address;
  if (url?.protocol === "http:") {
    const message = `"${address}" is not encrypted: on its way anybody can read what is said, and the key.`;
    throw new ModelError(
      "invalid_request",
      message,
      `Correct ${name}: https://… is wanted, or an address of this computer.`,
    );
  }
  const message = `"${address}" is not a web address.`;
  throw new ModelError("invalid_request", message, `Correct ${name}: https://… is wanted.`);
}

const isLoopback = (host: string) => /^(localhost|.+\.localhost|127(\.\d+){3}|\[::1\])$/i.test(host);
