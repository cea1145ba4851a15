import type { AppInfo } from "../../../../shared/ipc/setting-routes.ts";

/** What a window knows of the app, where a test says no more about it: whole, as main always sends it. */
export const appInfo = (more: Partial<AppInfo> = {}): AppInfo => ({
  version: "1.0.0",
  electron: "42.0.0",
  chrome: "130.0",
  node: "22.12.0",
  isTestRuntime: false,
  platform: "linux",
  provider: "offline",
  modelLabel: "Offline assistant",
  takesImages: false,
  modelServerOffer: null,
  keyAddressOffer: null,
  workingFolder: "~/work",
  homeFolder: "/home/ann",
  theme: "system",
  announceReplies: "sentences",
  permissionMode: "ask",
  fence: { setting: "on", isThere: true, why: null, mend: null },
  quickShortcut: { key: "Alt+Space", problem: null, desktop: null },
  isFirstRun: false,
  rulesToReview: [],
  commands: [],
  startupErrors: [],
  readyUpdate: null,
  ...more,
});
