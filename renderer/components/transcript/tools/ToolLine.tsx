import { use } from "react";
import { taskTool } from "../../../../shared/conversation/tasks.ts";
import type { ApprovalItem } from "../../../../shared/conversation/transcript-items.ts";
import { agentCallWords } from "../../../state/conversation/agent-words.ts";
import { AgentCard } from "./AgentCard.tsx";
import { AgentsContext } from "./agents-context.ts";
import { TaskLine } from "./TaskLine.tsx";
import { ToolCard, type ToolItem } from "./ToolCard.tsx";

interface ToolLineProps {
  item: ToolItem;
  /** What the user was asked about it. */
  approvals?: readonly ApprovalItem[];
  /** Its change shows by itself. */
  isNewestEdit?: boolean | undefined;
  /** It waits for the user's word, and its card stands elsewhere. */
  waits?: boolean;
}

const none: readonly ApprovalItem[] = [];

/** A tool call as its kind is shown. */
export function ToolLine({ item, approvals = none, isNewestEdit, waits = false }: ToolLineProps) {
  switch (item.name) {
    case taskTool:
      return item.status === "failed" || item.status === "stopped" ? (
        <ToolCard item={item} approvals={approvals} />
      ) : (
        <TaskLine item={item} />
      );
    case "spawn_agent":
      return <AgentCard item={item} showStep={showStep} />;
    case "wait":
    case "send_input":
    case "close_agent":
      return <AgentCall item={item} />;
    default:
      return <ToolCard item={item} approvals={approvals} isNewestEdit={isNewestEdit} waits={waits} />;
  }
}

const showStep = (step: ToolItem) => <Step key={step.key} item={step} />;

/** A step of a sub-agent. */
function Step({ item }: { item: ToolItem }) {
  const { waiting } = use(AgentsContext);
  return <ToolLine item={item} waits={waiting.has(item.key)} />;
}

/** A call about an agent is named by the agent's task. */
function AgentCall({ item }: { item: ToolItem }) {
  const { agents } = use(AgentsContext);
  const words = agentCallWords(item, agents);
  return words ? <ToolCard item={item} said={words.said} what={words.what} /> : <ToolCard item={item} />;
}
