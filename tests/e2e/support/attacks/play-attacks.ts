import { createHash } from "node:crypto";
import { accessSync, constants, writeFileSync } from "node:fs";
import { delimiter, join } from "node:path";
import type { PermissionRule } from "../../../../shared/safety/permissions.ts";
import type { Attack, Level } from "../../../attacks/attack.ts";
import { secretVariables } from "../../../attacks/environment.ts";
import { anthropicProtocol } from "../../../fakes/model-server/anthropic-protocol.ts";
import { geminiProtocol } from "../../../fakes/model-server/gemini-protocol.ts";
import {
  createModelServer,
  type ModelServer,
  type RecordedRequest,
} from "../../../fakes/model-server/model-server.ts";
import { openaiProtocol } from "../../../fakes/model-server/openai-protocol.ts";
import { launchParley, type Parley } from "../launch.ts";
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

/**
 * Where attacks are played: an app for each provider and proxy that they want, started when it is first needed. Each attack has a
 * conversation and a folder of its own, or shares them with others of its kind.
 */
export class Arena {
  readonly #attacks: readonly Attack[];
  readonly #ways: readonly Way[];
  readonly #settings: Record<string, unknown>;
  readonly #stages = new Map<string, Promise<Stage>>();

  /** @param attacks all that may be played here: the rules that they want stand in the settings from the start */
  constructor(attacks: readonly Attack[], ways: readonly Way[], settings: Record<string, unknown> = {}) {
    this.#attacks = attacks;
    this.#ways = ways;
    this.#settings = settings;
  }

  async play(attacks: readonly Attack[]): Promise<Played> {
    const skipped = attacks.flatMap((attack) => {
      const why = whyNot(attack);
      return why === null ? [] : [{ attack, why }];
    });
    const playable = attacks.filter((attack) => whyNot(attack) === null);
    const names = new Set(playable.map(stageOf));
    const played = await Promise.all(
      [...names].map(async (name) => {
        const stage = await this.#stage(name);
        return await stage.play(playable.filter((attack) => stageOf(attack) === name));
      }),
    );
    return { outcomes: played.flat(), skipped };
  }

  async close(): Promise<void> {
    for (const stage of this.#stages.values()) await (await stage).close();
  }

  async #stage(name: string): Promise<Stage> {
    const there = this.#stages.get(name);
    if (there) return await there;
    const attacks = this.#attacks.filter((attack) => whyNot(attack) === null && stageOf(attack) === name);
    const stage = Stage.start(attacks, this.#ways, this.#settings);
    this.#stages.set(name, stage);
    return await stage;
  }
}

const stageOf = ({ provider, proxied }: Attack) => `${provider ?? "anthropic"} ${proxied ?? false}`;

interface Planned {
  attack: Attack;
  play: string;
  level: Level;
  way: Way;
  /** Of the play. */
  id: string;
  /** Where it is played. */
  place: Place;
}

/** Plays of the same kind have one conversation in turn: to put up a fence takes longer than most attacks. */
interface Place {
  /** null: the play has a place of its own. */
  shared: string | null;
  rules: readonly PermissionRule[];
}

function planned(attack: Attack, ways: readonly Way[]): Planned[] {
  const byCommand = attack.steps.flat().some(({ name }) => name === "shell");
  const { id, levels = ["work"], approved = byCommand, rules = [] } = attack;
  const plan = (play: string, level: Level, way: Way): Planned => {
    const shared = canShare(attack) ? `${kindOf(rules)}-${level}` : null;
    return { attack, play, level, way, id: `${id}-${play}`, place: { shared, rules } };
  };
  return ways.flatMap((way): Planned[] => {
    if (way === "refused") return levels.map((level) => plan(level, level, way));
    if (way === "approved" && !approved) return [];
    return [plan(way, "ask", way)];
  });
}

/** One that leaves nothing to the next: no answers that hold for longer. A port is another one in each play. */
const canShare = ({ answers, hosts, folder, proxied }: Attack) => !(answers || folder || (hosts && proxied));

/**
 * A word for the rules that a place has. Rules that allow stand there together: each attack has those of its own, and more
 * of them make nothing harder for it.
 */
function kindOf(rules: readonly PermissionRule[]): string {
  if (rules.length === 0) return "lane";
  if (rules.every(({ verdict }) => verdict === "allow")) return "allowed";
  return createHash("sha256").update(JSON.stringify(rules)).digest("hex").slice(0, 12);
}

/** A running app, with what the attacks in it are after. */
class Stage {
  readonly #ways: readonly Way[];
  readonly #parley: Parley;
  readonly #driver: Driver;
  readonly #model: ModelServer;
  readonly #field: Field;
  readonly #proxy: Proxy;
  /** Of the shared places of each lane. */
  readonly #conversations = Array.from({ length: lanes }, () => new Map<string, string>());

  private constructor(
    ways: readonly Way[],
    parley: Parley,
    driver: Driver,
    { model, field, proxy }: { model: ModelServer; field: Field; proxy: Proxy },
  ) {
    this.#ways = ways;
    this.#parley = parley;
    this.#driver = driver;
    this.#model = model;
    this.#field = field;
    this.#proxy = proxy;
  }

