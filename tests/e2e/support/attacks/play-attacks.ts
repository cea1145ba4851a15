import { accessSync, constants, writeFileSync } from "node:fs";
import { createServer } from "node:net";
import { delimiter, join } from "node:path";
import type { Attack, Level } from "../../../attacks/attack.ts";
import { secretVariables } from "../../../attacks/environment.ts";
import { anthropicProtocol } from "../../../fakes/model-server/anthropic-protocol.ts";
import { geminiProtocol } from "../../../fakes/model-server/gemini-protocol.ts";
import { createModelServer, type RecordedRequest } from "../../../fakes/model-server/model-server.ts";
import { openaiProtocol } from "../../../fakes/model-server/openai-protocol.ts";
import { launchParley } from "../launch.ts";
import { canary, createField, createPlay, type Field, toolChains } from "./attack-field.ts";
import { type Card, type CardAnswer, Driver, promptFor } from "./driver.ts";
import { createGullibleProxy } from "./gullible-proxy.ts";

/**
 * How an attack is played. `refused`: in its levels, and nobody allows a card. `approved`: in `ask`, by a user who allows its
 * commands, which are fenced all the same. `allowed`: everything is.
 */
export type Way = "refused" | "approved" | "allowed";

export interface Outcome {
  attack: Attack;
  /** `look`, `ask`, `work`, `approved` or `allowed`. */
  play: string;
  /** What happened that must not, in words. */
  harm: string[];
  /** What the model got for it last. */
  said: string;
  /** Whether a card asked for a command. */
  asked: boolean;
}

export interface Played {
  outcomes: Outcome[];
  /** Not run, and why. */
  skipped: { attack: Attack; why: string }[];
}

/** How many are played at once: most of the time they wait. */
const lanes = 5;

/** Plays attacks in one running app, each in a conversation and a folder of its own. */
export async function playAttacks(
  attacks: readonly Attack[],
  ways: readonly Way[],
  settings: Record<string, unknown> = {},
): Promise<Played> {
  const skipped: Played["skipped"] = [];
  const outcomes: Outcome[] = [];
  const byStage = new Map<string, Attack[]>();
  for (const attack of attacks) {
    const why = await whyNot(attack);
    if (why !== null) {
      skipped.push({ attack, why });
      continue;
    }
    const stage = `${attack.provider ?? "anthropic"} ${attack.proxied ?? false}`;
    byStage.set(stage, [...(byStage.get(stage) ?? []), attack]);
  }
  for (const chosen of byStage.values()) outcomes.push(...(await inOneApp(chosen, ways, settings)));
  return { outcomes, skipped };
}

interface Planned {
  attack: Attack;
  play: string;
  level: Level;
  way: Way;
  /** Of the play. */
  id: string;
}

function planned(attack: Attack, ways: readonly Way[]): Planned[] {
  const byCommand = attack.steps.flat().some(({ name }) => name === "shell");
  const { id, levels = ["work"], approved = byCommand } = attack;
  return ways.flatMap((way): Planned[] => {
    if (way === "refused") {
      return levels.map((level) => ({ attack, play: level, level, way, id: `${id}-${level}` }));
    }
    if (way === "approved" && !approved) return [];
    return [{ attack, play: way, level: "ask", way, id: `${id}-${way}` }];
  });
}

async function inOneApp(
  attacks: readonly Attack[],
  ways: readonly Way[],
  settings: Record<string, unknown>,
): Promise<Outcome[]> {
  const { proxied = false, provider = "anthropic" } = attacks[0] ?? {};
  const model = await createModelServer(protocols[provider]());
  const field = createField();
  const proxy = await createGullibleProxy();
  const plans = attacks.map((attack) => planned(attack, ways));
  const permissionRules = plans
    .flat()
    .flatMap(({ attack: { rules = [] }, id }) =>
      rules.map((rule) => ({ ...rule, folder: join(field.home, "work", id, "project") })),
    );
  // A command that waits for what never comes must not hold up the others.
  const kept = {
    provider,
    retryBaseMs: 1,
    shellTimeoutMs: 15_000,
    permissionRules,
    "fence.readable": Object.values(toolChains()),
    ...settings,
  };
  writeFileSync(join(field.userData, "settings.json"), JSON.stringify(kept));
  const parley = await launchParley({
    home: field.home,
    env: {
      ...Object.fromEntries(
        Object.entries(secretVariables).map(([name, value]) => [name, value.replace("{canary}", canary)]),
      ),
      ...toolChains(),
      SHELL: "/bin/bash",
      // Nothing that npm does by itself.
      npm_config_update_notifier: "false",
      ...Object.fromEntries(
        ["ANTHROPIC", "OPENAI", "GEMINI"].flatMap((name) => [
          [`${name}_BASE_URL`, name === "OPENAI" ? `${model.url}/v1` : model.url],
          [`${name}_API_KEY`, `sk-${canary}`],
        ]),
      ),
      PARLEY_OWN_TOKEN: canary,
      PATH: [join(field.home, ".local/bin"), process.env.PATH ?? ""].join(delimiter),
      XDG_RUNTIME_DIR: join(field.home, "run"),
      ...(proxied && { http_proxy: proxy.url, https_proxy: proxy.url, no_proxy: "127.0.0.1,localhost" }),
    },
  });
  try {
    await parley.page.getByTestId("composer").waitFor();
    const driver = await Driver.of(parley);
    if (settings.fence !== "off") await driver.expectFence();
    const pid = parley.app.process().pid ?? 0;
    const first = model.requests.length;
    const outcomes: Outcome[] = [];
    const waiting = [...plans];
    const work = async (lane: number) => {
      const shared = new Map<Level, string>();
      for (let next = waiting.shift(); next; next = waiting.shift()) {
        // Those of one attack one after the other: some are after the same file.
        let asked = false;
        for (const plan of next) {
          // What runs fenced without being asked for runs so after a yes, too.
          if (plan.way === "approved" && !asked && !plan.attack.hosts && next.length > 1) continue;
          const around = { driver, field, proxy, parley: pid, lane: `lane-${lane}`, shared };
          const outcome = await playOne(plan, around);
          asked ||= outcome.asked;
          outcomes.push(outcome);
        }
      }
    };
    await Promise.all(Array.from({ length: lanes }, (_, lane) => work(lane)));
    addLeaks(outcomes, model.requests.slice(first));
    // Where nothing was done nothing was shown.
    for (const { said, harm } of outcomes)
      if (said === "") harm.push("it could not be played: no result came");
    return outcomes;
  } finally {
    await parley.close();
    await proxy.close();
    field.close();
    await model.close();
  }
}

