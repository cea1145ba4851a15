import { dirname, join } from "node:path";
import { app } from "electron";
import type { Conversation } from "./agent/conversation/conversation.ts";
import type { Tool } from "./agent/ports/ports.ts";
import { composeBase } from "./compose/base.ts";
import { composeCommands } from "./compose/commands.ts";
import { composeContextMenus } from "./compose/context-menus.ts";
import { composeConversations } from "./compose/conversations.ts";
import { Disposal } from "./compose/disposal.ts";
import { composeDoctor } from "./compose/doctor.ts";
import { composeFence } from "./compose/fence.ts";
import { composeLaunch } from "./compose/launch.ts";
import { composeMcp } from "./compose/mcp.ts";
import { composeModels } from "./compose/models.ts";
import { finishRestore } from "./compose/pending-restore.ts";
import { composePrompts } from "./compose/prompts.ts";
import { composeQuickKey } from "./compose/quick-key.ts";
import { composeShell } from "./compose/shell.ts";
import { Signal } from "./compose/signal.ts";
import { composeStore } from "./compose/store.ts";
import { composeTools } from "./compose/tools.ts";
import { composeTrust } from "./compose/trust.ts";
import { composeUpdates } from "./compose/updates.ts";
import { composeVoice } from "./compose/voice.ts";
import { answerWindows } from "./compose/windows.ts";
import { printReport } from "./desktop/doctor/doctor-command.ts";
import type { AnswerCall } from "./desktop/ipc/waiting-calls.ts";
import type { WindowSubscriptions } from "./desktop/ipc/window-subscriptions.ts";
import type { DataJob } from "./desktop/launch/data-job.ts";
import type { LaunchRequest } from "./desktop/launch/launch-request-shape.ts";
import { parseLink } from "./desktop/launch/parley-link.ts";
import type { OwnPrompt } from "./desktop/launch/prompt-command.ts";
import { servePrompts } from "./desktop/launch/prompt-socket.ts";
import type { WindowComplaints } from "./desktop/log/window-complaints.ts";
import type { KeptData } from "./desktop/shell/kept-data.ts";
import { endWith, quitCleanly } from "./desktop/shell/quit.ts";
import { describeRuntime } from "./desktop/shell/runtime-version.ts";
import { Windows } from "./desktop/shell/windows.ts";
import { updateRestart, updaterLoader } from "./desktop/update/load-updater.ts";
import { openWindowKeeping } from "./desktop/windows/kept-windows.ts";

// The composition root: makes the parts in order, each from those before it, and joins them; nothing else.

const built = (path: string) => join(app.getAppPath(), "out", path);
const resource = (name: string) => join(app.getAppPath(), "resources", name);

const doctorHead = () =>
  `Parley ${app.getVersion()} on ${describeRuntime(process.versions)}, ${process.platform}`;

/** By then the window's first picture is drawn, which asks main for what it shows; in milliseconds. */
const drawnMs = 400;

const program = () => [app.getAppPath(), dirname(process.execPath), process.resourcesPath];

/** Prints what "Check this computer" finds, and ends. */
export async function checkComputer(): Promise<void> {
  const userData = app.getPath("userData");
  const preload = built("preload/preload.cjs");
  const failures = new Signal<[error: unknown]>();
  const disposal = new Disposal(failures.tell);
  // The audio page opens and closes.
  app.on("window-all-closed", () => {});
  const base = await composeBase({ userData, disposal, onProblem: () => {} });
  failures.on(base.reportError);
  const nobody = new Windows({
    preload,
    icon: resource("icon.png"),
    keeping: openWindowKeeping(userData),
    onClosing: () => {},
  });
  const trust = composeTrust(base, nobody);
  const models = composeModels(base, trust.secrets, nobody);
  const { current } = base.settings;
  const about = { settings: current, log: base.log.info, onChange: () => {} };
  const fences = composeFence({ ...about, userData, program: program(), built, disposal, waitMs: 0 });
  const doctor = composeDoctor({ base, disposal, trust, models, fences, preload, built, resource });
  const code = await printReport(doctor, doctorHead(), (text) => process.stdout.write(text));
  await endWith(code, () => disposal.dispose());
}

/** Backs up or restores without a window. @returns the exit code */
export async function runDataJob(job: DataJob): Promise<number> {
  const work = await import("./compose/data-job.ts");
  return await work.runDataJob(job, app.getPath("userData"));
}

