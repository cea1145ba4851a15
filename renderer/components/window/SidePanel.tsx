import type { ReactNode } from "react";
import type { ConversationView } from "../../../shared/conversation/transcript.ts";
import type { AppInfo } from "../../../shared/ipc.ts";
import { duration, keyLabel, sourceName, voiceLabel } from "../../state/conversation/wording.ts";

/** What is known for certain about the conversation, voice and the runtime, and the keys. */
export function SidePanel({ view, info }: { view: ConversationView | null; info: AppInfo | null }) {
  const mod = info?.platform;
  return (
    <aside className="right" aria-label="Details">
      {view && <Facts view={view} />}
      {info && (
        <section>
          <h2>Parley {info.version}</h2>
          <Fact name="provider">{info.provider}</Fact>
          {info.modelHost !== undefined && <Fact name="prompts go to">{info.modelHost}</Fact>}
          <Fact name="Electron">{info.electron}</Fact>
          <Fact name="Chromium">{info.chrome.split(".")[0]}</Fact>
          {info.isTestRuntime && (
            <p className="small-print">
              This is the end-of-life runtime for development and tests. No release ships it.
            </p>
          )}
        </section>
      )}
      <section>
        <h2>Keys</h2>
        <Key name="send">Enter</Key>
        <Key name="new line">Shift+Enter</Key>
        <Key name="stop the run">Esc</Key>
        <Key name="steer the run">{keyLabel(mod, "Enter")}</Key>
        <Key name="allow a tool">{keyLabel(mod, "Y", true)}</Key>
        <Key name="deny it">{keyLabel(mod, "X", true)}</Key>
        <Key name="what waits">{keyLabel(mod, "A", true)}</Key>
        <Key name="level">{keyLabel(mod, "P", true)}</Key>
        <Key name="MCP servers">{keyLabel(mod, "S", true)}</Key>
        <Key name="voice on, off">{keyLabel(mod, "M", true)}</Key>
        <Key name="voice panel">{keyLabel(mod, "L", true)}</Key>
        <Key name="dictate">{keyLabel(mod, "D", true)}</Key>
        <Key name="new conversation">{keyLabel(mod, "N")}</Key>
        <Key name="search">{keyLabel(mod, "K")}</Key>
        <Key name="commands">/</Key>
      </section>
    </aside>
  );
}

function Facts({ view }: { view: ConversationView }) {
  const prompts = view.items.filter((item) => item.kind === "user");
  const tools = view.items.filter((item) => item.kind === "tool");
  const toolMs = tools.reduce((sum, item) => sum + (item.durationMs ?? 0), 0);
  const { state, source } = view.voice;
  return (
    <>
      <section>
        <h2>This conversation</h2>
        <Fact name="prompts">{prompts.length}</Fact>
        <Fact name="of them spoken">{prompts.filter((item) => item.origin === "voice").length}</Fact>
        <Fact name="tool calls">{tools.length}</Fact>
        {tools.length > 0 && <Fact name="time in tools">{duration(toolMs)}</Fact>}
      </section>
      <section>
        <h2>Voice</h2>
        <Fact name="state">{state === "off" ? "off" : voiceLabel(state, source)}</Fact>
        {source && state !== "off" && <Fact name="source">{sourceName[source]}</Fact>}
      </section>
    </>
  );
}

const Fact = ({ name, children }: { name: string; children: ReactNode }) => (
  <div className="kv">
    <span>{name}</span>
    <b>{children}</b>
  </div>
);

const Key = ({ name, children }: { name: string; children: ReactNode }) => (
  <div className="kv">
    <span>{name}</span>
    <kbd>{children}</kbd>
  </div>
);
