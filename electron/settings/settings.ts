import { copyFileSync, existsSync, readFileSync, renameSync } from "node:fs";
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
  /**
   * Keeps what is given; the rest of the file stays as it is.
   * @throws Error where it cannot be written, or where it is broken and cannot be copied: then nothing was changed
   */
  change(values: Partial<Settings>): void;
  /** Takes it out of the file: its default counts. @throws as `change` does */
  reset(key: keyof Settings): void;
  /** Told after every change, whoever made it: of one made in an editor within a few seconds. @returns ends it */
  onChange(listener: (changed: SettingKeys) => void): () => void;
  /** Nobody is told any more. */
  close(): void;
}

/** How often somebody else's change is looked for, in milliseconds. */
const lookEveryMs = 2000;

/**
 * `settings.json` in the user-data folder. What is wrong in it is reported once, as long as it is wrong, and the file as it was
 * is kept beside it as `settings.json.bak`. A value that is wrong costs its own default; while the file cannot be read at all,
 * what it held last counts, and the next change writes it anew from that.
 * @param folder the user-data folder
 */
export function openSettings(folder: string, onProblem: (problem: UserError) => void): SettingsFile {
  const path = join(folder, "settings.json");
  let told: ReadonlySet<string> = new Set();
  const tell = (problems: readonly UserError[]) => {
    for (const problem of problems) if (!told.has(problem.message)) onProblem(problem);
  };
  let last: Stored | null = null;
  const read = () => {
    const found = storedIn(path);
    if (found.stored) {
      last = found.stored;
      const { settings, problems } = readSettings(last);
      if (problems.some(({ message }) => !told.has(message))) copyAside(path);
      tell(problems);
      told = new Set(problems.map(({ message }) => message));
      return { stored: last, settings, notCopied: null };
    }
    const notCopied = copyAside(path);
    const counts = last ? "The settings stay as they were." : "The defaults are used.";
    const hint = notCopied === null ? copiedHint : `No copy of it can be made (${notCopied}). Correct it.`;
    const message = `${path} ${found.why}. ${counts}`;
    tell([{ code: "broken_settings", message, hint }]);
    // What else was wrong is still known: it must not take the copy's place when the file is written anew.
    told = new Set([...told, message]);
    const stored = last ?? {};
    return { stored, settings: readSettings(stored).settings, notCopied };
  };
  const current = whenChanged(path, () => read().settings);
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
  const write = (changed: (stored: Stored) => Stored) => {
    const { stored, notCopied } = read();
    if (notCopied !== null) {
      throw new Error(
        `${path} is broken, and no copy of it can be made (${notCopied}): nothing was changed. Correct it first.`,
      );
    }
    fileIn(folder).store = changed(stored);
    look();
  };
  return {
    path,
    current,
    change(values) {
      if (Object.keys(values).length > 0) write((stored) => ({ ...stored, ...values }));
    },
    reset: (key) => write(({ [key]: _, ...others }) => others),
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

type Stored = Readonly<Record<string, unknown>>;

const copiedHint =
  "A copy of the file as it is now is beside it: settings.json.bak. The next change of a setting writes settings.json anew.";

/** What the file holds, nothing where there is none, or why that cannot be told, to stand behind the file's name. */
function storedIn(path: string): { stored: Stored } | { stored: null; why: string } {
  if (!existsSync(path)) return { stored: {} };
  let text: string;
  try {
    text = readFileSync(path, "utf8");
  } catch (error) {
    return { stored: null, why: `cannot be read (${messageOf(error)})` };
  }
  try {
    const parsed: unknown = JSON.parse(text);
    const isObject = typeof parsed === "object" && parsed !== null && !Array.isArray(parsed);
    return isObject ? { stored: { ...parsed } } : { stored: null, why: "holds no JSON object" };
  } catch (error) {
    return { stored: null, why: `is not valid JSON (${messageOf(error)})` };
  }
}

/** Keeps the file as it is now as `.bak`. @returns why it is not kept there; null: it is */
function copyAside(path: string): string | null {
  const copy = `${path}.bak`;
  const draft = `${copy}.new`;
  try {
    if (existsSync(copy) && readFileSync(copy).equals(readFileSync(path))) return null;
    // An earlier copy stays where this one cannot be made.
    copyFileSync(path, draft);
    renameSync(draft, copy);
    return null;
  } catch (error) {
    return messageOf(error);
  }
}

/** Writes the file whole or not at all. */
const fileIn = (folder: string) =>
  new Store<Record<string, unknown>>({
    name: "settings",
    cwd: folder,
    accessPropertiesByDotNotation: false,
    clearInvalidConfig: true,
  });

const messageOf = (error: unknown) => (error instanceof Error ? error.message : String(error));
