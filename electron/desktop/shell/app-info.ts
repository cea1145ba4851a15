import { homedir } from "node:os";
import { sep } from "node:path";
import { app } from "electron";
import type { UserError } from "../../../shared/conversation/events.ts";
import type { AppInfo, KeyAddressOffer, ModelServerOffer } from "../../../shared/ipc.ts";
import { type FenceInfo, isToReview } from "../../../shared/safety/permissions.ts";
import type { Settings } from "../../../shared/settings.ts";
import type { CommandRegistry } from "../../commands/registry.ts";
import type { ProviderDescription } from "../../providers/create-provider.ts";
import { testRuntimeVersion } from "./runtime-version.ts";

export interface AppInfoOptions {
  settings(): Settings;
  describe(settings: Settings): ProviderDescription;
  workingFolder: string;
  commands: CommandRegistry;
  startupErrors: UserError[];
  fence(): FenceInfo;
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
      workingFolder: withTilde(options.workingFolder),
      homeFolder: homedir(),
      theme: settings.theme,
      permissionMode: settings.permissionMode,
      fence: options.fence(),
      rulesToReview: settings.permissionRules.filter(isToReview),
      commands: options.commands.list(),
      startupErrors: options.startupErrors,
    };
  };
}

/** The path as people write it: the home folder is `~`. */
function withTilde(path: string): string {
  const home = homedir();
  return path === home || path.startsWith(home + sep) ? `~${path.slice(home.length)}` : path;
}
