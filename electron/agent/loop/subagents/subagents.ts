import { join } from "node:path";
import type { AgentEventBody, AgentEventType } from "../../../../shared/conversation/events.ts";
import { textOf } from "../../../../shared/conversation/messages.ts";
import { boundedInput } from "../../../../shared/conversation/subagents.ts";
import { Context } from "../../context/context.ts";
import { titleOf } from "../../conversation/sessions/title.ts";
import type { SpawnOptions, SubagentReport, Subagents } from "../../ports/ports.ts";
import { runToEnd } from "../run.ts";
import type { RunContext, RunOutcome } from "../run-context.ts";
import { Steering } from "../steering.ts";
import { toolsOfSubagent } from "../tools/offered-tools.ts";
import { toUserError } from "../user-error.ts";
import type { SubagentRecord } from "./subagent-record.ts";

interface Agent {
  id: string;
  task: string;
  /** Calls that it began. */
  steps: number;
  context: Context;
  steering: Steering;
  controller: AbortController;
  maxTurns: number;
  model: string;
  folder: string | undefined;
  /** Resolves when its run has ended. */
  ended: Promise<void>;
  /** null while it runs. */
  outcome: RunOutcome | null;
  /** The agents that it started; null where it never ran. */
  host: SubagentHost | null;
  record: SubagentRecord;
}

/**
 * The agents that one run starts: each with a history and a loop of its own, over the parts of the run, and kept as a
 * conversation below that of the run. What they ask the user shows in the conversation. They end with the run, and none of them ever touches the environment's lifetime.
 */
export class SubagentHost implements Subagents {
  readonly #run: () => RunContext;
  readonly #depth: number;
  readonly #parentId: string | undefined;
  readonly #agents = new Map<string, Agent>();

  /**
   * @param run whose agents they are; asked for when one is started
   * @param depth how many agents stand above: 0 for a conversation's own run
   * @param parentId of the agent whose run it is
   */
  constructor(run: () => RunContext, depth = 0, parentId?: string) {
    this.#run = run;
    this.#depth = depth;
    this.#parentId = parentId;
  }

  get running(): number {
    return [...this.#agents.values()].filter(({ outcome }) => outcome === null).length;
  }

  async checkModel(name: string): Promise<void> {
    const { provider, settings, signal } = this.#run();
    const id = provider.resolveModel(name);
    if (id !== name || id === provider.resolveModel(settings.model)) return;
    // One that cannot be asked for its list answers for the name itself, at the first request.
    const listed = await provider.listModels(signal).catch(() => null);
    signal.throwIfAborted();
    if (!listed || listed.length === 0 || listed.some((one) => one.id === id)) return;
    const ids = listed.slice(0, mostNamed).map((one) => one.id);
    throw new Error(`The provider has no model "${name}". It has: ${ids.join(", ")}.`);
  }

  spawn(task: string, options: SpawnOptions = {}): string {
    const run = this.#run();
    const { settings, environment, clock, newId } = run;
    const { maxTurns = settings.maxTurns, model = settings.model, folder = run.folder } = options;
    if (this.#depth >= settings.maxSubagentDepth) {
      throw new Error(
        `Agents may not start agents below level ${settings.maxSubagentDepth}. Do it yourself.`,
      );
    }
    const id = newId();
    const createdAt = clock.now();
    const agent: Agent = {
      id,
      task,
      steps: 0,
      context: new Context(),
      steering: new Steering(newId, () => {}),
      controller: new AbortController(),
      maxTurns,
      model,
      folder,
      ended: Promise.resolve(),
      outcome: null,
      host: null,
      record: run.keepSubagent({
        id,
        title: titleOf(task),
        workingFolder: join(environment.workingDirectory, folder ?? "."),
        model,
        createdAt,
        updatedAt: createdAt,
      }),
    };
    this.#start(agent, task);
    this.#agents.set(id, agent);
    return id;
  }

  sendInput(agentId: string, text: string): void {
    const agent = this.#get(agentId);
    if (agent.outcome === null) agent.steering.add({ text, source: null });
    else this.#start(agent, text);
  }

  async wait(agentId: string, timeoutMs: number): Promise<SubagentReport> {
    const agent = this.#get(agentId);
    const { clock, signal } = this.#run();
    if (agent.outcome === null) {
      const timer = new AbortController();
      const timeout = clock.sleep(timeoutMs, AbortSignal.any([timer.signal, signal])).catch(() => {});
      await Promise.race([agent.ended, timeout]);
      timer.abort();
      signal.throwIfAborted();
    }
    return reportOf(agent);
  }

  async close(agentId: string): Promise<void> {
    const agent = this.#get(agentId);
    this.#agents.delete(agentId);
    agent.controller.abort(new Error("The agent was closed."));
    await agent.ended;
  }

  /** Ends what one of them, or of theirs, does now; whoever waits for it hears so. @returns false where it has ended */
  stop(agentId: string): boolean {
    for (const agent of this.#agents.values()) {
      if (agent.id !== agentId && agent.host?.stop(agentId)) return true;
      if (agent.id !== agentId || agent.outcome !== null) continue;
      agent.controller.abort(new Error("Stopped by the user."));
      return true;
    }
    return false;
  }

  /** Ends all that still run. Resolves when they have. */
  async dispose(): Promise<void> {
    await Promise.all([...this.#agents.keys()].map((id) => this.close(id)));
  }

  #start(agent: Agent, text: string): void {
    const { provider, emit } = this.#run();
    const model = provider.resolveModel(agent.model);
    agent.outcome = null;
    // It may have been stopped, and is asked for more now.
    if (agent.controller.signal.aborted) agent.controller = new AbortController();
    emit({
      type: "subagent.started",
      agentId: agent.id,
      ...(this.#parentId !== undefined && { parentId: this.#parentId }),
      task: agent.task,
      model,
    });
    agent.ended = this.#runAgent(agent, text);
  }

  /** Never rejects: what could not be made or kept ends the agent, and its report says so. */
  async #runAgent(agent: Agent, text: string): Promise<void> {
    const parent = this.#run();
    const outcome = await this.#runToOutcome(agent, parent, text).catch((error: unknown): RunOutcome => {
      parent.reportError(error);
      return { stopReason: "error", error: toUserError(error) };
    });
    agent.outcome = outcome;
    const { status, turns } = reportOf(agent);
    const shown = outcome.stopReason === "interrupted" ? "stopped" : status;
    if (shown !== "running") parent.emit({ type: "subagent.ended", agentId: agent.id, status: shown, turns });
  }

