import { homedir } from "node:os";
import { app } from "electron";
import type { UserError } from "../../../shared/conversation/events.ts";
import type { KeyAddressOffer, ModelServerOffer } from "../../../shared/ipc/model-routes.ts";
import type { AppInfo, QuickShortcutInfo } from "../../../shared/ipc/setting-routes.ts";
import { type FenceInfo, isToReview } from "../../../shared/safety/permissions.ts";
import type { Settings } from "../../../shared/settings.ts";
import { withTilde } from "../../../shared/with-tilde.ts";
import type { CommandRegistry } from "../../commands/registry.ts";
import type { ProviderDescription } from "../../providers/create-provider.ts";
import { testRuntimeVersion } from "./runtime-version.ts";

export interface AppInfoOptions {
  settings(): Settings;
  describe(settings: Settings): ProviderDescription;
  workingFolder(): string;
  commands: CommandRegistry;
  startupErrors(): readonly UserError[];
  readyUpdate(): string | null;
  fence(): FenceInfo;
  quickShortcut(): QuickShortcutInfo;
  /** Nothing was kept by an earlier start. */
  isFresh: boolean;
  /** One that waits for the user's yes. */
  modelServerOffer(): ModelServerOffer | null;
  /** A key that waits for the user's yes. */
  keyAddressOffer(): KeyAddressOffer | null;
}

/** What windows show of the app as a whole, read anew at every call. */
export function createAppInfo(options: AppInfoOptions): () => AppInfo {
  return () => {
    const settings = options.settings();
    return {
      version: app.getVersion(),
      electron: process.versions.electron,
      chrome: process.versions.chrome,
      node: process.versions.node,
      isTestRuntime: process.versions.electron === testRuntimeVersion,
      platform: process.platform,
      ...options.describe(settings),
      modelServerOffer: options.modelServerOffer(),
      keyAddressOffer: options.keyAddressOffer(),
      workingFolder: withTilde(options.workingFolder(), homedir()),
      homeFolder: homedir(),
      theme: settings.theme,
      announceReplies: settings.announceReplies,
      questionMarkShowsKeys: settings.questionMarkShowsKeys,
      permissionMode: settings.permissionMode,
      fence: options.fence(),
      quickShortcut: options.quickShortcut(),
      isFirstRun: settings.firstRun && options.isFresh,
      rulesToReview: settings.permissionRules.filter(isToReview),
      commands: options.commands.list(),
      startupErrors: [...options.startupErrors()],
      readyUpdate: options.readyUpdate(),
    };
  };
}
