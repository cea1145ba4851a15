import { taskTool } from "../../../../shared/conversation/tasks.ts";
import type { Profile, Tool } from "../../ports/ports.ts";

/** They start and steer agents: not offered where another level of agents is not allowed. */
export const subagentTools: readonly string[] = ["spawn_agent", "send_input", "wait", "close_agent"];

/** The tools of a run: what the provider's profile names, as far as it is available here. */
export function offeredTools(tools: readonly Tool[], profile: Profile, maySpawn: boolean): Tool[] {
  return tools.filter(
    (tool) =>
      tool.unavailable === undefined &&
      (tool.everyProfile || profile.toolNames.includes(tool.name)) &&
      (maySpawn || !subagentTools.includes(tool.name)),
  );
}

/** What a sub-agent is offered of its parent's tools: the list of tasks is the conversation's. */
export function toolsOfSubagent(tools: readonly Tool[], maySpawn: boolean): Tool[] {
  return tools.filter(({ name }) => name !== taskTool && (maySpawn || !subagentTools.includes(name)));
}
