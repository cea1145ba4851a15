import type { Settings } from "../../../shared/settings.ts";
import { leastEffort } from "../../agent/context/side-request.ts";
import type { Provider } from "../../agent/ports/ports.ts";
import type { ProviderDescription } from "../../providers/create-provider.ts";
import { credentialsIn } from "../../providers/credentials.ts";
import { type PlacedVariables, placeOf, placeText } from "../../providers/key-places.ts";
import type { Check, Finding } from "./run-check.ts";

export interface ModelChecksOptions {
  settings(): Settings;
  describe(settings: Settings): ProviderDescription;
  /** @throws ModelError where no key is there, or its address is broken */
  newProvider(settings: Settings): Provider;
  /** The user's own variables, by where they stand. */
  places(): PlacedVariables;
  /** Keys of the working folder that the user trusts. */
  folderKeys(): Readonly<Record<string, string | undefined>>;
  /** Looks for a model server on this computer; its name, or null. */
  findServer(): Promise<string | null>;
  now(): number;
}

const addKey = "Add a key in the window, or type /key set anthropic (or openai, gemini).";

const startServer = "Start it (for example with `ollama serve`), or set `provider` to auto.";

/** Whether there is a key for whoever answers, and whether the model answers. */
export function modelChecks(options: ModelChecksOptions): Check[] {
  return [
    { name: "key", limitMs: 5_000, look: () => key(options), todo: addKey },
    {
      name: "model",
      limitMs: 20_000,
      look: (signal) => model(options, signal),
      todo: "Check the network, then try again.",
    },
  ];
}

async function key({
  settings,
  describe,
  places,
  folderKeys,
  findServer,
}: ModelChecksOptions): Promise<Finding> {
  const { provider, modelLabel, modelId } = describe(settings());
  if (provider === "offline") return offline(await findServer());
  if (provider === "local" && modelId === null) {
    return { state: "failed", found: `${modelLabel} that you agreed to answers here.`, todo: startServer };
  }
  if (provider === "local") return { state: "ok", found: `${modelLabel} needs no key.` };
  if (modelId === null) return { state: "failed", found: `${modelLabel}.`, todo: addKey };
  const own = places();
  const maker = provider === "anthropic" || provider === "gemini" ? provider : "openai";
  const ofFolder = credentialsIn(folderKeys())[maker];
  if (ofFolder) return { state: "ok", found: `${ofFolder.name}, from the working folder.` };
  const found = credentialsIn({ ...own.file, ...own.app, ...own.environment })[maker];
  if (!found) return { state: "ok", found: `${modelLabel} is asked without a key.` };
  const place = placeOf(found.name, own);
  return { state: "ok", found: `${found.name}, from ${place === null ? "nowhere" : placeText[place]}.` };
}

function offline(server: string | null): Finding {
  const found = "No key: the offline assistant answers, which handles only simple requests.";
  const todo = server === null ? addKey : `${addKey} Or say in the window that ${server} may answer.`;
  return { state: "limited", found, todo };
}

/** One tiny request, without a second try. */
async function model(
  { settings, describe, newProvider, now }: ModelChecksOptions,
  signal: AbortSignal,
): Promise<Finding> {
  const own = settings();
  const { provider: name, modelLabel } = describe(own);
  if (name === "offline") {
    return { state: "limited", found: "There is none: the offline assistant answers.", todo: addKey };
  }
  const provider = newProvider({ ...own, retryMax: 0 });
  const since = now();
  const request = {
    model: own.model,
    system: "Answer with the word OK.",
    messages: [{ role: "user" as const, content: [{ type: "text" as const, text: "Are you there?" }] }],
    tools: [],
    maxTokens: 16,
    temperature: own.temperature,
    effort: leastEffort(provider, own.model),
  };
  await provider.complete(request, signal);
  return { state: "ok", found: `${modelLabel} answered in ${((now() - since) / 1000).toFixed(1)} s.` };
}
