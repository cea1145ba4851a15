import { isDeepStrictEqual } from "node:util";
import { hasKeyForm } from "../../shared/safety/redact.ts";
import { defaultSettings, type SettingKey, type Settings, settingsShape } from "../../shared/settings.ts";
import { maxOwnWords, type OwnWord } from "../../shared/voice/voice-settings.ts";
import type { SettingsFile } from "./settings.ts";

/**
 * Settings that no back-up has and no restore changes: what may run and what it may reach, where keys and words go, programs
 * that are started, whether anything is kept at all and for how long, and what only fits to one computer.
 */
export const ownSettings: ReadonlySet<SettingKey> = new Set<SettingKey>([
  "permissionMode",
  "permissionRules",
  "fence",
  "fence.readable",
  "fence.maxProcesses",
  "fence.maxMemoryMb",
  "fence.minFreeDiskMb",
  "shellTimeoutMs",
  "environmentPolicy",
  "webFetchPrivate",
  "deleteLimit",
  "mcpServers",
  "anthropicBaseUrl",
  "openaiBaseUrl",
  "localModelServers",
  "keyAddresses",
  "voice.server",
  "voice.serverMicrophones",
  "voice.microphone",
  "memoryEnabled",
  "pruneEnabled",
  "pruneSessionDays",
  "pruneMaxSessions",
  "pruneEventDays",
  "pruneCheckpointDays",
  "pruneCheckpointMb",
  "voice.record",
  "voice.recordKeepDays",
  "workingFolder",
  "checkpointsEnabled",
  "checkpointIgnore",
  "firstRun",
  "startAtLogin",
  "openLinks",
]);

/** What differs from the defaults, without what looks like a key. */
export function settingsToBackUp(settings: Settings): Partial<Settings> {
  const keys = Object.keys(settingsShape) as SettingKey[];
  return Object.fromEntries(
    keys
      .filter((key) => !ownSettings.has(key) && !isDeepStrictEqual(settings[key], defaultSettings[key]))
      .filter((key) => !hasKeyForm(JSON.stringify(settings[key])))
      .map((key) => [key, settings[key]]),
  );
}

/**
 * What a back-up would change here. The user's words of both stay; what this Parley does not know, or what is not valid, is
 * left out.
 * @param found as it stands in the back-up
 */
export function settingsFromBackup(
  found: Readonly<Record<string, unknown>>,
  current: Settings,
): Partial<Settings> {
  const changes: Partial<Record<SettingKey, unknown>> = {};
  for (const key of Object.keys(settingsShape) as SettingKey[]) {
    if (ownSettings.has(key) || !Object.hasOwn(found, key)) continue;
    const parsed = settingsShape[key].safeParse(found[key]);
    if (!parsed.success) continue;
    const value =
      key === "voice.words"
        ? bothWords(current[key], settingsShape[key].parse(parsed.data))
        : (parsed.data as unknown);
    if (!isDeepStrictEqual(value, current[key])) changes[key] = value;
  }
  return changes as Partial<Settings>;
}

/**
 * Takes over what a back-up would change, after its conversations are there: what fails here must not be told as if they were not.
 * @returns how many were changed; `problem`: why none was
 */
export function takeSettings(
  found: Readonly<Record<string, unknown>>,
  settings: Pick<SettingsFile, "current" | "change">,
): { changed: number; problem: string | null } {
  const changes = settingsFromBackup(found, settings.current());
  try {
    settings.change(changes);
    return { changed: Object.keys(changes).length, problem: null };
  } catch (error) {
    return { changed: 0, problem: error instanceof Error ? error.message : String(error) };
  }
}

/** Those of here first: they are what counts where there is no room for all. */
function bothWords(ours: readonly OwnWord[], theirs: readonly OwnWord[]): OwnWord[] {
  const known = new Set(ours.map(({ word }) => word.toLowerCase()));
  return [...ours, ...theirs.filter(({ word }) => !known.has(word.toLowerCase()))].slice(0, maxOwnWords);
}
