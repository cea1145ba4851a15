import { execFile } from "node:child_process";
import { readFile } from "node:fs/promises";
import { join, resolve } from "node:path";
import { afterEach, describe, expect, it } from "vitest";
import {
  type CheckName,
  checkNames,
  type TriedProvider,
  triedPage,
  triedProviders,
} from "../../../scripts/try-models/providers/tried-page.ts";
import type { RequestBody } from "../../fakes/model-server/invariants.ts";
import { createModelServer, type ModelServer } from "../../fakes/model-server/model-server.ts";
import { programPath } from "../../fixtures/built-programs.ts";
import { testFolders } from "../../fixtures/folders.ts";
import { type Api, apis, script } from "./provider-rig.ts";

const folders = testFolders("try-providers");
const root = resolve(import.meta.dirname, "../../..");
/** Of no form that a key has: only what it stands in tells. */
const key = "plain-words-that-open-a-door";

const open: ModelServer[] = [];
afterEach(async () => {
  for (const server of open.splice(0)) await server.close();
});

const numbers = (count: number) => Array.from({ length: count }, (_, index) => index + 1);
const text = (said: string, more: object = {}) => script("text", { text: said, ...more });
const newest = ({ messages }: RequestBody) => JSON.stringify(messages.at(-1)?.content);

/** What a good model answers to each check. */
const good: Record<string, (body: RequestBody) => string> = {
  "from 1 to 40 ": () => text(numbers(40).join(", ")),
  "Paris, and": () =>
    script("tools", {
      calls: [
        { name: "warmth", input: { city: "Paris" } },
        { name: "warmth", input: { city: "Rome" } },
      ],
    }),
  "three boxes": () => script("thinking", { text: "Six apples." }),
  "one more": () => text("Then 5 are left."),
  "Which colour": () => text("Red."),
  "Say yes": () => text("Yes."),
  "Again.": () => text("Yes.", { usage: { cacheRead: 6000 } }),
  "from 1 to 500": () => text(numbers(500).join("\n"), { hold: "never", at: 3 }),
  "from 1 to 400": () => text(numbers(400).join("\n")),
};

interface Run {
  code: number;
  said: string;
  page: string;
  tried: TriedProvider[];
  outcome(name: CheckName): string | undefined;
}

/** @param worse what it answers instead of what a good model would */
async function tryApi(api: Api, worse: typeof good = {}): Promise<Run> {
  const server = await createModelServer(api.protocol());
  open.push(server);
  server.answerSummaries({ text: "For Halifax: /srv/reports/q3.csv, 38 rows with 4711." });
  server.answerUnmarked((body, headers) => {
    if (JSON.stringify(headers).includes("nobody-has-this-key"))
      return script("status", { code: 401, times: -1, message: `Wrong: ${key}` });
    const said = newest(body);
    const known = { ...good, ...worse };
    const found = Object.keys(known).find((words) => said.includes(words));
    // What comes after results.
    return known[found ?? ""]?.(body) ?? text("17 °C in Paris and 26 °C in Rome.");
  });
  const env = Object.fromEntries(
    Object.entries(api.env(server.url)).map(([name, value]) => [name, name.endsWith("KEY") ? key : value]),
  );
  return await run(env, [api.id]);
}

let runs = 0;

async function run(env: Record<string, string>, args: string[]): Promise<Run> {
  const results = await folders.make(`run-${++runs}`, {});
  const program = [programPath("try-providers"), "--providers", "--results", results, ...args];
  const { PATH = "" } = process.env;
  const { code, said } = await new Promise<{ code: number; said: string }>((done) => {
    execFile(process.execPath, program, { cwd: root, env: { PATH, ...env } }, (error, stdout, stderr) =>
      done({ code: Number(error?.code ?? 0), said: stdout + stderr }),
    );
  });
  const page = await readFile(join(results, "tried.md"), "utf8").catch(() => "");
  const tried = triedProviders.parse(
    JSON.parse(await readFile(join(results, "tried.json"), "utf8").catch(() => "[]")),
  );
  return { code, said, page, tried, outcome: (name) => tried[0]?.checks[name]?.outcome };
}

