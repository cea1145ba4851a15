import { dirname, join } from "node:path";
import { app } from "electron";
import type { Conversation } from "./agent/conversation/conversation.ts";
import type { Tool } from "./agent/ports/ports.ts";
import { composeBase } from "./compose/base.ts";
import { composeCommands } from "./compose/commands.ts";
import { composeConversations } from "./compose/conversations.ts";
import { Disposal } from "./compose/disposal.ts";
import { composeFence } from "./compose/fence.ts";
import { composeMcp } from "./compose/mcp.ts";
import { composeModels } from "./compose/models.ts";
import { composeShell } from "./compose/shell.ts";
import { Signal } from "./compose/signal.ts";
import { composeStore } from "./compose/store.ts";
import { composeTools } from "./compose/tools.ts";
import { composeTrust } from "./compose/trust.ts";
import { composeVoice } from "./compose/voice.ts";
import { answerWindows } from "./compose/windows.ts";
import { enableLoopback } from "./desktop/audio/loopback.ts";
import { WindowSubscriptions } from "./desktop/ipc/window-subscriptions.ts";
import { declareAppScheme, serveApp } from "./desktop/shell/app-protocol.ts";
import { quitCleanly } from "./desktop/shell/quit.ts";
import { describeRuntime } from "./desktop/shell/runtime-version.ts";
import { lockDown } from "./desktop/shell/security.ts";
import { Windows } from "./desktop/shell/windows.ts";

// The composition root: makes the parts in order, each from those before it, and joins them; nothing else.

const built = (path: string) => join(import.meta.dirname, "..", path);
const resource = (name: string) => join(app.getAppPath(), "resources", name);

declareAppScheme();
enableLoopback();
// One instance a user-data folder: a second start brings the first one's window to the front.
if (app.requestSingleInstanceLock()) void app.whenReady().then(start);
else app.quit();

async function start(): Promise<void> {
  const userData = app.getPath("userData");
  const preload = built("preload/preload.cjs");
  const failures = new Signal<[error: unknown]>();
  const disposal = new Disposal(failures.tell);
  serveApp(built("renderer"), app.isPackaged ? undefined : process.env.ELECTRON_RENDERER_URL);
  lockDown();
  const subscriptions = new WindowSubscriptions();
  const windows = new Windows({
    preload,
    icon: resource("icon.png"),
    onClosing: (contents) => subscriptions.detach(contents),
  });
  const onChange = () => windows.broadcast({ type: "app" });

  const base = await composeBase({ userData, disposal, onProblem: onChange });
  const { settings, log, folders, workingFolder, problems } = base;
  failures.on(base.reportError);
  const trust = composeTrust(base, windows);
  const open = new Map<string, Conversation>();
  const folderOf = (conversationId: string) => open.get(conversationId)?.workingFolder ?? workingFolder;
  const storage = composeStore({
    base,
    secrets: trust.secrets,
    disposal,
    built,
    openIds: () => [...open.keys()],
  });
  const models = composeModels(base, trust.secrets, windows);
  const fences = composeFence({
    settings: settings.current,
    userData,
    program: [app.getAppPath(), dirname(process.execPath), process.resourcesPath],
    built,
    log: log.info,
    onChange,
    disposal,
  });
  // The conversations end first; then what they worked with, at the same time.
  const workedWith = disposal.together();
  workedWith.defer(() => folders.cleanup());
  const mcp = composeMcp({
    base,
    disposal: workedWith,
    windows,
    trust,
    models,
    fences,
    folderOf,
    submit: (conversationId, text) =>
      void open.get(conversationId)?.submit({ text, origin: "typed", source: null }),
  });
  const tools: Tool[] = [];
  const agent = composeConversations({
    base,
    disposal,
    windows,
    subscriptions,
    trust: trust.trust,
    models,
    fences,
    mcp,
    storage,
    open,
    folderOf,
    tools,
  });
  const voice = composeVoice({
    base,
    disposal: workedWith,
    windows,
    agent,
    models,
    storage,
    mcp: mcp.manager,
    preload,
    built,
  });
  tools.push(...composeTools(agent, voice));
  const commands = composeCommands({ base, trust, fences, storage, mcp, agent, voice });
  const composed = { base, windows, trust, models, fences, storage, mcp, agent, voice, commands };
  answerWindows({ ...composed, subscriptions });
  composeShell({
    ...composed,
    disposal,
    resource,
    about: {
      version: app.getVersion(),
      runtime: describeRuntime(process.versions),
      settingsPath: settings.path,
      logPath: log.path,
      iconPath: resource("icon.png"),
    },
    quit: () => app.quit(),
  });
  disposal.defer(() => voice.voice.stop());

  // A run and voice go on when every window is closed; the tray brings one back.
  app.on("window-all-closed", () => {});
  app.on("second-instance", () => windows.openMain());
  app.on("activate", () => windows.openMain());
  quitCleanly({
    interrupt: () => agent.conversations.abortAll(),
    cleanUp: () => disposal.dispose(),
  });
  agent.start(base.startUp, problems.report);
  voice.keys.apply();
  windows.openMain();
  mcp.start();
  // Loads the HTTP client, which takes tens of milliseconds, before the first prompt has to wait for it.
  void fetch("data:,");
}
