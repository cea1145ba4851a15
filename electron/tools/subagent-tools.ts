import { z } from "zod";
import type { SubagentReport, Tool } from "../agent/ports/ports.ts";
import { counted } from "./environment/text-content.ts";

const maxWaitMs = 600_000;
const agentId = z.string().min(1).describe("As spawn_agent gave it.");

const spawnInput = z.object({
  task: z.string().trim().min(1).describe("Everything it has to know: it sees nothing of this conversation."),
  max_turns: z.number().int().min(1).optional().describe("Most replies of its model; default: no limit."),
});
const spawn: Tool<z.infer<typeof spawnInput>> = {
  name: "spawn_agent",
  description:
    "Starts a sub-agent on a task of its own, in the same working folder. It runs beside you: start several for independent tasks, then wait for each. It ends with your turn: wait before you end it.",
  input: spawnInput,
  effect: "read",
  async run({ task, max_turns }, { subagents }) {
    const id = subagents.spawn(task, { maxTurns: max_turns });
    return { text: `Started ${id}. Its report: wait with agent_id ${id}.` };
  },
};

const sendInputInput = z.object({ agent_id: agentId, message: z.string().trim().min(1) });
const sendInput: Tool<z.infer<typeof sendInputInput>> = {
  name: "send_input",
  description:
    "Tells a sub-agent something while it works, or gives one that has finished something new to do.",
  input: sendInputInput,
  effect: "read",
  async run({ agent_id, message }, { subagents }) {
    subagents.sendInput(agent_id, message);
    return { text: `Sent to ${agent_id}.` };
  },
};

const waitInput = z.object({
  agent_id: agentId,
  timeout_ms: z.number().int().min(0).max(maxWaitMs).default(120_000).describe("Most 600000."),
});
const wait: Tool<z.infer<typeof waitInput>> = {
  name: "wait",
  description: "Waits for a sub-agent to finish and returns its report.",
  input: waitInput,
  effect: "read",
  async run({ agent_id, timeout_ms }, { subagents }) {
    return report(agent_id, await subagents.wait(agent_id, timeout_ms));
  },
};

function report(id: string, { status, output, turns }: SubagentReport): { text: string; isError?: boolean } {
  if (status === "running") {
    return {
      text: `${id} is still at work after ${counted(turns, "turn")}. Wait again, or close it.\n${output}`.trim(),
    };
  }
  const text = `${id} ${status} after ${counted(turns, "turn")}.\n${output}`.trim();
  return status === "failed" ? { text, isError: true } : { text };
}

const closeInput = z.object({ agent_id: agentId });
const close: Tool<z.infer<typeof closeInput>> = {
  name: "close_agent",
  description: "Ends a sub-agent that is no longer needed. What it has done stays done.",
  input: closeInput,
  effect: "read",
  async run({ agent_id }, { subagents }) {
    await subagents.close(agent_id);
    return { text: `${agent_id} is closed.` };
  },
};

/** What they start asks for approval by itself, tool by tool: starting an agent changes nothing. */
export const subagentTools: readonly Tool[] = [spawn, sendInput, wait, close];