// The Responses API is asked at OpenAI's own address only.
describe.each(apis.filter(({ api }) => api === undefined))("$id", (api) => {
  it("ten checks pass with a model that does all of it, and stand in the table with their date", async () => {
    const { code, said, page, tried } = await tryApi(api);
    const [found] = tried;
    expect(Object.keys(found?.checks ?? {})).toEqual(Object.keys(checkNames));
    const outcomes = Object.entries(found?.checks ?? {}).map(([name, result]) => [
      name,
      result?.outcome,
      result?.said,
    ]);
    expect(outcomes.filter(([, outcome]) => outcome === "failed")).toEqual([]);
    expect(code).toBe(0);
    // Nobody makes twenty requests too many here.
    expect(found?.checks.limit?.outcome).toBe("untried");
    expect(found).toMatchObject({
      provider: api.id,
      elsewhere: true,
      date: expect.stringMatching(/^2\d{3}-/),
    });
    expect(page).toBe(triedPage(tried));
    expect(page).toContain("yes: names its colour");
    expect(page).toContain("Not run yet");
    expect(said + page).not.toContain(key);
  });

  it("a check that fails says so, and why; no key is in what it says", async () => {
    const { code, said, page, outcome } = await tryApi(api, {
      "from 1 to 40 ": () => text("No."),
      "Paris, and": () => script("tools", { calls: [{ name: "warmth", input: { city: "Paris" } }] }),
      "three boxes": () => script("status", { code: 400, message: `Bad request of ${key}` }),
      "Which colour": () => text("Blue."),
      "Again.": () => text("Yes.", { usage: { cacheRead: 0 } }),
      "from 1 to 500": () => text("1 2 3"),
      "from 1 to 400": () =>
        text(
          numbers(400)
            .filter((number) => number !== 200)
            .join("\n"),
        ),
    });
    expect(code).toBe(1);
    const isBad = (name: CheckName) => expect([name, outcome(name)]).toEqual([name, "failed"]);
    for (const name of ["stream", "tools", "image", "cache", "long"] as const) isBad(name);
    expect(page).toContain("**no**: line 200 is not what it should be");
    expect(page).toContain("**no**: a red one is “Blue.”");
    expect(page).toContain("**no**: nothing was read from it");
    expect(said).toContain("checks failed");
    expect(said + page).not.toContain(key);
  });

  it("a rate limit that comes is waited for, and is in the table", async () => {
    let asked = 0;
    const { tried } = await tryApi(api, {
      // Five of those that come at once, after the one that asks the cache.
      "Say yes": () =>
        ++asked > 1 && asked < 7 ? script("status", { code: 429, times: -1, retryAfter: "0" }) : text("Yes."),
    });
    expect(tried[0]?.checks.limit).toMatchObject({
      outcome: "ok",
      said: expect.stringMatching(/^of 20 at once \d+ waited/),
    });
  });
});

it("without a key, or for a provider that there is not, it says which keys it looks for", async () => {
  const none = await run({}, []);
  expect(none.code).toBe(2);
  expect(none.said).toMatch(
    /with a key in the environment: ANTHROPIC_AUTH_TOKEN or ANTHROPIC_API_KEY for Anthropic/,
  );
  expect(none.page).toBe("");
  const unknown = await run({ OPENAI_API_KEY: key }, ["nobody"]);
  expect(unknown.code).toBe(2);
  expect(unknown.said).not.toContain(key);
});

it("docs/tried.md is what docs/tried.json says", async () => {
  const read = (name: string) => readFile(join(root, "docs", name), "utf8");
  expect(await read("tried.md")).toBe(triedPage(triedProviders.parse(JSON.parse(await read("tried.json")))));
});
