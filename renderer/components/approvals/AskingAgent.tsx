import { use } from "react";
import { visibleText } from "../../../shared/safety/visible-text.ts";
import { texts } from "../../texts/texts.ts";
import { AgentsContext } from "../transcript/tools/agents-context.ts";
import card from "../ui/Card.module.css";

/** The sub-agent whose card it is, by its task in one line; nothing of the conversation's own call. */
export function AskingAgent({ agentId }: { agentId: string | undefined }) {
  const { agents } = use(AgentsContext);
  if (agentId === undefined) return null;
  const task = agents.find((agent) => agent.agentId === agentId)?.task ?? "";
  const words = texts.approvals.askingAgent(visibleText(task));
  return (
    <p className={`hint ${card.agent}`} data-testid="asking-agent" title={words}>
      {words}
    </p>
  );
}
