import { useState } from "react";
import type { McpServerState, McpServerView } from "../../../shared/servers/mcp.ts";
import { rich } from "../../texts/rich.ts";
import { texts } from "../../texts/texts.ts";
import { AskFirst } from "../ui/AskFirst.tsx";
import { CodeWords } from "../ui/CodeWords.tsx";
import { useWindowState } from "../window/window-context.ts";
import styles from "./ServersDialog.module.css";

const t = texts.servers;

const marks: Record<McpServerState, string> = {
  ready: "✓",
  starting: "…",
  failed: "✕",
  stopped: "○",
  needs_sign_in: "!",
  needs_approval: "!",
};

/** How the user gets it to run, where it does not. */
const starts: Partial<Record<McpServerState, string>> = {
  failed: texts.common.retry,
  stopped: t.actions.start,
  needs_sign_in: t.actions.signIn,
};

const sources = { user: "", ...t.sources };

/** One server: its state in words, why, its last lines, its tools, and what can be done about it. */
export function ServerRow({ server }: { server: McpServerView }) {
  const { servers } = useWindowState();
  const [isOpen, setOpen] = useState(false);
  const { name, state, why, what, source, log, restarts, tools, prompts, proposal, fence } = server;
  const { asksForHosts, left, leftOut } = server;
  const start = starts[state];
  const on = tools.filter(({ isOn }) => isOn).length;
  const act = (label: string, action: Parameters<typeof servers.act>[1], kind = "", seen?: string) => (
    <button
      type="button"
      className={`btn small ${kind}`}
      aria-label={t.actOn(label, name)}
      onClick={() => void servers.act(name, action, seen)}
    >
      {label}
    </button>
  );
  return (
    <li data-testid="server" data-name={name} data-state={state}>
      <div className={styles.line}>
        <span className={`${styles.mark} ${styles[state]}`} aria-hidden="true">
          {marks[state]}
        </span>
        <b>{name}</b>
        <span className={styles.about}>
          {t.states[state]}
          {restarts > 0 && t.restarted(restarts)}
          {sources[source] !== "" && t.from(sources[source])}
        </span>
        {tools.length > 0 && (
          <button
            type="button"
            className="btn small ghost"
            aria-expanded={isOpen}
            data-testid="server-tools"
            onClick={() => setOpen(!isOpen)}
          >
            {t.tools(on, tools.length)}
          </button>
        )}
        {start !== undefined && act(start, "restart", "primary")}
        {state === "needs_approval" &&
          proposal !== null &&
          act(t.actions.trust, "allow", "primary", proposal.fingerprint)}
        {(state === "ready" || state === "starting") && act(t.actions.restart, "restart")}
        {(state === "ready" || state === "starting") && act(texts.common.stop, "stop")}
        {fence !== null && (
          <label className={styles.fence} title={fence.canSwitch ? t.fenceTitle : t.fenceAlwaysTitle}>
            <input
              type="checkbox"
              data-testid="server-fence"
              checked={fence.isOn}
              disabled={!fence.canSwitch}
              onChange={(event) => void servers.act(name, event.target.checked ? "fence" : "unfence")}
            />
            {t.fence}
          </label>
        )}
        {source === "user" && (
          <AskFirst
            label={texts.common.remove}
            name={t.actOn(texts.common.remove, name)}
            className="btn small ghost"
            onYes={() => void servers.act(name, "remove")}
          />
        )}
      </div>
      {state === "needs_approval" && proposal !== null ? (
        <dl className={styles.proposal} data-testid="server-proposal">
          {proposal.lines.map(({ label, text }) => (
            <div key={label}>
              <dt>{label}</dt>
              <dd>{text}</dd>
            </div>
          ))}
        </dl>
      ) : (
        <code className={styles.what} title={what}>
          {what}
        </code>
      )}
      {asksForHosts.map((host) => (
        <p key={host} className={styles.asksHost} data-testid="server-host">
          <span>{rich(t.wantsHost(<code>{host}</code>))}</span>
          {act(t.actions.allow, "allow-host", "primary", host)}
          {act(texts.common.deny, "deny-host", "", host)}
        </p>
      ))}
      {left.map(({ id, folder, place, paths, detail }) => (
        <div key={id} className={styles.left} data-testid="server-left">
          <p>{rich(t.left(<code>{paths.join(", ")}</code>, <code>{folder}</code>, <code>{place}</code>))}</p>
          {/* biome-ignore lint/a11y/noNoninteractiveTabindex: it scrolls, and the keyboard must reach it */}
          <pre tabIndex={0}>{detail}</pre>
          <p className={styles.row}>
            {act(t.actions.putBack, "put-back", "", id)}
            {act(t.actions.leaveOut, "leave-out", "primary", id)}
          </p>
        </div>
      ))}
      {state === "needs_approval" && proposal !== null ? (
        <p className={styles.why}>{t.beforeTrust}</p>
      ) : (
        why !== null && (
          <p className={styles.why}>
            <CodeWords text={why} />
          </p>
        )
      )}
      {leftOut.length > 0 && (
        <p className={styles.why} data-testid="server-left-out" dir="auto">
          {t.leftOut(leftOut)}
        </p>
      )}
      {log.length > 0 && (
        // biome-ignore lint/a11y/noNoninteractiveTabindex: it scrolls, and the keyboard must reach it
        <pre tabIndex={0}>{log.join("\n")}</pre>
      )}
      {isOpen && (
        <div className={styles.tools}>
          {tools.map((tool) => (
            <label key={tool.name} title={tool.description}>
              <input
                type="checkbox"
                checked={tool.isOn}
                onChange={(event) => void servers.switchTool(name, tool.name, event.target.checked)}
              />
              <code>{tool.name}</code>
              <span>{tool.description}</span>
            </label>
          ))}
          {prompts.length > 0 && <p>{t.prompts(prompts.map(({ usage }) => usage).join("  "))}</p>}
        </div>
      )}
    </li>
  );
}
