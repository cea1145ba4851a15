import { modelName } from "../../../shared/conversation/model-name.ts";
import type { McpServerView } from "../../../shared/servers/mcp.ts";
import { wholeSeconds } from "../../state/conversation/wording.ts";
import type { RunningPart } from "../../state/panel/running-parts.ts";
import { texts } from "../../texts/texts.ts";
import { Icon } from "../ui/Icon.tsx";
import { useNow } from "../ui/use-now.ts";
import { useWindowState } from "../window/window-context.ts";
import styles from "./RunningSection.module.css";
import { Section } from "./Section.tsx";

const t = texts.panel.running;

interface RunningSectionProps {
  parts: readonly RunningPart[];
  /** Those that are up. */
  running: readonly McpServerView[];
}

/** Sub-agents, commands and servers that run now. Each can be stopped alone. */
export function RunningSection({ parts, running }: RunningSectionProps) {
  const { panel, servers } = useWindowState();
  return (
    <Section title={t.title} end={String(parts.length + running.length)} testId="running">
      <ul>
        {parts.map((part) =>
          part.kind === "agent" ? (
            <Row
              key={part.agent.agentId}
              kind="agent"
              name={part.agent.task}
              isLive
              about={[modelName(part.agent.model), t.steps(part.agent.steps)]}
              since={part.agent.startedAt}
              onStop={() => panel.stopPart({ agentId: part.agent.agentId })}
            />
          ) : (
            <Row
              key={part.toolUseId}
              kind="command"
              name={part.command}
              isLive
              about={[t.command]}
              since={part.since}
              onStop={() => panel.stopPart({ toolUseId: part.toolUseId })}
            />
          ),
        )}
        {running.map(({ name, state, tools }) => (
          <Row
            key={name}
            kind="server"
            name={name}
            isLive={state === "starting"}
            about={[t.server, state === "starting" ? t.starting : t.tools(tools.length)]}
            onStop={() => void servers.act(name, "stop")}
          />
        ))}
      </ul>
    </Section>
  );
}

interface RowProps {
  kind: "agent" | "command" | "server";
  name: string;
  /** It works at this moment. */
  isLive: boolean;
  about: readonly string[];
  /** Milliseconds since the epoch. */
  since?: number;
  onStop: () => void;
}

function Row({ kind, name, isLive, about, since, onStop }: RowProps) {
  return (
    <li className={styles.row} data-testid="running-part" data-kind={kind}>
      {isLive ? (
        <span className={styles.spin} aria-hidden="true" />
      ) : (
        <span className={styles.mark}>
          <Icon name="plug" size={14} />
        </span>
      )}
      <span className={styles.name}>
        <bdi className={kind === "command" ? styles.command : undefined} title={name}>
          {name}
        </bdi>
        <small>
          {about.join(" · ")}
          {since !== undefined && (
            <>
              {" · "}
              <Elapsed since={since} />
            </>
          )}
        </small>
      </span>
      <button
        type="button"
        className="btn icon ghost"
        title={t.stop(name)}
        aria-label={t.stop(name)}
        onClick={onStop}
      >
        <Icon name="stop" size={14} />
      </button>
    </li>
  );
}

const Elapsed = ({ since }: { since: number }) => wholeSeconds(useNow() - since);
