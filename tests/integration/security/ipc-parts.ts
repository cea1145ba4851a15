import { FileAttachments } from "../../../electron/desktop/ipc/file-attachments.ts";
import type { RoutesOptions } from "../../../electron/desktop/ipc/routes.ts";
import { WindowSubscriptions } from "../../../electron/desktop/ipc/window-subscriptions.ts";
import { Windows } from "../../../electron/desktop/shell/windows.ts";
import { ServerActions } from "../../../electron/mcp/server-actions.ts";
import { openLocalEnvironment } from "../../../electron/tools/environment/local-environment.ts";
import { OfferedSpeech } from "../../../electron/voice/offers/offered-speech.ts";
import { VoiceService } from "../../../electron/voice/session/voice-service.ts";
import { SpeechOutput } from "../../../electron/voice/speaking/speech-output.ts";
import { defaultSettings } from "../../../shared/settings.ts";
import { InstantClock } from "../../fakes/clock.ts";
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
    models: { recommended: {}, hasBasic: true, hasOwn: false, isHeard: () => false },
    server: () => voice.ownServer(),
    settings,
    changeSettings: () => {},
    clock,
    onChange: () => {},
  });
  const mcp = createMcpRig({
    context: {
      spawn: async () => {
        throw new Error("Nothing is started here.");
      },
    },
  });
  const places = { platform: process.platform, home: folder, env: {} };
  return {
    routeParts: {
      conversations: rig.conversations,
      store: rig.store,
      rewinding: null,
      voice,
      speech,
      offers,
      windows: new Windows({ preload: "", icon: "", onClosing: () => {} }),
      subscriptions: new WindowSubscriptions(),
      fileAttachments: new FileAttachments({
        openFolder: () => environment,
        servers: mcp.manager,
        settings: () => defaultSettings,
        model: () => ({ modelLabel: "the model", takesImages: true }),
      }),
      mcp: new ServerActions({ manager: mcp.manager, files: mcp.files, places }),
      trust: { request: async () => null, answer: async () => {} },
      appInfo: () => {
        throw new Error("There is no app.");
      },
      changeSettings: () => {},
      permissions: {
        settings: () => defaultSettings,
        changeSettings: () => {},
        checkFence: async () => {},
      },
      newConversation: () => rig.conversations.create().id,
      newWorkingFolder: () => "/",
      modelServers: { answer: () => {} },
      keyAddresses: { answer: () => {} },
      secrets: { redact: (text) => text, askKey: () => {}, setKey: () => {} },
    },
    async close() {
      await voice.stop();
      await mcp.close();
    },
  };
}
