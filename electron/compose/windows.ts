import type { CommandRegistry } from "../commands/registry.ts";
import { FileAttachments } from "../desktop/ipc/file-attachments.ts";
import { handleCalls } from "../desktop/ipc/ipc.ts";
import { createRoutes } from "../desktop/ipc/routes.ts";
import type { WindowSubscriptions } from "../desktop/ipc/window-subscriptions.ts";
import { createAppInfo } from "../desktop/shell/app-info.ts";
import type { Windows } from "../desktop/shell/windows.ts";
import type { Base } from "./base.ts";
import type { composeConversations } from "./conversations.ts";
import type { composeFence } from "./fence.ts";
import type { composeMcp } from "./mcp.ts";
import type { composeModels } from "./models.ts";
import type { composeStore } from "./store.ts";
import type { composeTrust } from "./trust.ts";
import type { composeVoice } from "./voice.ts";

export interface AnswerWindowsOptions {
  base: Base;
  windows: Windows;
  subscriptions: WindowSubscriptions;
  trust: ReturnType<typeof composeTrust>;
  models: ReturnType<typeof composeModels>;
  fences: ReturnType<typeof composeFence>;
  storage: ReturnType<typeof composeStore>;
  mcp: ReturnType<typeof composeMcp>;
  agent: ReturnType<typeof composeConversations>;
  voice: ReturnType<typeof composeVoice>;
  commands: CommandRegistry;
}

/** What windows may ask, and who answers. */
export function answerWindows(options: AnswerWindowsOptions): void {
  const { base, windows, subscriptions, trust, models, fences, storage, mcp, agent, voice, commands } =
    options;
  const { settings, folders, workingFolder, log, problems } = base;
  const { secrets } = trust;
  const appInfo = createAppInfo({
    fence: fences.info,
    settings: settings.current,
    places: secrets.places,
    folderKeys: secrets.modelKeys,
    workingFolder,
    commands,
    startupErrors: problems.list,
    localServer: models.localServer,
    modelServerOffer: () => models.offers.current(),
    keyAddressOffer: () => models.keyAddresses.current(),
  });
  // What they show of the app hangs on many of the settings.
  settings.onChange(() => windows.broadcast({ type: "app" }));
  const routes = createRoutes({
    permissions: {
      settings: settings.current,
      changeSettings: settings.change,
      checkFence: fences.check,
    },
    changeSettings: settings.change,
    speech: voice.speech,
    offers: voice.offers,
    voice: voice.voice,
    conversations: agent.conversations,
    store: storage.store,
    rewinding: storage.checkpoints,
    files: storage.files,
    mcp: mcp.actions,
    trust: trust.trust,
    commands,
    windows,
    subscriptions,
    fileAttachments: new FileAttachments({
      openFolder: (folder) => folders.open(folder),
      servers: mcp.manager,
      settings: settings.current,
      model: appInfo,
    }),
    secrets,
    modelServers: models.offers,
    keyAddresses: models.keyAddresses,
    newConversation: agent.create,
    newWorkingFolder: () => workingFolder,
    appInfo,
  });
  handleCalls(routes, (route, error) => log.warn(`${route}: ${String(error)}`));
}
