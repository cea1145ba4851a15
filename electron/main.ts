import { dirname, join, resolve } from "node:path";
import { app } from "electron";
import type { UserError } from "../shared/conversation/events.ts";
import type { StartUp } from "../shared/conversation/sessions.ts";
import type { FenceInfo } from "../shared/safety/permissions.ts";
import { defaultSettings, type Settings } from "../shared/settings.ts";
import { ulids } from "../shared/ulids.ts";
import { Conversations } from "./agent/conversation/conversations.ts";
import { systemClock } from "./agent/conversation/system-clock.ts";
import { helpCommand } from "./commands/help.ts";
import { type CommandRegistry, createCommandRegistry } from "./commands/registry.ts";
import { composeFence } from "./compose-fence.ts";
import { composeVoice } from "./compose-voice.ts";
import { enableLoopback } from "./desktop/audio/loopback.ts";
import { FileAttachments } from "./desktop/ipc/file-attachments.ts";
import { whatFolderBrings } from "./desktop/ipc/folder-brings.ts";
import { handleCalls } from "./desktop/ipc/ipc.ts";
import { fenceInfo } from "./desktop/ipc/permission-routes.ts";
import { createRoutes, findConversation } from "./desktop/ipc/routes.ts";
import { WindowSubscriptions } from "./desktop/ipc/window-subscriptions.ts";
import { openLog } from "./desktop/log/log.ts";
import { logDeaths } from "./desktop/log/log-deaths.ts";
import { Problems } from "./desktop/log/problems.ts";
import { KeyAddressOffers } from "./desktop/net/key-address-offer.ts";
import { ModelServerOffers } from "./desktop/net/model-server-offer.ts";
import { netFetch } from "./desktop/net/net-fetch.ts";
import { createModelFetch, systemProxy } from "./desktop/net/system-fetch.ts";
import { createMcpServers } from "./desktop/servers/mcp-servers.ts";
import { createServerModel } from "./desktop/servers/server-model.ts";
import { createAppInfo } from "./desktop/shell/app-info.ts";
import { declareAppScheme, serveApp } from "./desktop/shell/app-protocol.ts";
import { AppSecrets } from "./desktop/shell/app-secrets.ts";
import { ApprovalNotices } from "./desktop/shell/approval-notices.ts";
import { setUpMenu } from "./desktop/shell/menu.ts";
import { quitCleanly } from "./desktop/shell/quit.ts";
import { describeRuntime } from "./desktop/shell/runtime-version.ts";
import { lockDown } from "./desktop/shell/security.ts";
import { createTray } from "./desktop/shell/tray/tray.ts";
import { trayIcons } from "./desktop/shell/tray/tray-icon.ts";
import { Windows } from "./desktop/shell/windows.ts";
import { permissionsCommand } from "./permissions/permissions-command.ts";
import { createPolicy } from "./permissions/policy.ts";
import { createProvider } from "./providers/create-provider.ts";
import { LocalServers } from "./providers/local-server.ts";
import { commandLineSettings, commandLineStartUp } from "./settings/command-line.ts";
import { systemCipher } from "./settings/safe-storage.ts";
import { openSettings } from "./settings/settings.ts";
import { openCheckpoints } from "./store/checkpoints/thread/open-checkpoints.ts";
import { checkpointCommand } from "./store/commands/checkpoint-command.ts";
import { folderCommand } from "./store/commands/folder-command.ts";
import { sessionCommand } from "./store/commands/session-command.ts";
import { startUpkeep } from "./store/database/upkeep.ts";
import { SessionFiles } from "./store/exchange/session-files.ts";
import { openStore } from "./store/open-store.ts";
import { expandHome } from "./tools/environment/local-environment.ts";
import { WorkingFolders } from "./tools/environment/working-folders.ts";
import { GroupRecord } from "./tools/process/group-record.ts";
import { builtInTools } from "./tools/registry.ts";
import { FolderTrust } from "./trust/folder-trust.ts";
import { answerTrust, trustCommand } from "./trust/trust-command.ts";
import { TrustedFiles } from "./trust/trusted-files.ts";
import { voiceCommand } from "./voice/session/voice-command.ts";
import { sayCommand } from "./voice/speaking/say-command.ts";

// The composition root: makes the parts, joins them, nothing else.

const built = (path: string) => join(import.meta.dirname, "..", path);
const resource = (name: string) => join(app.getAppPath(), "resources", name);

declareAppScheme();
enableLoopback();
// One instance a user-data folder: a second start brings the first one's window to the front.
if (app.requestSingleInstanceLock()) void app.whenReady().then(start);
else app.quit();

