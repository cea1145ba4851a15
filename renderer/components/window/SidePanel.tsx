import type { ReactNode } from "react";
import type { AppInfo } from "../../../shared/ipc.ts";
import { sourceOf } from "../../../shared/voice/voice-snapshot.ts";
import { duration, keyLabel, voiceLabel } from "../../state/conversation/wording.ts";
import type { ShownView } from "../../state/voice/shown-view.ts";
import { texts } from "../../texts/texts.ts";
import styles from "./SidePanel.module.css";
import { TasksSection } from "./TasksSection.tsx";

const t = texts.window.details;
const { keys } = texts.common;

/** What is known for certain about the conversation, voice and the runtime, and the keys. */
export function SidePanel({ view, info }: { view: ShownView | null; info: AppInfo | null }) {
  const mod = info?.platform;
  return (
    <aside className={styles.right} aria-label={t.label}>
      {view && <TasksSection tasks={view.tasks ?? []} isRunning={view.state === "processing"} />}
      {view && <Facts view={view} />}
      {info && (
        <section>
          <h2>{t.version(info.version)}</h2>
          <Fact name={t.provider}>{info.provider}</Fact>
          {info.modelHost !== undefined && <Fact name={t.promptsGoTo}>{info.modelHost}</Fact>}
          <Fact name={t.electron}>{info.electron}</Fact>
          <Fact name={t.chromium}>{info.chrome.split(".")[0]}</Fact>
          {info.isTestRuntime && <p className={styles.smallPrint}>{t.developmentBuild}</p>}
        </section>
      )}
      <section>
        <h2>{t.keys}</h2>
        <Key name={t.send}>{keys.enter}</Key>
        <Key name={t.newLine}>{keys.shiftEnter}</Key>
        <Key name={t.stop}>{keys.escape}</Key>
        <Key name={t.sendNow}>{keyLabel(mod, keys.enter)}</Key>
        <Key name={t.allow}>{keyLabel(mod, "Y", true)}</Key>
        <Key name={t.deny}>{keyLabel(mod, "X", true)}</Key>
        <Key name={t.approvals}>{keyLabel(mod, "A", true)}</Key>
        <Key name={t.level}>{keyLabel(mod, "P", true)}</Key>
        <Key name={t.servers}>{keyLabel(mod, "S", true)}</Key>
        <Key name={t.voiceOnOff}>{keyLabel(mod, "M", true)}</Key>
        <Key name={t.voicePanel}>{keyLabel(mod, "L", true)}</Key>
        <Key name={t.dictate}>{keyLabel(mod, "D", true)}</Key>
        <Key name={t.newConversation}>{keyLabel(mod, "N")}</Key>
        <Key name={t.search}>{keyLabel(mod, "K")}</Key>
        <Key name={t.commands}>{t.slash}</Key>
      </section>
    </aside>
  );
}

function Facts({ view }: { view: ShownView }) {
  const prompts = view.items.filter((item) => item.kind === "user");
  const tools = view.items.filter((item) => item.kind === "tool");
  const toolMs = tools.reduce((sum, item) => sum + (item.durationMs ?? 0), 0);
  const { now } = view.voice;
  const source = sourceOf(now);
  return (
    <>
      <section>
        <h2>{t.conversation}</h2>
        <Fact name={t.prompts}>{prompts.length}</Fact>
        <Fact name={t.spoken}>{prompts.filter((item) => item.origin === "voice").length}</Fact>
        <Fact name={t.toolCalls}>{tools.length}</Fact>
        {tools.length > 0 && <Fact name={t.toolTime}>{duration(toolMs)}</Fact>}
      </section>
      <section>
        <h2>{t.voice}</h2>
        <Fact name={t.state}>{now.state === "off" ? t.off : voiceLabel(now)}</Fact>
        {source && <Fact name={t.source}>{texts.voice.sources[source]}</Fact>}
      </section>
    </>
  );
}

const Fact = ({ name, children }: { name: string; children: ReactNode }) => (
  <div className={styles.kv}>
    <span>{name}</span>
    <b>{children}</b>
  </div>
);

const Key = ({ name, children }: { name: string; children: ReactNode }) => (
  <div className={styles.kv}>
    <span>{name}</span>
    <kbd>{children}</kbd>
  </div>
);
