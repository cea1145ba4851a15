import { use, useEffect, useRef, useState } from "react";
import type { AgentView } from "../../../../shared/conversation/subagents.ts";
import type { AgentSteps } from "../../../../shared/ipc/conversation-routes.ts";
import { AgentsContext } from "./agents-context.ts";

/**
 * What an agent did so far, kept up to date while it is looked at: one request at a time, and the next one when more has
 * happened meanwhile. null: not known yet; "none": it cannot be had.
 */
export function useAgentSteps({ agentId, status, steps, current }: AgentView): AgentSteps | "none" | null {
  const { load } = use(AgentsContext);
  const [known, setKnown] = useState<AgentSteps | "none" | null>(null);
  const asking = useRef<Promise<unknown> | null>(null);
  const wanted = useRef(0);
  const happened = `${status} ${steps} ${current?.toolUseId ?? ""}`;
  // biome-ignore lint/correctness/useExhaustiveDependencies: what happened is the occasion, not an input
  useEffect(() => {
    wanted.current++;
    const ask = async () => {
      for (let asked = -1; asked !== wanted.current; ) {
        asked = wanted.current;
        const found = await load(agentId);
        setKnown((before) => found ?? before ?? "none");
      }
      asking.current = null;
    };
    asking.current ??= ask();
  }, [happened, agentId, load]);
  return known;
}
