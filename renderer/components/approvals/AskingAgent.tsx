import { use } from "react";
import { visibleText } from "../../../shared/safety/visible-text.ts";
import { texts } from "../../texts/texts.ts";
import { AgentsContext } from "../transcript/tools/agents-context.ts";

/** The sub-agent whose card it is, by its task; nothing of the conversation's own call. */
export function AskingAgent({ agentId }: { agentId: string | undefined }) {
  const { agents } = use(AgentsContext);
  if (agentId === undefined) return null;
  const task = agents.find((agent) => agent.agentId === agentId)?.task ?? "";
  return (
    <p className="hint" data-testid="asking-agent">
      {texts.approvals.askingAgent(visibleText(task))}
    </p>
  );
}
