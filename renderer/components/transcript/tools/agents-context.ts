import { createContext } from "react";
import type { AgentView } from "../../../../shared/conversation/subagents.ts";
import type { AgentSteps, ToolOutputWhole } from "../../../../shared/ipc/conversation-routes.ts";

/** What the lines about sub-agents know of them. */
interface Agents {
  agents: readonly AgentView[];
  /** Those that wait for the user's word, and those of their steps that do, by the keys of their lines. */
  waiting: ReadonlySet<string>;
  /** @returns null where that cannot be had */
  load: (agentId: string) => Promise<AgentSteps | null>;
  /** All that a call gave, by the key of its line. @returns null where that cannot be had */
  loadOutput: (key: string) => Promise<ToolOutputWhole | null>;
}

/** Without a provider, as in the quick window, a call about an agent is a call like others. */
export const AgentsContext = createContext<Agents>({
  agents: [],
  waiting: new Set(),
  load: async () => null,
  loadOutput: async () => null,
});
