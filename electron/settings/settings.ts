import { copyFileSync, existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import Store from "electron-store";
import type { UserError } from "../../shared/conversation/events.ts";
import type { Settings } from "../../shared/settings.ts";
import { readSettings } from "./read-settings.ts";
import { whenChanged } from "./when-changed.ts";

export interface SettingsFile {
  readonly path: string;
  /** The settings as the file has them now, frozen: a run keeps its copy, a change applies from the next one. */
  current(): Settings;
  /** Keeps what is given; the rest of the file stays as it is. */
  change(values: Partial<Settings>): void;
}

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
  return {
    path,
    change: (values) => store.set(values),
    current: whenChanged(path, () => {
      const { settings, problems } = readSettings(store.store);
      if (problems.some((problem) => !told.has(problem.message))) copyFileSync(path, `${path}.bak`);
      problems.forEach(tell);
      return settings;
    }),
  };
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
