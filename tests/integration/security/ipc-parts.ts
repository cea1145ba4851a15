import { randomUUID } from "node:crypto";
import { QuickConversation } from "../../../electron/agent/conversation/quick-conversation.ts";
import { AttachedFiles } from "../../../electron/desktop/ipc/attached-files.ts";
import { FileAttachments } from "../../../electron/desktop/ipc/file-attachments.ts";
import type { RoutesOptions } from "../../../electron/desktop/ipc/routes.ts";
import { WindowSubscriptions } from "../../../electron/desktop/ipc/window-subscriptions.ts";
import { QuickPrompts } from "../../../electron/desktop/quick/quick-prompts.ts";
import { Windows } from "../../../electron/desktop/shell/windows.ts";
import { ServerActions } from "../../../electron/mcp/server-actions.ts";
import { describeProvider } from "../../../electron/providers/create-provider.ts";
import { openLocalEnvironment } from "../../../electron/tools/environment/local-environment.ts";
import { OfferedSpeech } from "../../../electron/voice/offers/offered-speech.ts";
import { VoiceService } from "../../../electron/voice/session/voice-service.ts";
import { SpeechOutput } from "../../../electron/voice/speaking/speech-output.ts";
import { remembered } from "../../../shared/remembered.ts";
import { defaultSettings } from "../../../shared/settings.ts";
import { InstantClock } from "../../fakes/clock.ts";
import { noAttachedFiles } from "../../fixtures/attached-files.ts";
import type { Rig } from "../agent/agent-rig.ts";
import { createMcpRig } from "../mcp/mcp-rig.ts";

/** The parts of the routes: real ones, over conversations that are real, without devices and without programs. */
export function electronParts(
  rig: Rig,
  folder: string,
): { routeParts: Omit<RoutesOptions, "commands" | "files">; close(): Promise<void> } {
  const environment = openLocalEnvironment(rig.folder);
  const clock = new InstantClock();
  const settings = () => rig.settings;
  const voice = new VoiceService({
    clock,
    settings,
    connect: async () => {
      throw new Error("There is no speech server here.");
    },
  });
  const speech = new SpeechOutput({
    clock,
    settings,
    speaker: {
      onEvent: () => {},
      prepare: () => {},
      open: () => {},
      begin: () => {},
      say: () => {},
      pause: () => {},
      resume: () => {},
      setVolume: () => {},
      chime: () => {},
    },
    target: (id) => rig.conversations.get(id),
    onAudible: () => {},
  });
  const offers = new OfferedSpeech({
    models: {
      recommended: {},
      hasOwn: false,
      isHeard: () => true,
      isHeardWell: () => false,
      companion: () => null,
    },
    server: () => voice.ownServer(),
    settings,
    changeSettings: () => {},
    clock,
    onChange: () => {},
    onUsed: () => {},
  });
  const mcp = createMcpRig({
    context: {
      spawn: async () => {
        throw new Error("Nothing is started here.");
      },
    },
  });
  const keeping = { read: () => ({ main: null, zoomLevel: 0, quick: {} }), keep: () => {} };
  const places = { platform: process.platform, home: folder, env: {} };
  return {
    routeParts: {
      conversations: rig.conversations,
      store: rig.store,
      rewinding: null,
      findServer: async () => null,
      openFolder: async () => environment,
      doctor: {
        check: async (name) => ({ name, state: "ok", found: "", todo: null, ms: 0 }),
      },
      voice,
      quick: new QuickPrompts({
        quick: new QuickConversation(rig.conversations, clock),
        voice,
        isOpen: () => true,
        tell: () => {},
      }),
      bindShortcut: async () => "",
      speech,
      offers,
      words: { corrected: () => {}, forget: () => {} },
      showNames: () => {},
      windows: new Windows({ preload: "", icon: "", keeping, onClosing: () => {} }),
      subscriptions: new WindowSubscriptions(),
      onShown: () => {},
      attaching: {
        attachedFiles: new AttachedFiles({
          store: rig.store,
          settings: () => defaultSettings,
          newId: randomUUID,
        }),
        screens: {
          systemAsks: () => false,
          list: async () => [],
          take: async () => null,
          takeDisplay: async () => null,
        },
      },
      fileAttachments: new FileAttachments({
        attached: noAttachedFiles,
        openFolder: () => environment,
        servers: mcp.manager,
        settings: () => defaultSettings,
        model: () => ({ modelLabel: "the model", takesImages: true }),
      }),
      mcp: new ServerActions({ manager: mcp.manager, files: mcp.files, places }),
      trust: { request: async () => null, answer: async () => {}, trusted: () => [], forget: () => {} },
      appInfo: () => {
        throw new Error("There is no app.");
      },
      changeSettings: () => {},
      permissions: {
        settings: () => defaultSettings,
        changeSettings: () => {},
        checkFence: async () => {},
      },
      models: {
        settings: () => defaultSettings,
        changeSettings: () => {},
        describe: (settings) => describeProvider(settings, {}),
        list: async () => null,
        aliases: () => [],
        prices: () => () => null,
        store: rig.store,
      },
      newConversation: () => rig.conversations.create().id,
      newWorkingFolder: () => "/",
      modelServers: { answer: () => {} },
      keyAddresses: { answer: () => {} },
      secrets: {
        redact: (text) => text,
        request: (variable) => ({ variable, place: "memory", canBeWeak: false, backend: "none" }),
        askKey: () => {},
        setKey: () => {},
        know: () => {},
        removeKey: () => {},
        stateOf: () => ({ variable: "ANTHROPIC_API_KEY", from: null, kept: null }),
      },
      keys: {
        test: async () => ({ ok: true, host: "Anthropic", tookMs: 1 }),
        hostOf: () => null,
        models: async () => null,
      },
      settings: {
        path: "/settings.json",
        current: () => defaultSettings,
        change: () => {},
        reset: () => {},
        remembered: { current: () => remembered.parse({}), change: () => {} },
        atStart: defaultSettings,
        restart: () => {},
      },
      data: {
        paths: { settings: "/s", log: "/l", folder: "/" },
        prepare: () => {},
        info: async () => ({ folder: "/", parts: [] }),
        about: () => ({
          version: "",
          electron: "",
          chromium: "",
          node: "",
          isDevelopment: false,
          logPath: "",
          licences: [],
        }),
        exportAll: async () => 0,
        backUp: () => Promise.resolve(0),
        checkBackup: () => Promise.reject(new Error("no back-up")),
        restore: () => {},
        deleteAll: () => {},
      },
    },
    async close() {
      await voice.stop();
      await mcp.close();
    },
  };
}