  static async start(
    attacks: readonly Attack[],
    ways: readonly Way[],
    settings: Record<string, unknown>,
  ): Promise<Stage> {
    const { proxied = false, provider = "anthropic" } = attacks[0] ?? {};
    const model = await createModelServer(protocols[provider]());
    const field = createField();
    const proxy = await createGullibleProxy();
    const ofPlaces = attacks
      .flatMap((attack) => planned(attack, ways))
      .flatMap(({ id, place: { shared, rules } }) => {
        const everyLane = Array.from({ length: lanes }, (_, lane) => `${shared}-${lane}`);
        const places = shared === null ? [id] : everyLane;
        return places.flatMap((place) =>
          rules.map((rule) => ({ ...rule, folder: join(field.home, "work", place, "project") })),
        );
      });
    const permissionRules = [...new Map(ofPlaces.map((rule) => [JSON.stringify(rule), rule])).values()];
    // A command that waits for what never comes must not hold up the others.
    const kept = {
      provider,
      retryBaseMs: 1,
      shellTimeoutMs: 15_000,
      "fence.maxMemoryMb": 1500,
      permissionRules,
      "fence.readable": Object.values(toolChains()),
      ...settings,
    };
    writeFileSync(join(field.userData, "settings.json"), JSON.stringify(kept));
    const parley = await launchParley({
      home: field.home,
      isOfWorker: true,
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
      return new Stage(ways, parley, driver, { model, field, proxy });
    } catch (error) {
      await parley.close();
      throw error;
    }
  }

  async play(attacks: readonly Attack[]): Promise<Outcome[]> {
    const first = this.#model.requests.length;
    const outcomes: Outcome[] = [];
    const waiting = tasksOf(attacks.map((attack) => planned(attack, this.#ways)));
    const work = async (lane: number, conversations: Map<string, string>) => {
      for (let next = waiting.shift(); next; next = waiting.shift()) {
        // Those of one attack one after the other: some are after the same file.
        const asked = new Set<Attack>();
        for (const plan of next) {
          // What runs fenced without being asked for runs so after a yes, too.
          const isPlayed = next.some(({ attack, way }) => attack === plan.attack && way !== plan.way);
          if (plan.way === "approved" && !asked.has(plan.attack) && !plan.attack.hosts && isPlayed) continue;
          const outcome = await playOne(plan, {
            driver: this.#driver,
            field: this.#field,
            proxy: this.#proxy,
            parley: this.#parley.app.process().pid ?? 0,
            lane,
            conversations,
          });
          if (outcome.asked) asked.add(plan.attack);
          outcomes.push(outcome);
        }
      }
    };
    await Promise.all(this.#conversations.map((conversations, lane) => work(lane, conversations)));
    addLeaks(outcomes, this.#model.requests.slice(first));
    // Where nothing was done nothing was shown.
    for (const { said, harm } of outcomes) if (said === "") harm.push(`${notPlayed}: no result came`);
    return outcomes;
  }

  async close(): Promise<void> {
    await this.#parley.close();
    await this.#proxy.close();
    this.#field.close();
    await this.#model.close();
  }
}

type Proxy = Awaited<ReturnType<typeof createGullibleProxy>>;

/** How a line begins that tells of no harm: the play came to nothing. */
export const notPlayed = "it could not be played";

/** What is played one after the other: all of an attack, and of all that the same rules deny. */
function tasksOf(plans: readonly (readonly Planned[])[]): Planned[][] {
  const tasks = new Map<string, Planned[]>();
  for (const plan of plans) {
    const [first] = plan;
    if (!first) continue;
    const { shared, rules } = first.place;
    const isAlone = shared === null || rules.every(({ verdict }) => verdict === "allow");
    const key = isAlone ? first.id : kindOf(rules);
    tasks.set(key, [...(tasks.get(key) ?? []), ...plan]);
  }
  // The longest first.
  return [...tasks.values()].sort((a, b) => b.length - a.length);
}

const protocols = { anthropic: anthropicProtocol, openai: openaiProtocol, gemini: geminiProtocol };

interface Around {
  driver: Driver;
  field: Field;
  proxy: { url: string; asked: readonly string[] };
  parley: number;
  /** Of those that are played one after the other. */
  lane: number;
  /** Of its shared places. */
  conversations: Map<string, string>;
}

async function playOne(plan: Planned, { lane, conversations, ...around }: Around): Promise<Outcome> {
  const { attack, id, level, way } = plan;
  const { driver } = around;
  const { shared } = plan.place;
  const place = shared === null ? id : `${shared}-${lane}`;
  const play = await createPlay({ ...around, attack, id, place });
  const harm: string[] = [];
  let asked = false;
  try {
    const conversation = conversations.get(place) ?? (await driver.open(play.folder, level));
    if (shared !== null) conversations.set(place, conversation);
    for (const [index, calls] of attack.steps.entries()) {
      const prompt = promptFor(markOf(plan.attack.id, plan.play), play.fill(calls));
      await driver.run(conversation, prompt, (card) => {
        asked ||= card.effect === "execute";
        return answerTo(card, attack, way, index);
      });
    }
    harm.push(...(await play.harm()));
    if (shared === null) await driver.close(conversation);
  } catch (error) {
    conversations.delete(place);
    harm.push(`${notPlayed}: ${String(error)}`, ...(await play.harm()));
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
function whyNot({ needs = [] }: Attack): string | null {
  const missing = needs.find((program) => !isOnPath(program));
  return missing === undefined ? null : `${missing} is not here`;
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