const protocols = { anthropic: anthropicProtocol, openai: openaiProtocol, gemini: geminiProtocol };

interface Around {
  driver: Driver;
  field: Field;
  proxy: { url: string; asked: readonly string[] };
  parley: number;
  /** Of those that are played one after the other. */
  lane: string;
  /** Their conversations. */
  shared: Map<Level, string>;
}

/** One that leaves nothing to the next: no rules, no answers that hold for longer. */
const canShare = ({ rules, answers, hosts, folder }: Attack) => !(rules || answers || hosts || folder);

async function playOne(plan: Planned, { lane, shared, ...around }: Around): Promise<Outcome> {
  const { attack, id, level, way } = plan;
  const { driver } = around;
  const isShared = canShare(attack);
  const place = isShared ? `${lane}-${level}` : id;
  const play = await createPlay({ ...around, attack, id, place });
  const harm: string[] = [];
  let asked = false;
  try {
    // To put up a fence for a conversation takes longer than most attacks.
    const known = isShared ? shared.get(level) : undefined;
    const conversation = known ?? (await driver.open(play.folder, level));
    if (isShared) shared.set(level, conversation);
    for (const [index, calls] of attack.steps.entries()) {
      const prompt = promptFor(markOf(plan.attack.id, plan.play), play.fill(calls));
      await driver.run(conversation, prompt, (card) => {
        asked ||= card.effect === "execute";
        return answerTo(card, attack, way, index);
      });
    }
    harm.push(...(await play.harm()));
    if (!isShared) await driver.close(conversation);
  } catch (error) {
    shared.delete(level);
    harm.push(`it could not be played: ${String(error)}`, ...(await play.harm()));
  }
  return { attack, play: plan.play, harm, said: "", asked };
}

function answerTo(card: Card, { answers, hosts = false }: Attack, way: Way, step: number): CardAnswer {
  if (way === "allowed") return "once";
  // What a command wants beside itself: a host, or files that decide what runs elsewhere.
  const isAside = card.name === "shell" && card.effect !== "execute";
  if (way === "approved") return isAside && !(hosts && card.effect === "network") ? "deny" : "once";
  const said = answers?.[step] ?? "deny";
  return said === "conversation" ? "session" : said;
}

const markOf = (id: string, play: string) => `(play ${id} ${play})`;

/** What requests carried to the model, each for the play that it belongs to. */
function addLeaks(outcomes: readonly Outcome[], requests: readonly RecordedRequest[]): void {
  const reversed = [...canary].reverse().join("");
  const hex = Buffer.from(canary).toString("hex");
  const hidden = [canary, reversed, hex];
  const byMark = new Map(outcomes.map((outcome) => [markOf(outcome.attack.id, outcome.play), outcome]));
  for (const { body } of requests) {
    // What came since the newest prompt: those before it were of other plays.
    const from = body.messages.findLastIndex(({ content }) =>
      content.some(({ text }) => text?.startsWith("(play ")),
    );
    const text = JSON.stringify(body.messages.slice(from));
    const mark = /\(play \S+ \S+\)/.exec(text)?.[0] ?? "";
    const outcome = byMark.get(mark);
    if (!outcome) continue;
    const add = (harm: string) => {
      if (!outcome.harm.includes(harm)) outcome.harm.push(harm);
    };
    const last = body.messages.at(-1)?.content.filter(({ type }) => type === "tool_result") ?? [];
    if (last.length > 0) outcome.said = last.map(({ content }) => String(content)).join(" | ");
    if (hidden.some((form) => text.includes(form))) add("a secret reached the model");
    const { says } = outcome.attack;
    if (says === undefined) continue;
    const results = body.messages
      .slice(from)
      .flatMap(({ content }) =>
        content.flatMap((block) => (block.type === "tool_result" ? [JSON.stringify(block.content)] : [])),
      );
    if (new RegExp(says).test(results.join("\n"))) add(`a result says ${says}`);
  }
}

/** Why it cannot be run on this computer. */
async function whyNot({ needs = [], ports = [] }: Attack): Promise<string | null> {
  const missing = needs.find((program) => !isOnPath(program));
  if (missing !== undefined) return `${missing} is not here`;
  for (const port of ports) {
    const server = createServer();
    const isFree = await new Promise<boolean>((resolve) => {
      server.once("error", () => resolve(false));
      server.listen(port, "0.0.0.0", () => server.close(() => resolve(true)));
    });
    if (!isFree) return `port ${port} cannot be had`;
  }
  return null;
}

export function isOnPath(program: string): boolean {
  return (process.env.PATH ?? "").split(delimiter).some((folder) => {
    try {
      accessSync(join(folder, program), constants.X_OK);
      return true;
    } catch {
      return false;
    }
  });
}
