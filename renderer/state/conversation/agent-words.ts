import type { AgentView } from "../../../shared/conversation/subagents.ts";
import type { ToolItem } from "../../../shared/conversation/transcript-items.ts";
import { texts } from "../../texts/texts.ts";
import { toolSummary } from "./tool-summary.ts";

const t = texts.transcript.agent;

/** What a call about a sub-agent did, by the agent's task. @returns null where the agent is not known */
export function agentCallWords(
  { name, input, status }: Pick<ToolItem, "name" | "input" | "status">,
  agents: readonly AgentView[],
): { said: string; what: string } | null {
  const agentId = fieldOf(input, "agent_id");
  const agent = agents.find((one) => one.agentId === agentId);
  if (!agent) return null;
  const task = toolSummary(agent.task);
  if (name === "wait") return { said: status === "running" ? t.waitingFor : t.waitedFor, what: task };
  if (name === "close_agent") return { said: t.stopped, what: task };
  return { said: t.told, what: t.toldWhat(task, toolSummary(fieldOf(input, "message"))) };
}

function fieldOf(input: unknown, name: string): unknown {
  return typeof input === "object" && input !== null ? Reflect.get(input, name) : undefined;
}
