import { isDeepStrictEqual } from "node:util";
import {
  notHere,
  type SettingKey,
  type Settings,
  type SettingValues,
  settingKeys,
  settingsShape,
  shrinkOnly,
} from "../../../shared/settings.ts";
import { settingTexts } from "../../../shared/settings-texts/texts.ts";
import type { RememberedFile } from "../../settings/remembered.ts";
import type { IpcHandlers } from "./ipc.ts";

export interface SettingRoutesOptions {
  path: string;
  current(): Settings;
  change(values: Partial<Settings>): void;
  reset(key: SettingKey): void;
  /** A setting of voice has changed: what listens takes it over. */
  adoptVoice(): Promise<unknown>;
  remembered: RememberedFile;
  /** What counts of the settings that count from a start on. */
  atStart: Settings;
  restart(): void;
}

const atStartKeys = settingKeys.filter((key) => settingTexts[key].atStart);

/** What the settings page shows and changes. Models have no way here: only a page of ours calls. */
export function settingRoutes(options: SettingRoutesOptions) {
  const { path, current, change, reset, adoptVoice, remembered } = options;
  const values = (): SettingValues => {
    const { mcpServers: _, ...shown } = current();
    const waiting = atStartKeys.filter((key) => !isDeepStrictEqual(options.atStart[key], current()[key]));
    return { values: shown, path, waiting };
  };
  const adopted = async (key: SettingKey) => {
    if (key.startsWith("voice.")) await adoptVoice();
  };
  return {
    "app.restart": options.restart,
    "remembered.get": remembered.current,
    "remembered.change": ({ isPanelOpen, isListOpen, uses }) =>
      remembered.change({
        ...(isPanelOpen !== undefined && { isPanelOpen }),
        ...(isListOpen !== undefined && { isListOpen }),
        ...(uses && { uses }),
      }),
    "setting.list": values,
    "setting.change": async ({ key, value }) => {
      change(changeOf(key, value, current()));
      await adopted(key);
    },
    "setting.reset": async ({ key }) => {
      if (notHere.has(key)) throw new Error(`${key} is not changed here.`);
      reset(key);
      await adopted(key);
    },
  } satisfies Partial<IpcHandlers>;
}

/** @throws Error where the value breaks the setting's rule, or adds what a window cannot add */
function changeOf(key: SettingKey, value: unknown, current: Settings): Partial<Settings> {
  if (notHere.has(key)) throw new Error(`${key} is not changed here.`);
  const parsed: unknown = settingsShape[key].parse(value);
  if (shrinkOnly.has(key) && !isPartOf(parsed, current[key])) {
    throw new Error(`Nothing can be added to ${key} here, only removed.`);
  }
  return { [key]: parsed };
}

const isPartOf = (list: unknown, known: unknown): boolean =>
  Array.isArray(list) &&
  Array.isArray(known) &&
  list.every((one) => known.some((other) => isDeepStrictEqual(one, other)));
