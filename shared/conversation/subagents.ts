import type { AgentEvent } from "./events.ts";

/** A sub-agent as a window shows it. Its steps and its answer are fetched when they are looked at. */
export interface AgentView {
  agentId: string;
  /** The agent whose agent it is; absent where the conversation's own run started it. */
  parentId?: string | undefined;
  /** Its beginning. */
  task: string;
  /** Full id, or as it was named where it is from the store. */
  model: string;
  status: "running" | "completed" | "failed" | "stopped";
  /** Calls that it began. */
  steps: number;
  /** What it does now; null while it thinks, and when it has ended. */
  current: { toolUseId: string; name: string; input: unknown } | null;
  /** Milliseconds since the epoch. */
  startedAt: number;
  endedAt: number | null;
}

/** Of a conversation's agents the newest are shown. */
export const mostAgents = 200;
/** Of an agent's calls the newest are shown, the others counted. */
export const mostSteps = 200;
const maxTaskChars = 300;
const maxInputChars = 200;

type AgentEvents = Extract<AgentEvent, { type: `subagent.${string}` }>;

/** The agents after an event about one of them, oldest first. Never mutates `agents`. */
export function agentsAfter(agents: readonly AgentView[], event: AgentEvents): readonly AgentView[] {
  const { agentId, at } = event;
  const place = agents.findLastIndex((agent) => agent.agentId === agentId);
  const known = agents[place];
  switch (event.type) {
    case "subagent.started": {
      if (known) return agents.with(place, { ...known, status: "running", endedAt: null });
      const { parentId, task, model } = event;
      const begun: AgentView = {
        agentId,
        ...(parentId !== undefined && { parentId }),
        task: task.slice(0, maxTaskChars),
        model,
        status: "running",
        steps: 0,
        current: null,
        startedAt: at,
        endedAt: null,
      };
      return [...agents, begun].slice(-mostAgents);
    }
    case "subagent.step": {
      if (!known) return agents;
      const { toolUseId, name, input, steps, isRunning } = event;
      if (isRunning) return agents.with(place, { ...known, steps, current: { toolUseId, name, input } });
      return known.current?.toolUseId === toolUseId
        ? agents.with(place, { ...known, current: null })
        : agents;
    }
    case "subagent.ended":
      return known
        ? agents.with(place, { ...known, status: event.status, current: null, endedAt: at })
        : agents;
  }
}

/** What `spawn_agent` answers: the id in it is how its call is known to be this agent's, also after a restart. */
export const startedText = (agentId: string): string =>
  `Started ${agentId}. To get its report, call wait with agent_id "${agentId}".`;

/** @param output of a call of `spawn_agent` @returns null where it started none */
export const startedAgentId = (output: string): string | null =>
  /^Started (\S+)\. /.exec(output)?.[1] ?? null;

/** What a call was asked for, for a line about it: long texts are cut, what is nested and long is left out. */
export function boundedInput(input: unknown): unknown {
  if (typeof input === "string") return cut(input);
  if (typeof input !== "object" || input === null) return input;
  return Object.fromEntries(
    Object.entries(input)
      .slice(0, 10)
      .map(([name, value]) => [name, boundedValue(value)]),
  );
}

function boundedValue(value: unknown): unknown {
  if (typeof value === "string") return cut(value);
  const isLong = typeof value === "object" && (JSON.stringify(value) ?? "").length > maxInputChars;
  return isLong ? "…" : value;
}

const cut = (text: string) => (text.length > maxInputChars ? `${text.slice(0, maxInputChars)}…` : text);
