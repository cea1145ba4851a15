import type { AgentView } from "../../../shared/conversation/subagents.ts";
import type { ConversationView } from "../../../shared/conversation/transcript.ts";
import { isRunningTool, waitedMs } from "../../../shared/conversation/transcript-items.ts";
import { toolSummary } from "../conversation/tool-summary.ts";

/** What of a run goes on now and can be ended alone. `since`: milliseconds since the epoch. */
export type RunningPart =
  | { kind: "agent"; agent: AgentView }
  | { kind: "command"; toolUseId: string; command: string; since: number };

/** Commands that wait for the user's word do not run yet, and have not run while they did. */
export function runningParts({
  items,
  agents = [],
}: Pick<ConversationView, "items" | "agents">): RunningPart[] {
  const approvals = items.filter((item) => item.kind === "approval");
  const commands = items
    .filter(isRunningTool)
    .filter(({ name }) => name === "shell")
    .flatMap(({ key, input, startedAt }) => {
      const own = approvals.filter(({ toolUseId }) => toolUseId === key);
      if (own.some(({ status }) => status === "waiting")) return [];
      const since = startedAt + waitedMs(own, startedAt);
      return [{ kind: "command" as const, toolUseId: key, command: toolSummary(input), since }];
    });
  const running = agents.filter(({ status }) => status === "running");
  return [...running.map((agent) => ({ kind: "agent" as const, agent })), ...commands];
}
