import type { EffortSupport } from "../../shared/conversation/effort.ts";
import type { WhyOffline } from "../../shared/ipc/model-routes.ts";
import { type KeyMaker, keyMaker, makerNames } from "../../shared/safety/key-test.ts";
import { keyNames, keyVariables } from "../../shared/safety/secrets.ts";
import type { Settings } from "../../shared/settings.ts";
import { type Clock, ModelError, type Provider } from "../agent/ports/ports.ts";
import { addressIn, checkedAddress, openaiAddress, ownHosts } from "./addresses.ts";
import { AnthropicProvider } from "./anthropic/anthropic.ts";
import { type Credential, type Credentials, credentialsIn } from "./credentials.ts";
import { effortsOf } from "./efforts.ts";
import { GeminiProvider } from "./gemini/gemini.ts";
import {
  isApart,
  type KeyApart,
  keyFor,
  type PlacedAddress,
  type PlacedVariables,
  placeOf,
  placeText,
} from "./key-places.ts";
import { type LocalServer, localModel, localServerId } from "./local-server.ts";
import { acceptsImages, aliasesOf, modelFacts, resolveModel, servedAt } from "./models.ts";
import { OfflineProvider } from "./offline/offline.ts";
import { chatServer } from "./openai/dialect.ts";
import { OpenAIProvider } from "./openai/openai.ts";
import { localProfile, openaiProfile } from "./profiles.ts";

const none = () => null;

type Variables = Readonly<Record<string, string | undefined>>;

export interface ProviderOptions {
  clock: Clock;
  /** A new unique id. */
  newId(): string;
  /** The user's own variables: keys, and base URLs. */
  env: Variables;
  /** Keys from a folder's `.env`, where the user trusts it. None of them is sent to an address that the user set. */
  folderKeys?: Variables;
  /** Variables whose key is kept, and cannot be opened now. */
  locked?: readonly string[];
  /** `env` by where each variable stands: a key is not sent to an address from elsewhere. Absent: all in one place. */
  places?: PlacedVariables;
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
 * assistant. `local` takes that server alone: what was meant to stay here is sent nowhere else.
 * @throws ModelError `no_key` when a provider is chosen that there is no key for, `network` where there is no such server, `auth` for one that may not be sent to its address,
 * `invalid_request` for a broken address
 */
export function createProvider(settings: Settings, options: ProviderOptions): Provider {
  const { clock, newId, random = Math.random, fetch } = options;
  const choice = choose(
    settings,
    options.env,
    options.localServer ?? none,
    options.folderKeys ?? {},
    options.places,
  );
  const server = serverOf(choice);
  const common = {
    retry: { max: settings.retryMax, baseMs: settings.retryBaseMs, capMs: settings.retryCapMs },
    limits: { requestTimeoutMs: settings.requestTimeoutMs, streamIdleMs: settings.streamIdleMs },
    facts: (id: string, served?: number) => modelFacts(id, settings, server, served),
    isWindowSet: settings.contextWindow !== undefined,
    clock,
    newId,
    random,
    ...(fetch && { fetch }),
  };
  switch (choice.kind) {
    case "anthropic": {
      const { credential, baseUrl } = choice;
      return new AnthropicProvider({ ...common, credential, baseUrl });
    }
    case "openai": {
      const { credential: key, baseUrl } = choice;
      const modelHint = "the full id of a model that this server has";
      // Others may not have OpenAI's quick model: it is asked for only where it was chosen.
      const isOwn = new URL(baseUrl).host === ownHosts.openai;
      const resolve = (name: string) =>
        isOwn || name !== "haiku" || settings.model === name ? resolveModel(name, "openai") : name;
      const profile = isOpenAIs(baseUrl, resolve(settings.model)) ? openaiProfile : localProfile;
      const own = { id: "openai", profile, key, baseUrl, modelHint, resolveModel: resolve };
      return new OpenAIProvider({ ...common, ...own });
    }
    case "local":
      return localProvider(choice.server, common);
    case "gemini": {
      const { credential: key, baseUrl } = choice;
      return new GeminiProvider({ ...common, key, baseUrl });
    }
    case "offline":
      return new OfflineProvider({ clock, newId, why: whyOffline(settings, options.locked) });
    case "apart":
      throw notSent(choice.apart, settings);
    case "unserved":
      throw new ModelError(
        "network",
        "No model server that you agreed to answers on this computer.",
        "Start it (for example with `ollama serve`) and send again, or set `provider` to auto.",
      );
    case "missing":
      if (isLocked(choice.maker, options.locked)) {
        throw new ModelError(
          "no_key",
          `The key for ${makerNames[choice.maker]} cannot be opened: the system's key store is locked, or differs from what sealed it.`,
          `Unlock it and start Parley again, or type /key set ${choice.maker} to enter the key once more.`,
          { keyVariable: keyNames[choice.maker] },
        );
      }
      throw new ModelError(
        "no_key",
        `There is no key for ${makerNames[choice.maker]}.`,
        `Type /key set ${choice.maker} to add one, or choose another model.${choice.more ?? ""}`,
        { keyVariable: keyNames[choice.maker] },
      );
  }
}

const isLocked = (maker: KeyMaker, locked: readonly string[] = []) =>
  keyVariables[maker].some((name) => locked.includes(name));

function whyOffline({ provider }: Settings, locked: readonly string[] = []): WhyOffline {
  if (provider === "offline") return "chosen";
  return keyMaker.options.some((maker) => isLocked(maker, locked)) ? "locked" : "no_key";
}

function notSent({ key, keyPlace, address, host }: KeyApart, { provider }: Settings): ModelError {
  const from = placeText[address.place];
  const both =
    address.place === "app"
      ? `type the key with /key set ${provider === "auto" ? key : provider}`
      : `set ${key} in ${from}, too`;
  return new ModelError(
    "auth",
    `The key ${key} of ${placeText[keyPlace]} is not sent to ${host}, because that address comes from somewhere else: ${address.name} in ${from}.`,
    `If it belongs there, agree in the notice above the conversation (it comes back after a restart), or ${both}. Otherwise remove ${address.name}.`,
  );
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
    facts: (id, served) => ({
      ...common.facts(id, served),
      price: { input: 0, output: 0, cacheRead: 0, cacheWrite: 0 },
    }),
  });
}

