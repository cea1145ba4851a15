import { z } from "zod";
import type { userError } from "../conversation/events.ts";
import { type CheckResult, checkName } from "../doctor.ts";
import { type Remembered, rememberedChange } from "../remembered.ts";
import type { FenceInfo, LevelName, PermissionRule } from "../safety/permissions.ts";
import type { KeyRequest } from "../safety/secrets.ts";
import { type Settings, type SettingValues, settingChange } from "../settings.ts";
import type { KeyAddressOffer, ModelServerOffer, WhyOffline } from "./model-routes.ts";
import { answers } from "./route-parts.ts";

/** One line of `/help` and of the composer's completion. */
export interface CommandSummary {
  name: string;
  usage: string;
  description: string;
}

/** How the quick prompt's shortcut stands. */
export interface QuickShortcutInfo {
  /** As in the settings; blank: none is wanted. */
  key: string;
  /** Why it does not work, in words; null: it does, as far as is known. */
  problem: string | null;
  /** It is known to reach Parley. Wayland's portal does not tell. */
  isFree: boolean;
  /** The desktop in whose settings Parley can bind it. */
  desktop: "gnome" | "kde" | null;
}

/** What the first run stands on. */
export interface SetUpFacts {
  /** Where a key would be kept. */
  key: Pick<KeyRequest, "place" | "canBeWeak" | "backend">;
  /** A model server on this computer; null: none answers at the usual addresses. */
  server: ModelServerOffer | null;
}

/** What is kept. */
export interface DataInfo {
  folder: string;
  parts: { kind: DataKind; bytes: number }[];
}
export type DataKind = "conversations" | "checkpoints" | "recordings" | "models" | "logs" | "other";

/** A back-up that was read and found to be whole. */
export interface BackupInfo {
  path: string;
  conversations: number;
  messages: number;
  /** Whether it has what a rewind brings back. */
  hasCheckpoints: boolean;
  /** Milliseconds since the epoch. */
  madeAt: number;
  /** The version of the Parley that made it. */
  madeBy: string;
  /** How many of its settings differ from those here. */
  settings: number;
}

export interface AboutInfo {
  version: string;
  electron: string;
  chromium: string;
  node: string;
  isDevelopment: boolean;
  logPath: string;
  licences: { name: string; version: string; licence: string }[];
}

export interface AppInfo {
  version: string;
  electron: string;
  chrome: string;
  node: string;
  /** True on the end-of-life runtime for development and tests, which no release ships. */
  isTestRuntime: boolean;
  platform: string;
  provider: string;
  /** As shown in the header: the model, or "Offline assistant". */
  modelLabel: string;
  /** Where prompts go, where that is not the provider's own; absent where it is. */
  modelHost?: string;
  /** Where the offline assistant answers. */
  whyOffline?: WhyOffline;
  /** Whether the model takes images, as far as is known. */
  takesImages: boolean;
  modelServerOffer: ModelServerOffer | null;
  keyAddressOffer: KeyAddressOffer | null;
  /** Of a new conversation, with `~` for the home folder. */
  workingFolder: string;
  homeFolder: string;
  theme: Settings["theme"];
  announceReplies: Settings["announceReplies"];
  questionMarkShowsKeys: boolean;
  /** The level of conversations for which the user chose none. */
  permissionMode: LevelName;
  fence: FenceInfo;
  quickShortcut: QuickShortcutInfo;
  /** Parley was never set up: nobody has gone through that, or skipped it. */
  isFirstRun: boolean;
  /** Rules of an earlier version that the user has not looked at since they mean exact commands. */
  rulesToReview: PermissionRule[];
  commands: CommandSummary[];
  /** Broken settings and the like, found before any window was open. */
  startupErrors: z.infer<typeof userError>[];
  /** The version of a newer Parley that was fetched, and waits to be installed. */
  readyUpdate: string | null;
}

/** The app itself: set-up, settings, what is kept, what it is made of. */
export const settingRoutes = {
  "app.info": { input: z.void(), ...answers<AppInfo>() },
  /** What the first run needs to know: looks for a model server now. */
  "setUp.look": { input: z.void(), ...answers<SetUpFacts>() },
  /** It was done or skipped: it is not shown by itself any more. */
  "setUp.end": { input: z.void() },
  /** Tries one thing that Parley stands on; it answers within the check's time limit. */
  "doctor.check": { input: z.object({ name: checkName }), ...answers<CheckResult>() },
  /** What windows remember from start to start and no setting says. */
  "remembered.get": { input: z.void(), ...answers<Remembered>() },
  /** What is not given stays. */
  "remembered.change": { input: rememberedChange },
  /** Every setting that a window may know, as it counts now. */
  "setting.list": { input: z.void(), ...answers<SettingValues>() },
  /** Ends Parley as a quit does, and starts it again. */
  "app.restart": { input: z.void() },
  /** Changes one setting; its value is checked by its own rule. What no window may change is refused. */
  "setting.change": { input: settingChange },
  /** Its default counts again. */
  "setting.reset": { input: settingChange.pick({ key: true }) },
  /** Opens settings.json, the log, or the folder of all data in the system's own program for it. */
  "data.open": { input: z.object({ what: z.enum(["settings", "log", "folder"]) }) },
  /** What is kept, where, and how large it is. */
  "data.info": { input: z.void(), ...answers<DataInfo>() },
  /** Asks for a file, then writes all conversations into it; null where the user changed their mind. */
  "data.exportAll": { input: z.void(), ...answers<{ path: string | null; count: number }>() },
  /** Asks for a file, then writes a back-up into it; null where the user changed their mind. */
  "data.backUp": {
    input: z.object({ withCheckpoints: z.boolean() }),
    ...answers<{ path: string | null; count: number }>(),
  },
  /** Asks for a back-up and reads all of it; null where the user changed their mind. */
  "data.chooseBackup": { input: z.void(), ...answers<BackupInfo | null>() },
  /** Parley starts anew, and takes over what is in the back-up that was chosen. */
  "data.restore": { input: z.object({ withSettings: z.boolean() }) },
  /** Everything goes, and Parley starts anew. The word is what the user typed to say so. */
  "data.deleteAll": { input: z.object({ word: z.literal("delete") }) },
  /** What Parley is made of. */
  "about.info": { input: z.void(), ...answers<AboutInfo>() },
} as const;
