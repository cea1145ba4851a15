import { execFileSync } from "node:child_process";
import { once } from "node:events";
import { mkdirSync, writeFileSync } from "node:fs";
import { createServer } from "node:http";
import { dirname, join } from "node:path";
import type { Level } from "../../../attacks/attack.ts";
import type { EverydayCall, Project } from "../../../everyday/everyday.ts";
import type { ModelServer } from "../../../fakes/model-server/model-server.ts";
import { launchParley } from "../launch.ts";
import { todayNumber } from "../today.ts";
import { createField, toolChains, userEnvironment } from "./attack-field.ts";
import { type Card, type CardAnswer, Driver, promptFor } from "./driver.ts";
import { createEverydayServers } from "./everyday-servers.ts";
import { isOnPath } from "./play-attacks.ts";

/** What became of a call. */
export interface EverydayOutcome {
  call: EverydayCall;
  project: string;
  level: Level;
  /** Cards that are neither about a host nor about running outside, in words. */
  cards: string[];
  /** What is wrong with it; null: nothing. */
  problem: string | null;
}

export interface EverydayRun {
  outcomes: EverydayOutcome[];
  /** Project and title of those that were not run, for want of a program. */
  skipped: string[];
}

/**
 * Runs every project's calls in the real app: what looks in one level, another one each day, the rest in `work`. Each level
 * has a folder of its own.
 */
export async function runEveryday(projects: readonly Project[], model: ModelServer): Promise<EverydayRun> {
  const field = createField();
  const servers = await createEverydayServers();
  const settings = {
    provider: "anthropic",
    retryBaseMs: 1,
    shellTimeoutMs: 60_000,
    "fence.readable": Object.values(toolChains()),
  };
  writeFileSync(join(field.userData, "settings.json"), JSON.stringify(settings));
  const parley = await launchParley({
    home: field.home,
    env: {
      ...toolChains(),
      ANTHROPIC_BASE_URL: model.url,
      ANTHROPIC_API_KEY: "test-key",
      http_proxy: servers.proxy.url,
      https_proxy: servers.proxy.url,
      no_proxy: "127.0.0.1,localhost",
    },
  });
  try {
    await parley.page.getByTestId("composer").waitFor();
    const driver = await Driver.of(parley);
    await driver.expectFence();
    const missing = new Set<string>();
    const outcomes: EverydayOutcome[] = [];
    const isHere = ({ needs = [] }: { needs?: readonly string[] }) => needs.every(isOnPath);
    const levels = ["look", "ask", "work"] as const;
    const rounds = projects.flatMap((project, index) => levels.map((level) => ({ project, level, index })));
    await Promise.all(
      rounds.map(async ({ project, level, index }) => {
        const lookLevel = levels[(index + todayNumber()) % levels.length];
        const calls = project.calls.filter((call) => isPlayedIn(level, call, lookLevel));
        const here = calls.filter((call) => isHere(project) && isHere(call));
        for (const call of calls) if (!here.includes(call)) missing.add(`${project.name}: ${call.title}`);
        if (here.length === 0) return;
        const folder = join(field.home, "work", `${index}-${level}`, "project");
        layOut(project, folder, field.home);
        const conversation = await driver.open(folder, level);
        for (const call of here) {
          const ran = await runCall(call, level, { driver, conversation, model });
          outcomes.push({ ...ran, call, project: project.name, level });
        }
      }),
    );
    return { outcomes, skipped: [...missing] };
  } finally {
    await parley.close();
    await servers.close();
    field.close();
  }
}

/** What must run outside is asked for where commands ask. */
const isPlayedIn = (level: Level, { kind }: EverydayCall, lookLevel: Level | undefined) =>
  kind === "look" ? level === lookLevel : level === (kind === "outside" ? "ask" : "work");

function layOut({ files, prepare }: Project, folder: string, home: string): void {
  mkdirSync(folder, { recursive: true });
  for (const [name, content] of Object.entries(files)) {
    mkdirSync(dirname(join(folder, name)), { recursive: true });
    writeFileSync(join(folder, name), content);
  }
  if (prepare === undefined) return;
  execFileSync("bash", ["-c", prepare], { cwd: folder, env: userEnvironment(home), stdio: "ignore" });
}

interface Place {
  driver: Driver;
  conversation: string;
  model: ModelServer;
}

let count = 0;

async function runCall(
  call: EverydayCall,
  level: Level,
  { driver, conversation, model }: Place,
): Promise<Pick<EverydayOutcome, "cards" | "problem">> {
  const mark = `(call ${++count})`;
  const port = call.page === undefined ? 0 : await freePort();
  const filled = JSON.parse(JSON.stringify(call.call).replaceAll("{port}", `${port}`));
  const answer = (card: Card): CardAnswer =>
    call.kind === "outside" ? "outside" : isHost(card) ? "session" : "once";
  let problem: string | null = null;
  const running = driver.run(conversation, promptFor(mark, [filled]), answer);
  if (call.page !== undefined) {
    problem = await whyNotShown(port, call.page, running);
    await driver.abort(conversation);
  }
  const answered = await running;
  const cards = answered
    .filter(({ card }) => !isHost(card) && call.kind !== "outside")
    .map(({ card }) => `${card.name}: ${card.detail.slice(0, 100)}`);
  if (call.page !== undefined) return { cards, problem };
  if (call.kind === "look" && cards.length > 0) problem = `it asked in ${level}`;
  const result = resultOf(mark, model);
  return { cards, problem: problem ?? whyNotWell(call, result) };
}

/** About a host, also the one of web_fetch. */
const isHost = ({ effect }: Card) => effect === "network";

function whyNotWell({ says, ends = "well" }: EverydayCall, { text, isError }: Result): string | null {
  const isWell = !isError && (says === undefined || new RegExp(says).test(text));
  if (isWell) return null;
  if (ends === "told" && /\bfence/i.test(text)) return null;
  const told = /\bfence/i.test(text) ? "" : ", and does not name the fence";
  return `${isError ? "it failed" : `it does not say ${says}`}${told}: ${text.slice(-300)}`;
}

interface Result {
  text: string;
  isError: boolean;
}

/** What the model got for the call. */
function resultOf(mark: string, model: ModelServer): Result {
  const request = model.requests.findLast(({ body }) => {
    const last = body.messages.at(-1);
    return (
      JSON.stringify(body.messages).includes(mark) &&
      last?.content.some(({ type }) => type === "tool_result") === true
    );
  });
  const block = request?.body.messages.at(-1)?.content.find(({ type }) => type === "tool_result");
  return {
    text: String(block?.content ?? "There is no result."),
    isError: block?.is_error === true || !block,
  };
}

async function freePort(): Promise<number> {
  const server = createServer();
  await once(server.listen(0, "127.0.0.1"), "listening");
  const address = server.address();
  server.close();
  await once(server, "close");
  return typeof address === "object" ? (address?.port ?? 0) : 0;
}

/** As the user's browser does: asks until somebody answers, or nobody will any more. */
async function whyNotShown(port: number, page: string, running: Promise<unknown>): Promise<string | null> {
  let hasEnded = false;
  const end = () => {
    hasEnded = true;
  };
  running.then(end, end);
  while (!hasEnded) {
    const text = await fetch(`http://127.0.0.1:${port}/`).then(
      (answer) => answer.text(),
      () => null,
    );
    if (text !== null) return text.includes(page) ? null : `it shows ${text}`;
  }
  return "nobody answered, and it has ended";
}
