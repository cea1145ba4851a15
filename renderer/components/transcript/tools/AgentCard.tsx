import { memo, type ReactNode, use } from "react";
import { modelName } from "../../../../shared/conversation/model-name.ts";
import { type AgentView, startedAgentId } from "../../../../shared/conversation/subagents.ts";
import { toolItem } from "../../../../shared/conversation/transcript-items.ts";
import { visibleText } from "../../../../shared/safety/visible-text.ts";
import { toolSummary } from "../../../state/conversation/tool-summary.ts";
import { toolWords } from "../../../state/conversation/tool-words.ts";
import { duration, wholeSeconds } from "../../../state/conversation/wording.ts";
import { texts } from "../../../texts/texts.ts";
import { Icon } from "../../ui/Icon.tsx";
import { useNow } from "../../ui/use-now.ts";
import { Markdown } from "../markdown/Markdown.tsx";
import styles from "./AgentCard.module.css";
import { AgentsContext } from "./agents-context.ts";
import { useOpenLine } from "./open-lines-context.ts";
import card from "./ToolCard.module.css";
import { ToolCard, type ToolItem } from "./ToolCard.tsx";
import { useAgentSteps } from "./use-agent-steps.ts";

const t = texts.transcript.agent;

const marks = {
  waiting: texts.transcript.tool.waiting,
  running: texts.transcript.tool.running,
  completed: texts.transcript.tool.done,
  failed: texts.transcript.tool.failed,
  stopped: texts.transcript.tool.stopped,
} as const;

const shapes = {
  waiting: "hand",
  running: "agent",
  completed: "agent",
  failed: "close",
  stopped: "stop",
} as const;

/** A sub-agent in one line: its task, how many steps it made, and below what it does now; opened, those steps and its answer. */
export function AgentCard({ item, showStep }: { item: ToolItem; showStep: ShowStep }) {
  const { agents, waiting } = use(AgentsContext);
  const agentId = startedAgentId(item.output);
  const agent = agents.find((one) => one.agentId === agentId);
  if (!agent) return <ToolCard item={item} />;
  return <KnownAgent item={item} agent={agent} isWaiting={waiting.has(agent.agentId)} showStep={showStep} />;
}

/** A step is a call like any other, also one that starts an agent. */
type ShowStep = (step: ToolItem) => ReactNode;

interface KnownAgentProps {
  item: ToolItem;
  agent: AgentView;
  /** For the user's word. */
  isWaiting: boolean;
  showStep: ShowStep;
}

/** Others of them change at the same time: a line is made again only where its own agent did something. */
const KnownAgent = memo(function KnownAgent({ item, agent, isWaiting, showStep }: KnownAgentProps) {
  const [isOpen, toggle] = useOpenLine(item.key);
  const model = modelIn(item.input) === null ? null : modelName(agent.model);
  const folder = folderIn(item.input);
  const state = isWaiting ? "waiting" : agent.status;
  return (
    <div
      className={card.tool}
      data-testid="agent-card"
      data-key={item.key}
      data-status={agent.status}
      data-mark={state}
    >
      <button
        type="button"
        className={card.line}
        data-testid="agent-summary"
        aria-expanded={isOpen}
        title={t.title}
        onClick={toggle}
      >
        {agent.status === "running" && !agent.current ? (
          <span className={card.spin} role="img" aria-label={marks.running} />
        ) : (
          <span className={`${card.mark} ${card[state] ?? ""}`} role="img" aria-label={marks[state]}>
            <Icon name={shapes[state]} />
          </span>
        )}
        <b className={styles.task}>{toolSummary(item.input) || agent.task}</b>
        <span className={styles.kind}>
          {[model === null ? t.kind : t.kindWith(model), folder].filter(Boolean).join(" · ")}
        </span>
        <span className="sp" />
        <span className={card.ms}>{t.steps(agent.steps)}</span>
        <span className={card.ms}>
          {agent.endedAt === null ? (
            <Elapsed since={agent.startedAt} />
          ) : (
            duration(agent.endedAt - agent.startedAt)
          )}
        </span>
        <Icon name={isOpen ? "chevronDown" : "chevronRight"} />
      </button>
      {!isOpen && agent.current && (
        <p className={styles.now} data-testid="agent-now">
          {!isWaiting && <span className={card.spin} aria-hidden="true" />}
          <span className={styles.clip}>
            {isWaiting && `${marks.waiting} · `}
            {nowOf(agent.current)}
          </span>
        </p>
      )}
      {isOpen && <Inside agent={agent} task={taskIn(item.input) ?? agent.task} showStep={showStep} />}
    </div>
  );
});

/** What it does at this moment, in the words of its line. */
function nowOf({ name, input, toolUseId }: NonNullable<AgentView["current"]>): ReactNode {
  const { said, thing } = toolWords(toolItem({ name, input, toolUseId }, 0));
  return (
    <>
      {said} <code>{visibleText(thing)}</code>
    </>
  );
}

/** Made only when open: what it did is fetched then. */
function Inside({ agent, task, showStep }: { agent: AgentView; task: string; showStep: ShowStep }) {
  const known = useAgentSteps(agent);
  return (
    <div className={`${card.inside} ${styles.inside}`} data-testid="agent-inside">
      <h3>{t.task}</h3>
      {/* biome-ignore lint/a11y/noNoninteractiveTabindex: it scrolls, and the keyboard must reach it */}
      <pre tabIndex={0}>{task}</pre>
      {known === "none" && <p className={styles.left}>{t.notKept}</p>}
      {known !== null && known !== "none" && (
        <>
          <h3>{t.stepsTitle}</h3>
          {known.left > 0 && <p className={styles.left}>{t.left(known.left)}</p>}
          {known.steps.length === 0 && <p className={styles.left}>{t.noSteps}</p>}
          <div className={styles.steps} data-testid="agent-steps">
            {known.steps.map(showStep)}
          </div>
          {known.answer !== "" && (
            <>
              <h3>{t.answer}</h3>
              <div className={styles.answer} data-testid="agent-answer">
                <Markdown text={known.answer} streaming={false} />
              </div>
            </>
          )}
        </>
      )}
    </div>
  );
}

const fieldOf = (input: unknown, name: string): string | null => {
  const value = typeof input === "object" && input !== null ? Reflect.get(input, name) : null;
  return typeof value === "string" ? value : null;
};
const modelIn = (input: unknown) => fieldOf(input, "model");
const folderIn = (input: unknown) => fieldOf(input, "working_dir");
const taskIn = (input: unknown) => fieldOf(input, "task");

const Elapsed = ({ since }: { since: number }) => wholeSeconds(useNow() - since);
