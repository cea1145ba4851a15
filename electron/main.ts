import { join, resolve } from "node:path";
import { app } from "electron";
import { ulid } from "ulid";
import type { UserError } from "../shared/events.ts";
import { defaultSettings } from "../shared/settings.ts";
import { Conversations } from "./agent/conversations.ts";
import { systemClock } from "./agent/system-clock.ts";
import { helpCommand } from "./commands/help.ts";
import { type CommandRegistry, createCommandRegistry } from "./commands/registry.ts";
import { createAppInfo } from "./desktop/app-info.ts";
import { declareAppScheme, serveApp } from "./desktop/app-protocol.ts";
import { Attachments } from "./desktop/attachments.ts";
import { AudioWindow } from "./desktop/audio-window.ts";
import { handleCalls } from "./desktop/ipc.ts";
import { openLog } from "./desktop/log.ts";
import { setUpMenu } from "./desktop/menu.ts";
import { quitCleanly } from "./desktop/quit.ts";
import { createRoutes, findConversation } from "./desktop/routes.ts";
import { describeRuntime } from "./desktop/runtime-version.ts";
import { lockDown } from "./desktop/security.ts";
import { SpeechProcess } from "./desktop/speech-process.ts";
import { SttProcess } from "./desktop/stt-process.ts";
import { createTray } from "./desktop/tray.ts";
import { Windows } from "./desktop/windows.ts";
import { askBeforeChanges } from "./permissions/policy.ts";
import { createProvider } from "./providers/create-provider.ts";
import { LocalServers } from "./providers/local-server.ts";
import { commandLineSettings } from "./settings/command-line.ts";
import { readEnvironment } from "./settings/env-file.ts";
import { openSettings } from "./settings/settings.ts";
import { openStore } from "./store/open-store.ts";
import { GroupRecord } from "./tools/group-record.ts";
import { expandHome, openLocalEnvironment } from "./tools/local-environment.ts";
import { builtInTools } from "./tools/registry.ts";
import { VoiceRuntime } from "./voice/runtime.ts";
import { sayCommand } from "./voice/say-command.ts";
import { SpeechOutput } from "./voice/speech-output.ts";
import { SttError, sharedClient } from "./voice/stt-client.ts";
import { voiceCommand } from "./voice/voice-command.ts";

// The composition root: makes the parts, joins them, nothing else.

const built = (path: string) => join(import.meta.dirname, "..", path);
const resource = (name: string) => join(app.getAppPath(), "resources", name);

declareAppScheme();
// One instance a user-data folder: a second start brings the first one's window to the front.
if (app.requestSingleInstanceLock()) void app.whenReady().then(start);
else app.quit();