async function start(): Promise<void> {
  const newId = ulids();
  const userData = app.getPath("userData");
  const problems = new Problems();
  // Nobody looks before there is a window.
  let tellWindows = () => {};
  const settings = openSettings(userData, problems.report);
  const atStart = settings.current();
  const secrets = new AppSecrets({
    userData,
    workingFolder: () => workingFolder,
    isTrusted: (path, text) => trust.isTrusted(path, text),
    real: process.env,
    cipher: systemCipher,
    onProblem: problems.report,
    onFailure: (line) => log.warn(line),
    ask: (request) => windows.askKey(request),
    onChange: () => windows.broadcast({ type: "app" }),
  });
  const { environment } = secrets;
  const trust: FolderTrust = new FolderTrust({
    files: new TrustedFiles(join(userData, "trust.json")),
    steering: (folder) => whatFolderBrings(folder, workingFolder),
    onAnswer: () => {
      windows.broadcast({ type: "trust" });
      windows.broadcast({ type: "app" });
      void mcp.manager.load().catch(reportError);
    },
  });
  const log = openLog({ folder: userData, settings: settings.current, redact: secrets.redact });
  logDeaths(log);
  const commandLine = commandLineSettings(process.argv.slice(1));
  const wanted = commandLineStartUp(process.argv.slice(1));
  for (const problem of [...commandLine.problems, ...wanted.problems]) problems.report(problem);
  problems.connect({ warn: log.warn, onNew: () => tellWindows() });
  const record = new GroupRecord({ folder: join(userData, "processes"), newId, log: log.warn });
  void record.reap();
  const folders = await openWorkingFolders(atStart.workingFolder, record, problems.report);
  const workingFolder = folders.first.workingDirectory;

  const reportError = (error: unknown) => log.error("something of ours failed", error);
  const file = join(userData, "parley.db");
  const { store, problem } = openStore({
    enabled: atStart.memoryEnabled,
    file,
    durability: atStart.durability,
    threadEntry: built("main/store-worker.js"),
    reportError,
  });
  if (problem) problems.report(problem);
  const isKept = atStart.memoryEnabled && !problem;
  const checkpoints = isKept
    ? openCheckpoints({
        file,
        entry: built("main/checkpoint-thread.js"),
        settings: settings.current,
        keyPlace: secrets.sealKey,
        reportError,
      })
    : null;
  checkpoints?.sealOld().catch(reportError);
  const localServers = new LocalServers({
    clock: systemClock,
    onChange: () => windows.broadcast({ type: "app" }),
  });
  void localServers.refresh();

  const tools = builtInTools({
    clock: systemClock,
    proxy: systemProxy,
    actions: {
      newSession: async (conversationId) => {
        const asked = voice.status().conversationId === conversationId;
        const next = newConversation();
        // Whoever speaks hands-free goes on in the new conversation.
        if (asked) voice.moveTo(next);
      },
      stopListening: async () => {
        const wasOn = voice.status().conversationId !== null;
        await voice.stop();
        return wasOn;
      },
    },
  });
  const fences = composeFence({
    settings: settings.current,
    userData,
    program: [app.getAppPath(), dirname(process.execPath), process.resourcesPath],
    built,
    log: log.info,
    onChange: () => windows.broadcast({ type: "app" }),
  });
  const fence = (): FenceInfo => fenceInfo(settings.current().fence, fences.state());
  const policy = createPolicy({
    chosenMode: (conversationId) => conversations.get(conversationId)?.permissionMode ?? null,
    fence: fences.state,
    isNeverWritten: fences.isNeverWritten,
    settings: settings.current,
    isTrusted: trust.isTrusted,
    addRules: (rules) =>
      settings.change({ permissionRules: [...settings.current().permissionRules, ...rules] }),
  });
  const fetchForModels = createModelFetch(log.info);
  const newProvider = (current: Settings) =>
    createProvider(current, {
      fetch: fetchForModels,
      clock: systemClock,
      newId,
      env: environment(),
      folderKeys: secrets.modelKeys(),
      places: secrets.places(),
      localServer: () => localServers.current(),
    });
  const conversations = new Conversations({
    clock: systemClock,
    newId,
    settings: () => ({ ...settings.current(), ...commandLine.settings }),
    createProvider: newProvider,
    tools: (conversationId) => [...tools, ...mcp.manager.tools(conversationId, folderOf(conversationId))],
    workingFolder: () => workingFolder,
    openEnvironment: (folder) => folders.open(folder),
    permissions: policy,
    fence: fences.of,
    fenceKnown: fences.checked,
    isTrusted: trust.isTrusted,
    store,
    checkpoints,
    onEvent: (event) => {
      log.event(event);
      if (event.type === "session.changed") followFolders();
      if (looksAtFolder.has(event.type)) windows.broadcast({ type: "trust" });
      notices.observe(event);
      speech.hear(event);
      tray.observe(event);
    },
    reportError,
  });

  const folderOf = (conversationId: string): string =>
    conversations.get(conversationId)?.workingFolder ?? workingFolder;
  /** The servers of a folder's own file are there for as long as a conversation works in it. */
  const followFolders = () =>
    void mcp.manager.setFolders(conversations.openIds.map(folderOf)).catch(reportError);
  const mcp = createMcpServers({
    settings: settings.current,
    variables: secrets.serverVariables,
    fenceKnown: fences.checked.catch(() => {}),
    hasFence: fences.isOn,
    fences: fences.fences,
    isTrusted: trust.wasTrusted,
    userData,
    workingFolder,
    folderOf,
    record,
    secrets: secrets.serverSecrets,
    fetch: netFetch,
    model: createServerModel({ settings: settings.current, newProvider }),
    submit: (conversationId, text) =>
      void findConversation(conversations, conversationId).submit({ text, origin: "typed", source: null }),
    log: log.info,
    warn: log.warn,
    redact: secrets.redact,
    know: (variables) => secrets.redactor.knowVariables(variables),
    onChange: () => windows.broadcast({ type: "mcp" }),
  });

  serveApp(built("renderer"), app.isPackaged ? undefined : process.env.ELECTRON_RENDERER_URL);
  lockDown();
  const preload = built("preload/preload.cjs");
  const subscriptions = new WindowSubscriptions();
  const windows = new Windows({
    preload,
    icon: resource("icon.png"),
    onClosing: (contents) => subscriptions.detach(contents),
  });
  tellWindows = () => windows.broadcast({ type: "app" });
  const newConversation = () => {
    const conversation = conversations.create();
    windows.broadcast({ type: "show-conversation", conversationId: conversation.id });
    return conversation;
  };
  conversations.onChange((change) => {
    windows.broadcast(change);
    followFolders();
    if (change.type === "session-gone" && subscriptions.isShown(change.conversationId)) {
      const { id } = conversations.start({ kind: "continue" });
      windows.broadcast({ type: "show-conversation", conversationId: id });
    }
  });

  const {
    voice,
    speech,
    keys: talkKeys,
    close: closeVoice,
  } = composeVoice({
    conversations,
    mcp: mcp.manager,
    preload,
    built,
    settings: settings.current,
    log: log.info,
    onLevel: (level) => windows.broadcast({ type: "level", level }),
    onChange: ({ state, conversationId }) => {
      windows.broadcast({ type: "voice", state, conversationId });
    },
    onPanel: (panel) => windows.broadcast({ type: "voice-panel", panel }),
    onDictated: (conversationId, text) => windows.broadcast({ type: "dictated", conversationId, text }),
    recordings: join(userData, "recordings"),
  });

  const find = (conversationId: string) => findConversation(conversations, conversationId);
  const inFolder = (path: string, folder: string) => resolve(folder, expandHome(path));
  const sessionFiles = new SessionFiles({ store, newId, now: systemClock.now });
  const ownCommands = [
    helpCommand(() => commands),
    mcp.command,
    secrets.command,
    voiceCommand({
      voice,
      target: find,
      settings: settings.current,
      resolvePath: (path) => inFolder(path, workingFolder),
    }),
    sayCommand(speech),
    sessionCommand({
      sessions: conversations,
      store,
      files: sessionFiles,
      conversation: find,
      show: (conversationId) => windows.broadcast({ type: "show-conversation", conversationId }),
      isKept: () => isKept,
      resolvePath: inFolder,
    }),
    folderCommand({ conversation: find, resolvePath: inFolder }),
    checkpointCommand({ rewinding: checkpoints, settings: settings.current, conversation: find }),
    trustCommand({ trust, workingFolder: (conversationId) => find(conversationId).workingFolder }),
    permissionsCommand({
      ...policy,
      setLevel: (conversationId, level) => find(conversationId).changeMode(level),
      forgetHosts: (conversationId) => fences.fences.forgetHosts(conversationId),
      fence,
      rules: () => settings.current().permissionRules,
      saveRules: (rules) => settings.change({ permissionRules: [...rules] }),
      answerTrust: (folder, isTrusted) => answerTrust(trust, folder, isTrusted),
      isTrusted: trust.isTrusted,
      workingFolder: (conversationId) => find(conversationId).workingFolder,
    }),
  ];
  const commands: CommandRegistry = createCommandRegistry(ownCommands, mcp.promptCommands);

  const modelServers = new ModelServerOffers({
    settings: settings.current,
    changeSettings: settings.change,
    environment,
    folderKeys: secrets.modelKeys,
    localServer: () => localServers.current(),
    onChange: () => windows.broadcast({ type: "app" }),
  });
  const keyAddresses = new KeyAddressOffers({
    settings: settings.current,
    changeSettings: settings.change,
    places: secrets.places,
    folderKeys: secrets.modelKeys,
    localServer: () => localServers.current(),
    onChange: () => windows.broadcast({ type: "app" }),
  });
  const appInfo = createAppInfo({
    fence,
    settings: settings.current,
    places: secrets.places,
    folderKeys: secrets.modelKeys,
    workingFolder,
    commands,
    startupErrors: problems.list,
    localServer: () => localServers.current(),
    modelServerOffer: () => modelServers.current(),
    keyAddressOffer: () => keyAddresses.current(),
  });
  const routes = createRoutes({
    permissions: {
      settings: settings.current,
      changeSettings: (values) => {
        settings.change(values);
        tellWindows();
      },
      checkFence: fences.check,
    },
    changeSettings: (values) => {
      settings.change(values);
      talkKeys.apply();
    },
    speech,
    conversations,
    store,
    rewinding: checkpoints,
    files: sessionFiles,
    mcp: mcp.actions,
    trust,
    commands,
    voice,
    windows,
    subscriptions,
    fileAttachments: new FileAttachments({
      openFolder: (folder) => folders.open(folder),
      servers: mcp.manager,
      settings: settings.current,
      model: appInfo,
    }),
    secrets,
    modelServers,
    keyAddresses,
    newConversation: () => newConversation().id,
    newWorkingFolder: () => workingFolder,
    appInfo,
  });
  handleCalls(routes, (route, error) => log.warn(`${route}: ${String(error)}`));

  const tray = createTray(trayIcons(resource("tray")), {
    toggleVoice: () => {
      const isOn = voice.status().conversationId !== null;
      if (isOn) void voice.stop();
      else voice.start(conversations.current(), { source: settings.current()["voice.source"] });
    },
    open: () => windows.openMain(),
    quickPrompt: () => windows.toggleQuick(),
    showWaiting: () => notices.showOldest(),
    quit: () => app.quit(),
  });
  const notices = new ApprovalNotices({
    show: (conversationId) => windows.showApprovals(conversationId),
    deny: (conversationId, approvalId) =>
      findConversation(conversations, conversationId).answerApproval(approvalId, false),
    onChange: (count) => tray.showWaiting(count),
  });
  setUpMenu(
    { newConversation: () => void newConversation(), quickPrompt: () => windows.toggleQuick() },
    {
      version: app.getVersion(),
      runtime: describeRuntime(process.versions),
      settingsPath: settings.path,
      logPath: log.path,
      iconPath: resource("icon.png"),
    },
  );

  // A run and voice go on when every window is closed; the tray brings one back.
  app.on("window-all-closed", () => {});
  app.on("second-instance", () => windows.openMain());
  app.on("activate", () => windows.openMain());
  // The settings may have been changed in an editor.
  app.on("browser-window-focus", () => talkKeys.apply());
  const endUpkeep = startUpkeep({
    store,
    settings: settings.current,
    open: () => conversations.openIds,
    now: systemClock.now,
    reportError,
  });
  quitCleanly({
    interrupt: () => conversations.abortAll(),
    cleanUp: async () => {
      await voice.stop();
      await conversations.dispose();
      await Promise.all([mcp.manager.dispose(), folders.cleanup(), closeVoice()]);
      await fences.dispose();
      await checkpoints?.close();
      endUpkeep();
      store.close();
      tray.destroy();
    },
  });
  const bySettings = { kind: atStart.startWith === "last" ? "continue" : "new" } as const;
  startWith(conversations, wanted.startUp ?? bySettings, problems.report);
  talkKeys.apply();
  windows.openMain();
  void mcp.manager.load().catch(reportError);
  // Loads the HTTP client, which takes tens of milliseconds, before the first prompt has to wait for it.
  void fetch("data:,");
}

/** After these a folder may bring something else: another folder, or what a run has written. */
const looksAtFolder: ReadonlySet<string> = new Set(["session.changed", "run.started", "run.ended"]);

/** What is shown first; where that cannot be had, a new conversation and the reason. */
function startWith(conversations: Conversations, how: StartUp, report: (problem: UserError) => void): void {
  try {
    conversations.start(how);
  } catch (error) {
    report({ code: "start_up", message: error instanceof Error ? error.message : String(error) });
    conversations.create();
  }
}

/** The folder of the settings, or the default one where that cannot be had. */
async function openWorkingFolders(folder: string, record: GroupRecord, report: (problem: UserError) => void) {
  try {
    return await WorkingFolders.open(folder, record);
  } catch (error) {
    const hint = `${defaultSettings.workingFolder} is used. Correct \`workingFolder\` in settings.json.`;
    report({ code: "working_folder", message: String(error), hint });
    return await WorkingFolders.open(defaultSettings.workingFolder, record);
  }
}