export interface ProviderDescription {
  provider: string;
  /** The model's id, or that there is none. */
  modelLabel: string;
  takesImages: boolean;
  /** Full id; null: no model answers. */
  modelId: string | null;
  efforts: EffortSupport;
  /** Where prompts go, where that is not the provider's own. */
  modelHost?: string;
  whyOffline?: WhyOffline;
  /** Whose prices count, by its name in the catalogue; absent: nobody's that are known. */
  pricedBy?: string;
}

/** What the window's header says, as far as is known. Waits for nothing. */
export function describeProvider(
  settings: Settings,
  env: Variables,
  localServer: () => LocalServer | null = none,
  folderKeys: Variables = {},
  places?: PlacedVariables,
  locked: readonly string[] = [],
): ProviderDescription {
  const choice = chooseOrNull(settings, env, localServer, folderKeys, places);
  switch (choice?.kind) {
    case "anthropic":
    case "openai":
    case "gemini": {
      const { kind, baseUrl } = choice;
      const model = resolveModel(settings.model, kind);
      const efforts =
        kind === "openai"
          ? effortsOf.openai(model, chatServer(choice.baseUrl, model))
          : effortsOf[kind](model);
      const pricedBy = serverOf(choice);
      const label = { ...described(kind, model), modelId: model, efforts, ...(pricedBy && { pricedBy }) };
      const host = baseUrl === undefined ? ownHosts[kind] : new URL(baseUrl).host;
      return host === ownHosts[kind] ? label : { ...label, modelHost: host };
    }
    case "local": {
      const { server } = choice;
      const model = localModel(server, settings.model);
      const efforts = effortsOf.openai(model, chatServer(server.baseUrl, model));
      return {
        ...described("local", model),
        modelId: model,
        efforts,
        modelLabel: `${model} (${server.name})`,
      };
    }
    case "offline":
      return {
        ...described("offline", "Offline assistant"),
        takesImages: false,
        whyOffline: whyOffline(settings, locked),
      };
    case "apart":
      return { ...described(choice.maker, choice.maker), modelLabel: `Key not sent to ${choice.apart.host}` };
    case "unserved":
      return described("local", "No model server");
    case "missing":
      return described(
        settings.provider,
        `${isLocked(choice.maker, locked) ? "Locked key" : "No key"} for ${makerNames[choice.maker]}`,
      );
    default:
      return described(settings.provider, "Address is broken");
  }
}

/** Names that stand for a model, where the provider that answers has them. */
export function aliasesFor({
  provider,
}: Pick<ProviderDescription, "provider">): { alias: string; id: string }[] {
  return provider === "anthropic" || provider === "openai" || provider === "gemini"
    ? aliasesOf(provider)
    : [];
}

/** A server on this computer that would answer if the user agreed to it; null where something else answers, or none is there. */
export function offeredServer(
  settings: Settings,
  env: Variables,
  localServer: () => LocalServer | null,
  folderKeys: Variables = {},
): LocalServer | null {
  if (settings.provider !== "auto" && settings.provider !== "local") return null;
  const kind = chooseOrNull(settings, env, localServer, folderKeys)?.kind;
  return kind === "offline" || kind === "unserved" ? localServer() : null;
}

