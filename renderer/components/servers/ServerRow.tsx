import { useState } from "react";
import { whoseTheyAre, whyTakenOut } from "../../../shared/safety/left-files.ts";
import type { McpServerState, McpServerView } from "../../../shared/servers/mcp.ts";
import { useWindow } from "../window/window-context.ts";

const states: Record<McpServerState, { mark: string; words: string }> = {
  ready: { mark: "✓", words: "runs" },
  starting: { mark: "…", words: "starts" },
  failed: { mark: "✕", words: "failed" },
  stopped: { mark: "○", words: "stopped" },
  needs_sign_in: { mark: "!", words: "wants you to sign in" },
  needs_approval: { mark: "!", words: "asks to be trusted" },
};

/** How the user gets it to run, where it does not. */
const starts: Partial<Record<McpServerState, string>> = {
  failed: "Retry",
  stopped: "Start",
  needs_sign_in: "Sign in",
};

const sources = { user: "", settings: "settings.json", project: "this folder's .mcp.json" } as const;

/** One server: its state in words, why, its last lines, its tools, and what can be done about it. */
export function ServerRow({ server }: { server: McpServerView }) {
  const { servers } = useWindow();
  const [isOpen, setOpen] = useState(false);
  const { name, state, why, what, source, log, restarts, tools, prompts, proposal, fence } = server;
  const { asksForHosts, left } = server;
  const { mark, words } = states[state];
  const start = starts[state];
  const on = tools.filter(({ isOn }) => isOn).length;
  const act = (label: string, action: Parameters<typeof servers.act>[1], kind = "", seen?: string) => (
    <button
      type="button"
      className={`btn small ${kind}`}
      aria-label={`${label} ${name}`}
      onClick={() => void servers.act(name, action, seen)}
    >
      {label}
    </button>
  );
  return (
    <li data-testid="server" data-name={name} data-state={state}>
      <div className="line">
        <span className={`mark ${state}`} aria-hidden="true">
          {mark}
        </span>
        <b>{name}</b>
        <span className="about">
          {words}
          {restarts > 0 && ` · started again ${restarts}×`}
          {sources[source] !== "" && ` · ${sources[source]}`}
        </span>
        {tools.length > 0 && (
          <button
            type="button"
            className="btn small ghost"
            aria-expanded={isOpen}
            data-testid="server-tools"
            onClick={() => setOpen(!isOpen)}
          >
            {on === tools.length ? "" : `${on} of `}
            {tools.length === 1 ? "1 tool" : `${tools.length} tools`}
          </button>
        )}
        {start !== undefined && act(start, "restart", "primary")}
        {state === "needs_approval" &&
          proposal !== null &&
          act("Trust and start", "allow", "primary", proposal.fingerprint)}
        {(state === "ready" || state === "starting") && act("Restart", "restart")}
        {(state === "ready" || state === "starting") && act("Stop", "stop")}
        {fence !== null && (
          <label
            className="fence"
            title={
              fence.canSwitch
                ? "In the fence it writes to its folder and its own data only, and asks for each host"
                : "What a folder brings runs in the fence wherever there is one"
            }
          >
            <input
              type="checkbox"
              data-testid="server-fence"
              checked={fence.isOn}
              disabled={!fence.canSwitch}
              onChange={(event) => void servers.act(name, event.target.checked ? "fence" : "unfence")}
            />
            Fence
          </label>
        )}
        {source === "user" && act("Remove", "remove", "ghost")}
      </div>
      {state === "needs_approval" && proposal !== null ? (
        <dl className="proposal" data-testid="server-proposal">
          {proposal.lines.map(({ label, text }) => (
            <div key={label}>
              <dt>{label}</dt>
              <dd>{text}</dd>
            </div>
          ))}
        </dl>
      ) : (
        <code className="what" title={what}>
          {what}
        </code>
      )}
      {asksForHosts.map((host) => (
        <p key={host} className="asks-host" data-testid="server-host">
          <span>
            wants to reach <code>{host}</code>
          </span>
          {act("Allow", "allow-host", "primary", host)}
          {act("Deny", "deny-host", "", host)}
        </p>
      ))}
      {left.map(({ id, folder, place, paths, detail }) => (
        <div key={id} className="left" data-testid="server-left">
          <p>
            left <code>{paths.join(", ")}</code> in <code>{folder}</code>. {whyTakenOut} {whoseTheyAre} They
            were taken out, to <code>{place}</code>.
          </p>
          {/* biome-ignore lint/a11y/noNoninteractiveTabindex: it scrolls, and the keyboard must reach it */}
          <pre tabIndex={0}>{detail}</pre>
          <p className="row">
            {act("Put back", "put-back", "", id)}
            {act("Leave out", "leave-out", "primary", id)}
          </p>
        </div>
      ))}
      {state === "needs_approval" && proposal !== null ? (
        <p className="why">
          Nothing of it runs before you trust it. Whatever of this changes is asked for again.
        </p>
      ) : (
        why !== null && <p className="why">{why.replaceAll("`", "")}</p>
      )}
      {log.length > 0 && (
        // biome-ignore lint/a11y/noNoninteractiveTabindex: it scrolls, and the keyboard must reach it
        <pre tabIndex={0}>{log.join("\n")}</pre>
      )}
      {isOpen && (
        <div className="tools">
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
          {prompts.length > 0 && <p>Prompts: {prompts.map(({ usage }) => usage).join("  ")}</p>}
        </div>
      )}
    </li>
  );
}
