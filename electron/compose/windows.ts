import { randomUUID } from "node:crypto";
import type { CommandRegistry } from "../commands/registry.ts";
import type { Doctor } from "../desktop/doctor/doctor.ts";
import { AttachedFiles } from "../desktop/ipc/attached-files.ts";
import { FileAttachments } from "../desktop/ipc/file-attachments.ts";
import { handleCalls } from "../desktop/ipc/ipc.ts";
import { createRoutes } from "../desktop/ipc/routes.ts";
import type { AnswerCall } from "../desktop/ipc/waiting-calls.ts";
import type { WindowSubscriptions } from "../desktop/ipc/window-subscriptions.ts";
import { imageScaler } from "../desktop/pictures/image-scaler.ts";
import { screenPictures } from "../desktop/pictures/screen-pictures.ts";
import { startAnew } from "../desktop/shell/app-facts.ts";
import { createAppInfo } from "../desktop/shell/app-info.ts";
import type { KeptData } from "../desktop/shell/kept-data.ts";
import type { Windows } from "../desktop/shell/windows.ts";
import type { Updates } from "../desktop/update/updates.ts";
import type { Base } from "./base.ts";
import type { composeConversations } from "./conversations.ts";
import { composeData } from "./data.ts";
import type { composeFence } from "./fence.ts";
import type { composeMcp } from "./mcp.ts";
import type { composeModels } from "./models.ts";
import type { composeQuickKey } from "./quick-key.ts";
import type { Signal } from "./signal.ts";
import type { composeStore } from "./store.ts";
import type { composeTrust } from "./trust.ts";
import type { composeVoice } from "./voice.ts";

export interface AnswerWindowsOptions {
  base: Base;
  windows: Windows;
  subscriptions: WindowSubscriptions;
  /** The main window shows another conversation, or is new. */
  shown: Signal;
  trust: ReturnType<typeof composeTrust>;
  models: ReturnType<typeof composeModels>;
  fences: ReturnType<typeof composeFence>;
  storage: ReturnType<typeof composeStore>;
  mcp: ReturnType<typeof composeMcp>;
  agent: ReturnType<typeof composeConversations>;
  voice: ReturnType<typeof composeVoice>;
  quickKey: ReturnType<typeof composeQuickKey>;
  commands: CommandRegistry;
  doctor: Doctor;
  updates: Updates;
  keptData: KeptData;
  answerCalls(answer: AnswerCall): void;
}

/** What windows may ask, and who answers. */
export function answerWindows(options: AnswerWindowsOptions): void {
  const {
    base,
    windows,
    subscriptions,
    shown,
    trust,
    models,
    fences,
    storage,
    mcp,
    agent,
    voice,
    quickKey,
    commands,
    doctor,
    updates,
    keptData,
  } = options;
  const { settings, folders, workingFolder, log, problems } = base;
  const { secrets } = trust;
  const appInfo = createAppInfo({
    // Before the first conversation is kept.
    isFresh: storage.store.listSessions({ limit: 1 }).length === 0,
    fence: fences.info,
    quickShortcut: () => quickKey.info,
    settings: settings.current,
    describe: models.describe,
    workingFolder,
    commands,
    startupErrors: () => problems.list,
    readyUpdate: () => updates.ready,
    modelServerOffer: () => models.offers.current(),
    keyAddressOffer: () => models.keyAddresses.current(),
  });
  // What they show of the app hangs on many of the settings.
  settings.onChange(() => windows.broadcast({ type: "app" }));
  const attachedFiles = new AttachedFiles({
    store: storage.store,
    settings: settings.current,
    newId: randomUUID,
  });
  const routes = createRoutes({
    permissions: {
      settings: settings.current,
      changeSettings: settings.change,
      checkFence: fences.check,
    },
    models: {
      settings: settings.current,
      changeSettings: settings.change,
      describe: models.describe,
      list: (current, signal) => models.lists.of(current, signal),
      aliases: models.aliases,
      prices: models.prices,
      store: storage.store,
    },
    changeSettings: settings.change,
    speech: voice.speech,
    offers: voice.offers,
    voice: voice.voice,
    quick: voice.quick,
    bindShortcut: quickKey.bind,
    words: voice.words,
    showNames: voice.showNames,
    conversations: agent.conversations,
    store: storage.store,
    rewinding: storage.checkpoints,
    files: storage.files,
    mcp: mcp.actions,
    trust: trust.trust,
    commands,
    doctor,
    openFolder: (folder) => folders.open(folder),
    findServer: models.findServer,
    windows,
    subscriptions,
    onShown: shown.tell,
    attaching: { attachedFiles, screens: screenPictures },
    fileAttachments: new FileAttachments({
      attached: attachedFiles,
      openFolder: (folder) => folders.open(folder),
      servers: mcp.manager,
      settings: settings.current,
      scaleImage: imageScaler,
      model: appInfo,
    }),
    secrets,
    keys: { test: models.testKey, hostOf: models.hostOf, models: models.namesOf },
    settings: {
      path: settings.path,
      current: settings.current,
      change: settings.change,
      reset: settings.reset,
      remembered: base.remembered,
      atStart: base.atStart,
      restart: startAnew,
    },
    data: composeData(base, storage, keptData, updates),
    modelServers: models.offers,
    keyAddresses: models.keyAddresses,
    newConversation: agent.create,
    newWorkingFolder: workingFolder,
    appInfo,
  });
  options.answerCalls(handleCalls(routes, (route, error) => log.warn(`${route}: ${String(error)}`)));
}