/** A key that waits for the user's word before it goes to an address from elsewhere; null: none does. */
export function keyApart(...given: Parameters<typeof choose>): KeyApart | null {
  const choice = chooseOrNull(...given);
  return choice?.kind === "apart" ? choice.apart : null;
}

const described = (provider: string, model: string): ProviderDescription => ({
  provider,
  modelLabel: model,
  takesImages: acceptsImages(model),
  modelId: null,
  efforts: { taken: [], why: "No model answers." },
});

type Choice =
  | { kind: "anthropic"; credential: Credential; baseUrl: string | undefined }
  | { kind: "openai"; credential: Credential | undefined; baseUrl: string }
  | { kind: "gemini"; credential: Credential; baseUrl: string | undefined }
  | { kind: "local"; server: LocalServer }
  /** The server on this computer is wanted, and none that was agreed to is there. */
  | { kind: "unserved" }
  | { kind: "offline" }
  | { kind: "apart"; maker: keyof Credentials; apart: KeyApart }
  | { kind: "missing"; maker: KeyMaker; more?: string };

/** Whose prices count, as `servedAt` tells it. A gateway to Claude or Gemini is taken to pass on its maker's prices. */
function serverOf(choice: Choice): string | undefined {
  if (choice.kind === "openai") return servedAt(choice.baseUrl);
  if (choice.kind === "anthropic") return "anthropic";
  return choice.kind === "gemini" ? "google" : undefined;
}

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
  places: PlacedVariables = { environment: env, app: {}, file: {} },
): Choice {
  const own = credentialsIn(env);
  const ofFolder = credentialsIn(folderKeys);
  const account = (maker: keyof Credentials, address: PlacedAddress | undefined) => {
    if (address === undefined) return ofFolder[maker] ?? own[maker];
    if (new URL(address.url).origin === `https://${ownHosts[maker]}`) return own[maker];
    return keyFor(maker, address, { own, places, agreed: settings.keyAddresses });
  };
  const agreedServer = (): Choice | null => {
    const server = localServer();
    const isAgreed = server && settings.localModelServers.includes(localServerId(server));
    return isAgreed ? { kind: "local", server } : null;
  };
  const has = (maker: keyof Credentials) => Boolean(own[maker] ?? ofFolder[maker]);
  /** Of a setting, or else of a variable. */
  const placed = (
    setting: "anthropicBaseUrl" | "openaiBaseUrl" | null,
    name: string,
  ): PlacedAddress | undefined => {
    const set = setting === null ? undefined : settings[setting];
    if (setting !== null && set) return { url: checkedAddress(set, setting), name: setting, place: "app" };
    const url = addressIn(env, name);
    return url === undefined ? undefined : { url, name, place: placeOf(name, places) ?? "environment" };
  };
  const claude = (): Choice => {
    const address = placed("anthropicBaseUrl", "ANTHROPIC_BASE_URL");
    const credential = account("anthropic", address);
    if (isApart(credential)) return { kind: "apart", maker: "anthropic", apart: credential };
    const missing = { kind: "missing", maker: "anthropic" } as const;
    return credential
      ? { kind: "anthropic", credential, baseUrl: address?.url }
      : withFolder(missing, has("anthropic"));
  };
  const google = (): Choice => {
    const address = placed(null, "GEMINI_BASE_URL");
    const credential = account("gemini", address);
    if (isApart(credential)) return { kind: "apart", maker: "gemini", apart: credential };
    const missing = { kind: "missing", maker: "gemini" } as const;
    return credential
      ? { kind: "gemini", credential, baseUrl: address?.url }
      : withFolder(missing, has("gemini"));
  };
  const chatAddress = () => placed("openaiBaseUrl", "OPENAI_BASE_URL");
  const chat = (address = chatAddress()): Choice => {
    const credential = account("openai", address);
    if (isApart(credential)) return { kind: "apart", maker: "openai", apart: credential };
    // The address of the server that was found: then its models are known.
    const server = !credential && address ? localServer() : null;
    if (server && address && isSame(address.url, server.baseUrl)) return { kind: "local", server };
    return { kind: "openai", credential, baseUrl: address?.url ?? openaiAddress };
  };
  switch (settings.provider) {
    case "anthropic":
      return claude();
    case "openai":
      // A server of one's own may want no key.
      if (has("openai") || chatAddress()) return chat();
      return {
        kind: "missing",
        maker: "openai",
        more: " For a server that needs no key, set `openaiBaseUrl`.",
      };
    case "gemini":
      return google();
    case "local":
      return agreedServer() ?? { kind: "unserved" };
    case "offline":
      return { kind: "offline" };
    default: {
      if (has("anthropic")) return claude();
      if (has("openai")) return chat();
      if (has("gemini")) return google();
      if (chatAddress()) return chat();
      return agreedServer() ?? { kind: "offline" };
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
