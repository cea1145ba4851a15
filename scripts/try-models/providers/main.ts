import { randomUUID } from "node:crypto";
import { readFile, rename, writeFile } from "node:fs/promises";
import { join, relative, resolve } from "node:path";
import { parseArgs } from "node:util";
import { systemClock } from "../../../electron/agent/conversation/system-clock.ts";
import { ModelError } from "../../../electron/agent/ports/ports.ts";
import { createProvider, describeProvider } from "../../../electron/providers/create-provider.ts";
import { credentialsIn } from "../../../electron/providers/credentials.ts";
import { type KeyMaker, keyMaker, makerNames } from "../../../shared/safety/key-test.ts";
import { removed, withoutSecrets } from "../../../shared/safety/redact.ts";
import { keyVariables } from "../../../shared/safety/secrets.ts";
import { defaultSettings, type Settings } from "../../../shared/settings.ts";
import { type CheckContext, providerChecks } from "./provider-checks.ts";
import {
  type CheckName,
  type CheckResult,
  checkNames,
  type TriedProvider,
  triedPage,
  triedProviders,
} from "./tried-page.ts";

/** Exit codes: 0 no check failed, 1 one did, 2 none could be made. */
const usage = "npm run try-models -- --providers [--model NAME] [--results FOLDER] [PROVIDER…]";
const root = resolve(import.meta.dirname, "../../..");
/** So long one check may take: a slow model thinks much. */
const patienceMs = 4 * 60_000;

type Variables = Readonly<Record<string, string | undefined>>;

async function tryProvider(maker: KeyMaker, model: string, env: Variables): Promise<TriedProvider> {
  const settings: Settings = { ...defaultSettings, provider: maker, model };
  const provider = (variables: Variables) =>
    createProvider(settings, { clock: systemClock, newId: randomUUID, env: variables });
  const context: Omit<CheckContext, "signal"> = {
    provider: provider(env),
    withWrongKey: () => provider(withKey(env, maker, "nobody-has-this-key")),
    model,
    nonce: randomUUID(),
  };
  const clean = withoutKeys(env);
  const checks: TriedProvider["checks"] = {};
  for (const [name, check] of Object.entries(providerChecks) as [
    CheckName,
    (typeof providerChecks)[CheckName],
  ][]) {
    const outcome = await check({ ...context, signal: AbortSignal.timeout(patienceMs) }).catch(asFailure);
    const result = { ...outcome, said: clean(outcome.said) };
    checks[name] = result;
    console.log(`${maker}: ${checkNames[name]}: ${result.outcome}: ${result.said}`);
  }
  const { modelId, modelHost } = describeProvider(settings, env);
  const date = new Date().toISOString().slice(0, 10);
  return { provider: maker, date, model: modelId ?? model, elsewhere: modelHost !== undefined, checks };
}

function asFailure(error: unknown): CheckResult {
  if (error instanceof ModelError) return { outcome: "failed", said: `${error.message} ${error.hint}` };
  return { outcome: "failed", said: error instanceof Error ? error.message : String(error) };
}

/** The environment with this key in place of each of the maker's. */
function withKey(env: Variables, maker: KeyMaker, key: string): Variables {
  const given = keyVariables[maker].filter((name) => env[name]?.trim());
  return { ...env, ...Object.fromEntries(given.map((name) => [name, key])) };
}

/** What no key stands in: neither one of the environment, nor what looks like one. */
function withoutKeys(env: Variables): (text: string) => string {
  const keys = Object.values(keyVariables).flatMap((names) =>
    names.flatMap((name) => env[name]?.trim() || []),
  );
  return (text) => withoutSecrets(keys.reduce((left, key) => left.replaceAll(key, removed), text));
}

/** Whole or not at all. */
async function writeWhole(path: string, text: string): Promise<void> {
  await writeFile(`${path}.new`, text);
  await rename(`${path}.new`, path);
}

async function main(): Promise<number> {
  const { values, positionals } = parseArgs({
    allowPositionals: true,
    options: {
      providers: { type: "boolean" },
      model: { type: "string", default: defaultSettings.model },
      results: { type: "string", default: join(root, "docs") },
    },
  });
  const wanted = keyMaker.options.filter((maker) => positionals.length === 0 || positionals.includes(maker));
  const withKeys = wanted.filter((maker) => credentialsIn(process.env)[maker]);
  const isUnknown = positionals.some((name) => !keyMaker.options.some((maker) => maker === name));
  if (isUnknown || withKeys.length === 0) {
    const keys = keyMaker.options.map(
      (maker) => `${keyVariables[maker].join(" or ")} for ${makerNames[maker]}`,
    );
    console.error(
      `Usage: ${usage}, with a key in the environment: ${keys.join(", ")}. Providers are ${keyMaker.options.join(", ")}.`,
    );
    return 2;
  }
  const data = join(values.results, "tried.json");
  const read = async () => triedProviders.parse(JSON.parse(await readFile(data, "utf8").catch(() => "[]")));
  let bad = 0;
  for (const maker of withKeys) {
    const found = await tryProvider(maker, values.model, process.env);
    const tried = [...(await read()).filter(({ provider }) => provider !== maker), found];
    await writeWhole(data, `${JSON.stringify(tried, null, 2)}\n`);
    await writeWhole(join(values.results, "tried.md"), triedPage(tried));
    bad += Object.values(found.checks).filter((one) => one?.outcome === "failed").length;
  }
  console.log(
    `${withKeys.map((maker) => makerNames[maker]).join(", ")}: ${bad} checks failed. ${relative(process.cwd(), data)} and tried.md say which.`,
  );
  return bad > 0 ? 1 : 0;
}

process.exitCode = await main().catch((error: unknown) => {
  console.error(withoutKeys(process.env)(error instanceof Error ? error.message : String(error)));
  return 2;
});