async function start(): Promise<void> {
  const newId = () => ulid();
  const userData = app.getPath("userData");
  const startupErrors: UserError[] = [];
  const settings = openSettings(userData, (problem) => startupErrors.push(problem));
  const atStart = settings.current();
  const log = openLog(userData, atStart.logLevel);
  const commandLine = commandLineSettings(process.argv.slice(1));
  startupErrors.push(...commandLine.problems);
  for (const problem of startupErrors) log.warn(problem.message);
  const record = new GroupRecord({ folder: join(userData, "processes"), newId, log: log.warn });
  void record.reap();
  const files = await openWorkingFolder(atStart.workingFolder, record, startupErrors);
  const workingFolder = files.workingDirectory;
  const environment = () => readEnvironment(process.env, [workingFolder, userData]);

  const reportError = (error: unknown) => log.error("something of ours failed", error);
  const { store, problem } = openStore({
    enabled: atStart.memoryEnabled,
    file: join(userData, "parley.db"),
    reportError,
  });
  if (problem) startupErrors.push(problem);
  const localServers = new LocalServers({
    clock: systemClock,
    onChange: () => windows.broadcast({ type: "app" }),
  });
  void localServers.refresh();

  const tools = builtInTools({
    clock: systemClock,
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
  const conversations = new Conversations({
    clock: systemClock,
    newId,
    settings: () => ({ ...settings.current(), ...commandLine.settings }),
    createProvider: (current) =>
      createProvider(current, {
        clock: systemClock,
        newId,
        env: environment(),
        localServer: localServers.current(),
      }),
    tools: () => tools,
    environment: files,
    permissions: askBeforeChanges,
    store,
    onEvent: (event) => {
      log.event(event);
      speech.hear(event);
    },
    reportError,
  });

  serveApp(built("renderer"), app.isPackaged ? undefined : process.env.ELECTRON_RENDERER_URL);
  lockDown();
  const preload = built("preload/preload.cjs");
  const attachments = new Attachments();
  const windows = new Windows({
    preload,
    icon: resource("icon.png"),
    onClosing: (contents) => attachments.detach(contents),
  });
  const newConversation = () => {
    const conversation = conversations.create();
    windows.broadcast({ type: "show-conversation", conversationId: conversation.id });
    return conversation;
  };
  conversations.onChange(() => windows.broadcast({ type: "conversations" }));

  const audio = new AudioWindow(preload);
  const stt = new SttProcess({
    entry: built("main/stt-utility.js"),
    audio,
    env: process.env,
    onLevel: (level) => {
      voice.tellLevel(level);
      windows.broadcast({ type: "level", level });
    },
    onLog: (line) => log.info(`speech: ${line}`),
  });
  const speaker = new SpeechProcess({
    entry: built("main/speech-utility.js"),
    audio,
    env: process.env,
    onLog: (line) => log.info(`voice: ${line}`),
  });
  const speech = new SpeechOutput({
    speaker,
    clock: systemClock,
    settings: settings.current,
    target: (conversationId) => conversations.get(conversationId),
    onAudible: (isAudible) => voice.muteLoopback(isAudible),
  });
  const ownSpeech = sharedClient(() => stt.connect());
  const voice = new VoiceRuntime({
    intercept: (...heard) => speech.heard(...heard),
    speaking: () => speech.speaking(),
    stopSpeaking: () => speech.stop(),
    // A command is to be read before it is allowed: a word is not enough.
    mayAnswerAloud: ({ effect }) => effect !== "execute",
    connect: async (server) => {
      if (server === undefined) return await ownSpeech();
      throw new SttError("refused", `There is no MCP server \`${server}\`.`);
    },
    settings: settings.current,
    clock: systemClock,
    onSpeech: () => void conversations.warmUp(),
    onChange: ({ state, conversationId }) => {
      tray.showVoice(state);
      windows.broadcast({ type: "voice", state, conversationId });
    },
  });

  const commands: CommandRegistry = createCommandRegistry([
    helpCommand(() => commands),
    voiceCommand({
      voice,
      target: (conversationId) => findConversation(conversations, conversationId),
      settings: settings.current,
      resolvePath: (path) => resolve(workingFolder, expandHome(path)),
    }),
    sayCommand(speech),
  ]);

  const routes = createRoutes({
    speech,
    conversations,
    commands,
    voice,
    windows,
    attachments,
    newConversation: () => newConversation().id,
    appInfo: createAppInfo({
      settings: settings.current,
      environment,
      workingFolder,
      commands,
      startupErrors,
      localServer: () => localServers.current(),
    }),
  });
  handleCalls(routes, (route, error) => log.warn(`${route}: ${String(error)}`));

  const tray = createTray(trayIcons(process.platform), {
    open: () => windows.openMain(),
    quickPrompt: () => windows.toggleQuick(),
    stopListening: () => void voice.stop(),
    quit: () => app.quit(),
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
  quitCleanly({
    interrupt: () => conversations.abortAll(),
    cleanUp: async () => {
      await voice.stop();
      await conversations.dispose();
      await files.cleanup();
      speaker.close();
      await stt.close();
      audio.close();
      store.close();
      tray.destroy();
    },
  });
  windows.openMain();
  // Loads the HTTP client, which takes tens of milliseconds, before the first prompt has to wait for it.
  void fetch("data:,");
}

/** macOS draws template images in the menu bar's own colour. */
const trayIcons = (platform: NodeJS.Platform) =>
  platform === "darwin"
    ? { off: resource("trayTemplate.png"), listening: resource("trayListeningTemplate.png") }
    : { off: resource("tray.png"), listening: resource("tray-listening.png") };

/** The folder of the settings, or the default one where that cannot be had. */
async function openWorkingFolder(folder: string, record: GroupRecord, problems: UserError[]) {
  try {
    return await openLocalEnvironment(folder, { record });
  } catch (error) {
    const hint = `${defaultSettings.workingFolder} is used. Correct \`workingFolder\` in settings.json.`;
    problems.push({ code: "working_folder", message: String(error), hint });
    return await openLocalEnvironment(defaultSettings.workingFolder, { record });
  }
}