  async #runToOutcome(agent: Agent, parent: RunContext, text: string): Promise<RunOutcome> {
    const { context, steering, record } = agent;
    const host = new SubagentHost(() => run, this.#depth + 1, agent.id);
    agent.host = host;
    // The conversation shows what its own run says. What concerns the user reaches them, and of each call a line.
    const pass = (body: AgentEventBody) => {
      const step = stepOf(agent, body);
      if (step) parent.emit(step);
      else if (told.has(body.type)) parent.emit(body);
    };
    const mayStart = this.#depth + 1 < parent.settings.maxSubagentDepth;
    const run: RunContext = {
      ...parent,
      runId: parent.newId(),
      agentId: agent.id,
      settings: { ...parent.settings, maxTurns: agent.maxTurns, model: agent.model },
      folder: agent.folder,
      get fence() {
        return parent.fence;
      },
      get tools() {
        return toolsOfSubagent(parent.tools, mayStart);
      },
      system: `${parent.systemFor({ model: agent.model, folder: agent.folder, maySpawn: mayStart })}\n\n${subagentNote}`,
      signal: AbortSignal.any([parent.signal, agent.controller.signal]),
      context,
      steering,
      subagents: host,
      tasks: null,
      onRetryWait: undefined,
      ...record,
      keepCall: (call) => {
        try {
          record.keepCall(call);
        } catch (error) {
          parent.reportError(error);
        }
      },
      append: async (message, calls) => {
        await record.append(message, calls);
        context.append(message);
      },
      emit: pass,
      show: pass,
    };
    await run.append({
      id: run.newId(),
      role: "user",
      origin: "typed",
      source: null,
      content: [{ type: "text", text }],
      createdAt: run.clock.now(),
    });
    return await runWithAgents(run, host);
  }

  #get(agentId: string): Agent {
    const agent = this.#agents.get(agentId);
    if (agent) return agent;
    const ids = [...this.#agents.keys()].join(", ");
    throw new Error(`There is no agent "${agentId}". Agents that exist: ${ids || "none"}.`);
  }
}

/** As `runToEnd`, and to the end of the agents that it started. What was said to it while those ended is answered as well. */
export async function runWithAgents(run: RunContext, host: SubagentHost): Promise<RunOutcome> {
  for (;;) {
    const outcome = await runToEnd(run);
    await host.dispose();
    const isAnswered = !run.steering.waits || outcome.stopReason !== "end_turn" || run.signal.aborted;
    if (isAnswered) return outcome;
  }
}

/** So many of a provider's models an error names. */
const mostNamed = 20;

/** One that did not come to an end of its own has failed, whatever it said before. */
function reportOf({ context, outcome }: Agent): SubagentReport {
  const turns = context.replies;
  const last = context.history.findLast(({ role }) => role === "assistant");
  const output = textOf(last?.content ?? []);
  if (outcome === null) return { status: "running", output, turns };
  if (outcome.stopReason === "end_turn") return { status: "completed", output, turns };
  const why = outcome.error?.message ?? whyIncomplete[outcome.stopReason] ?? outcome.stopReason;
  const said = output === "" ? [] : [output];
  return { status: "failed", output: [...said, `[Incomplete: ${why}]`].join("\n\n"), turns };
}

const whyIncomplete: Partial<Record<RunOutcome["stopReason"], string>> = {
  interrupted: "the user stopped it.",
  budget_exceeded: "the budget of the conversation is used up.",
  loop_detected: "it was stuck, making the same step again and again.",
  too_many_deletions: "a command deleted more files than one may.",
  max_turns: "it reached its limit of turns.",
  max_tokens: "its last reply was cut at the length limit.",
  refusal: "the model declined.",
};

/** What a conversation shows of its sub-agents. */
const told: ReadonlySet<AgentEventType> = new Set([
  "budget.warning",
  "error",
  "subagent.started",
  "subagent.step",
  "subagent.ended",
]);

/** What is told of a call of an agent's own. */
function stepOf(agent: Agent, body: AgentEventBody): AgentEventBody | null {
  if (body.type !== "tool.started" && body.type !== "tool.ended") return null;
  const { type, toolUseId, name } = body;
  if (type === "tool.started") agent.steps++;
  const about = { agentId: agent.id, toolUseId, name, steps: agent.steps };
  if (type === "tool.ended") return { type: "subagent.step", ...about, isRunning: false };
  return { type: "subagent.step", ...about, input: boundedInput(body.input), isRunning: true };
}

const subagentNote = `# Your task

You are a sub-agent: another agent started you for the one task below, and nobody reads along. Do it with your tools, and do not ask what you can find out or decide yourself. Your last message is your report: write in it what you did, what you found, and everything the other agent needs, such as exact paths and values. If you could not do the task, say so and why.`;
