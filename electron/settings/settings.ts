import { copyFileSync, existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { isDeepStrictEqual } from "node:util";
import Store from "electron-store";
import type { UserError } from "../../shared/conversation/events.ts";
import type { Settings } from "../../shared/settings.ts";
import { readSettings } from "./read-settings.ts";
import { whenChanged } from "./when-changed.ts";

/** Of settings that have another value now. */
export type SettingKeys = ReadonlySet<keyof Settings>;

export interface SettingsFile {
  readonly path: string;
  /** The settings as the file has them now, frozen: a run keeps its copy, a change applies from the next one. */
  current(): Settings;
  /** Keeps what is given; the rest of the file stays as it is. */
  change(values: Partial<Settings>): void;
  /** Told after every change, whoever made it: of one made in an editor within a few seconds. @returns ends it */
  onChange(listener: (changed: SettingKeys) => void): () => void;
  /** Nobody is told any more. */
  close(): void;
}

/** How often somebody else's change is looked for, in milliseconds. */
const lookEveryMs = 2000;

/**
 * `settings.json` in the user-data folder. What is wrong in it is reported once; the default is used, and the
 * file as it was is kept beside it as `settings.json.bak`.
 * @param folder the user-data folder
 */
export function openSettings(folder: string, onProblem: (problem: UserError) => void): SettingsFile {
  const path = join(folder, "settings.json");
  const told = new Set<string>();
  const tell = (problem: UserError) => {
    if (told.has(problem.message)) return;
    told.add(problem.message);
    onProblem(problem);
  };
  const unreadable = jsonProblem(path);
  if (unreadable) {
    tell({
      code: "broken_settings",
      message: `${path} is not valid JSON (${unreadable}). The defaults are used.`,
      hint: "The file as it was is beside it as settings.json.bak.",
    });
    copyFileSync(path, `${path}.bak`);
  }
  const store = new Store<Record<string, unknown>>({
    name: "settings",
    cwd: folder,
    accessPropertiesByDotNotation: false,
    clearInvalidConfig: true,
  });
  const current = whenChanged(path, () => {
    const { settings, problems } = readSettings(store.store);
    if (problems.some((problem) => !told.has(problem.message))) copyFileSync(path, `${path}.bak`);
    problems.forEach(tell);
    return settings;
  });
  const listeners = new Set<(changed: SettingKeys) => void>();
  let known = current();
  const look = () => {
    const now = current();
    const changed = differing(known, now);
    known = now;
    if (changed.size === 0) return;
    for (const listener of [...listeners]) listener(changed);
  };
  // Not watchFile: it does not see what changes before its own first look.
  const looking = setInterval(look, lookEveryMs);
  looking.unref();
  return {
    path,
    current,
    change(values) {
      store.set(values);
      look();
    },
    onChange(listener) {
      listeners.add(listener);
      return () => void listeners.delete(listener);
    },
    close: () => clearInterval(looking),
  };
}

function differing(before: Settings, now: Settings): SettingKeys {
  const keys = Object.keys(now) as (keyof Settings)[];
  return new Set(keys.filter((key) => !isDeepStrictEqual(before[key], now[key])));
}

function jsonProblem(path: string): string | null {
  if (!existsSync(path)) return null;
  try {
    const parsed: unknown = JSON.parse(readFileSync(path, "utf8"));
    return typeof parsed === "object" && parsed !== null && !Array.isArray(parsed)
      ? null
      : "it holds no object";
  } catch (error) {
    return error instanceof Error ? error.message : String(error);
  }
}
