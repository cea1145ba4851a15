import { type KeyMaker, type KeyProblem, type KeyTest, makerNames } from "../../shared/safety/key-test.ts";
import { keyNames, keyVariables } from "../../shared/safety/secrets.ts";
import type { Settings } from "../../shared/settings.ts";
import { ModelError, type ModelRequest, type Provider } from "../agent/ports/ports.ts";
import { createProvider, describeProvider, type ProviderOptions } from "./create-provider.ts";
import type { PlacedVariables } from "./key-places.ts";

export interface KeyTestOptions extends ProviderOptions {
  settings: Settings;
  /** Where the user's own variables stand; `env` is made of it. */
  places: PlacedVariables;
}

/** Longer than anybody looks at a form, in milliseconds. */
const mostMs = 20_000;

/**
 * Tries a key with one small request to where it would be sent. Never rejects, but for the signal.
 * @param key one that was typed and is kept nowhere yet; null: the one that counts now
 */
export async function testKey(
  maker: KeyMaker,
  key: string | null,
  options: KeyTestOptions,
  signal: AbortSignal,
): Promise<KeyTest> {
  const places = key === null ? options.places : withTyped(options.places, maker, key);
  const env = { ...places.file, ...places.app, ...places.environment };
  const folderKeys = key === null ? (options.folderKeys ?? {}) : {};
  const settings: Settings = { ...options.settings, provider: maker, retryMax: 0, requestTimeoutMs: mostMs };
  let provider: Provider;
  try {
    provider = createProvider(settings, { ...options, env, places, folderKeys });
  } catch (error) {
    return unsent(error);
  }
  const { modelHost } = describeProvider(settings, env, () => null, folderKeys, places);
  const { clock } = options;
  const from = clock.now();
  try {
    const model = modelHost === undefined ? quick : await someModel(provider, settings.model, signal);
    await provider.complete(smallest(model), signal);
    return { ok: true, host: modelHost ?? makerNames[maker], tookMs: clock.now() - from };
  } catch (error) {
    signal.throwIfAborted();
    return failed(error, maker, modelHost);
  }
}

/** A name for the quick model of each maker. */
const quick = "haiku";

const smallest = (model: string): ModelRequest => ({
  model,
  system: "Answer with one word.",
  messages: [{ role: "user", content: [{ type: "text", text: "Say yes." }] }],
  tools: [],
  // Some take no fewer.
  maxTokens: 16,
  temperature: 1,
});

/** Behind an address of one's own stands any model: the one that is set where it has that, else its first. */
async function someModel(provider: Provider, wanted: string, signal: AbortSignal): Promise<string> {
  const listed = await listOf(provider, signal);
  const has = (name: string) => listed.some(({ id }) => id === provider.resolveModel(name));
  if (has(quick)) return quick;
  return has(wanted) ? wanted : (listed[0]?.id ?? wanted);
}

/** None where it has no list, as many have not. @throws ModelError where the key or the connection is at fault */
async function listOf(provider: Provider, signal: AbortSignal) {
  try {
    return (await provider.listModels(signal)) ?? [];
  } catch (error) {
    if (error instanceof ModelError && ["auth", "network", "timeout"].includes(error.code)) throw error;
    signal.throwIfAborted();
    return [];
  }
}

/** Only the typed key, where keys that are typed stand: another one, from elsewhere, must not be tested in its place. */
function withTyped(places: PlacedVariables, maker: KeyMaker, key: string): PlacedVariables {
  const others = (variables: PlacedVariables["app"]) => {
    const names: readonly string[] = keyVariables[maker];
    return Object.fromEntries(Object.entries(variables).filter(([name]) => !names.includes(name)));
  };
  const { environment, app, file } = places;
  return {
    environment: others(environment),
    app: { ...others(app), [keyNames[maker]]: key },
    file: others(file),
  };
}

const problem = (kind: KeyProblem, message: string, hint: string): KeyTest => ({
  ok: false,
  problem: kind,
  message,
  hint,
});

function unsent(error: unknown): KeyTest {
  if (!(error instanceof ModelError)) return problem("other", String(error), "");
  const { code, message, hint } = error;
  if (code === "no_key") return problem("missing", message, hint);
  return problem(code === "auth" ? "not_sent" : "wrong_address", message, hint);
}

function failed(error: unknown, maker: KeyMaker, ownHost: string | undefined): KeyTest {
  if (!(error instanceof ModelError)) return problem("other", String(error), "The log says more.");
  const { code, message, hint } = error;
  const name = makerNames[maker];
  const who = ownHost ?? name;
  if (code === "no_key") return problem("missing", message, hint);
  if (code === "auth") {
    return error.keyVariable === undefined
      ? problem("refused", `${who} does not accept this key.`, message)
      : problem(
          "refused",
          `${who} refused this key.`,
          "Copy the whole key again, or create a new one there.",
        );
  }
  if (code === "no_credit") {
    const hint = "Add credit to the account it belongs to, then test again.";
    return problem("no_credit", `${who} knows this key, but its account has no credit.`, hint);
  }
  if (code === "network" || code === "timeout") {
    return ownHost === undefined
      ? problem("no_network", `${name} cannot be reached.`, "Is this computer online?")
      : problem("wrong_address", `Nothing answers at ${ownHost}.`, "Check the address, and the network.");
  }
  if (code === "rate_limit" || code === "overloaded") {
    const said = `${who} accepts this key, but its limit is reached for now.`;
    return problem("limit", said, "Wait a moment, then test again.");
  }
  // Whatever else stands behind an address of the user's does not speak as the models do.
  if (ownHost !== undefined && (code === "not_found" || code === "server")) {
    const hint = "Check the address: its path may be wrong, too.";
    return problem("wrong_address", `Something answers at ${ownHost}, but it is not a model.`, hint);
  }
  return problem("other", message, hint);
}