/** What was there before all else. */
interface StartOptions {
  complaints: WindowComplaints;
  windows: Windows;
  subscriptions: WindowSubscriptions;
  keptData: KeptData;
  /** To be told who answers what pages ask; until then that waits. */
  answerCalls(answer: AnswerCall): void;
  /** What this start was asked for. */
  request: LaunchRequest;
  /** It does this prompt of the command line and those that come meanwhile, and ends. */
  ownPrompt?: OwnPrompt | undefined;
}

/** What is asked of the instance that runs: by another start, as it came over, or by a link. */
export type LaterAsk = { data: unknown } | { link: string };

/** @returns who takes what is asked later */
export async function start({
  complaints,
  windows,
  subscriptions,
  keptData,
  answerCalls,
  request,
  ownPrompt,
}: StartOptions): Promise<(ask: LaterAsk) => void> {
  const userData = app.getPath("userData");
  const preload = built("preload/preload.cjs");
  const failures = new Signal<[error: unknown]>();
  const disposal = new Disposal(failures.tell);
  const onChange = () => windows.broadcast({ type: "app" });

  const base = await composeBase({ userData, disposal, onProblem: onChange, complaints });
  const { settings, log, folders, workingFolder, problems } = base;
  failures.on(base.reportError);
  composeContextMenus(settings);
  const trust = composeTrust(base, windows);
  await finishRestore(base);
  const open = new Map<string, Conversation>();
  const folderOf = (conversationId: string) => open.get(conversationId)?.workingFolder ?? workingFolder();
  const storage = composeStore({
    base,
    secrets: trust.secrets,
    disposal,
    built,
    open,
    onRescued: () => windows.broadcast({ type: "sessions" }),
  });
  const models = composeModels(base, trust.secrets, windows);
  const fences = composeFence({
    settings: settings.current,
    userData,
    program: program(),
    built,
    log: log.info,
    onChange,
    disposal,
    waitMs: drawnMs,
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
    submit: (conversationId, text, attachments) =>
      void open.get(conversationId)?.submit({ text, origin: "typed", source: null, attachments }),
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
    mcp: mcp.manager,
    preload,
    built,
  });
  tools.push(...composeTools(agent, voice, built));
  const doctor = composeDoctor({ base, disposal, trust, models, fences, preload, built, resource });
  const parts = { base, windows, trust, models, fences, storage, mcp, agent, voice, doctor };
  const quickKey = composeQuickKey({ base, disposal, windows, keyToTalk: voice.keys });
  const updates = composeUpdates({
    ...{ base, disposal, agent, storage, voice, openIds: () => [...open.keys()] },
    ...{ load: updaterLoader(), restart: updateRestart, version: app.getVersion(), onReady: onChange },
  });
  const commands = composeCommands({ ...parts, updates, doctorHead: doctorHead() });
  const composed = { ...parts, updates, commands, quickKey };
  const shown = new Signal();
  answerWindows({ ...composed, subscriptions, shown, keptData, answerCalls });
  // Tray and menus need a display.
  if (!ownPrompt)
    composeShell({
      ...composed,
      disposal,
      subscriptions,
      shown,
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
  disposal.defer(() => windows.keepPlaces());

  const launches = composeLaunch({ base, windows, agent, voice });

  const cleanUp = async () => {
    await disposal.dispose();
    // A last line would make anew what was removed.
    log.close();
    keptData.removeUnwanted();
  };
  if (!ownPrompt) quitCleanly({ interrupt: () => agent.conversations.abortAll(), cleanUp });
  agent.start(base.startUp, problems.report);
  // Whoever sees no window opens no microphone.
  if (!ownPrompt) quickKey.start();
  launches.first(request);
  const serversKnown = mcp.start();
  const runPrompt = composePrompts({
    conversations: agent.conversations,
    serversReady: async (folder, signal) => {
      await serversKnown;
      await mcp.manager.readyIn(folder ?? base.workingFolder(), signal);
    },
  });
  if (ownPrompt) {
    ownPrompt
      .run(runPrompt, log.warn)
      .then((code) => endWith(code, cleanUp))
      .catch((error: unknown) => {
        base.reportError(error);
        return endWith(1, cleanUp);
      });
  } else {
    const prompts = servePrompts(userData, { run: runPrompt, isApp: true, warn: log.warn });
    disposal.defer(() => prompts.end());
  }
  // Loads the HTTP client, which takes tens of milliseconds, before the first prompt has to wait for it.
  setTimeout(() => void fetch("data:,"), drawnMs).unref();
  return (ask) => ("link" in ask ? launches.run(parseLink(ask.link)) : launches.again(ask.data));
}
