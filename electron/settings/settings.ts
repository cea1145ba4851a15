import { readFileSync, renameSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { isDeepStrictEqual } from "node:util";
import Store from "electron-store";
import type { UserError } from "../../shared/conversation/events.ts";
import type { Settings } from "../../shared/settings.ts";
import { readSettings, strictest } from "./read-settings.ts";
import { whenChanged } from "./when-changed.ts";

/** Of settings that have another value now. */
export type SettingKeys = ReadonlySet<keyof Settings>;

export interface SettingsFile {
  readonly path: string;
  /** The settings as the file has them now, frozen: a run keeps its copy, a change applies from the next one. */
  current(): Settings;
  /**
   * Keeps what is given; the rest of the file stays as it is.
   * @throws Error where it cannot be written, or where it cannot be read: then nothing was changed
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

/** Who is told what is wrong in the file, once for as long as it is wrong. */
export interface SettingsProblems {
  report(problem: UserError): void;
  /** It is no longer wrong. */
  mended(problem: UserError): void;
}

/**
 * `settings.json` in the user-data folder. A value that is wrong
 * does not replace the last valid one, and a file that cannot be read replaces none: what applied before still applies, also
 * after a start, for which `settings.json.bak` is kept. Nothing is written over a file that cannot be read.
 * @param folder the user-data folder
 */
export function openSettings(folder: string, { report, mended }: SettingsProblems): SettingsFile {
  const path = join(folder, "settings.json");
  const copy = `${path}.bak`;
  let told: readonly UserError[] = [];
  const tell = (problems: readonly UserError[]) => {
    const added = without(problems, told);
    const gone = without(told, problems);
    told = problems;
    added.forEach(report);
    gone.forEach(mended);
  };
  let valid: Stored | null = null;
  const lastValid = () => {
    valid ??= storedIn(copy).stored ?? null;
    return valid;
  };
  const read = (): Reading => {
    const found = storedIn(path);
    if (found.stored) {
      const { settings, problems } = readSettings(found.stored, lastValid());
      tell(problems);
      if (problems.every(({ code }) => code !== "invalid_setting")) {
        valid = found.stored;
        keepCopy(copy, found.stored);
      }
      return { stored: found.stored, settings, fault: null };
    }
    // Where somebody takes it away while Parley runs, an editor may be about to put it back.
    const stored = found.fault === null ? (valid ?? {}) : (lastValid() ?? strictest);
    const { settings } = readSettings(stored, null);
    if (found.fault === null) {
      tell([]);
      return { stored, settings, fault: null };
    }
    const fault = `${path} ${found.fault}`;
    const applies = lastValid()
      ? "The last valid settings still apply."
      : "The defaults apply, and every tool call asks first.";
    tell([{ code: "broken_settings", message: `${fault}. ${applies}`, hint: brokenHint }]);
    return { stored, settings, fault };
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
    const { stored, fault } = read();
    if (fault !== null) throw new Error(`${fault}, so no setting was changed. Correct the file first.`);
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

/** Those of the first that are not among the second, by their message. */
const without = (problems: readonly UserError[], others: readonly UserError[]): UserError[] =>
  problems.filter(({ message }) => others.every((other) => other.message !== message));

function differing(before: Settings, now: Settings): SettingKeys {
  const keys = Object.keys(now) as (keyof Settings)[];
  return new Set(keys.filter((key) => !isDeepStrictEqual(before[key], now[key])));
}

type Stored = Readonly<Record<string, unknown>>;

interface Reading {
  stored: Stored;
  settings: Settings;
  /** Why the file cannot be read, in words that begin with its path; null: it was read, or there is none. */
  fault: string | null;
}

const brokenHint =
  "Correct the file: until then no setting can be changed. If you delete it instead, the next change writes it anew.";

/** What the file holds, or why that cannot be told, to stand behind the file's name; null: there is no file. */
function storedIn(path: string): { stored: Stored } | { stored?: undefined; fault: string | null } {
  let text: string;
  try {
    text = readFileSync(path, "utf8");
  } catch (error) {
    return { fault: isAbsent(error) ? null : `cannot be read (${messageOf(error)})` };
  }
  try {
    const parsed: unknown = JSON.parse(text);
    const isObject = typeof parsed === "object" && parsed !== null && !Array.isArray(parsed);
    return isObject ? { stored: { ...parsed } } : { fault: "holds no JSON object" };
  } catch (error) {
    return { fault: `is not valid JSON in line ${faultyLine(text, error)} (${messageOf(error)})` };
  }
}

const isAbsent = (error: unknown) => error instanceof Error && "code" in error && error.code === "ENOENT";

/** V8 names the position of what it did not expect, or none where the text ends too early. */
function faultyLine(text: string, error: unknown): number {
  const position = /at position (\d+)/.exec(messageOf(error))?.[1];
  return text.slice(0, position === undefined ? text.length : Number(position)).split("\n").length;
}

/** For the next start. Where it cannot be written, an earlier one stays. */
function keepCopy(copy: string, stored: Stored): void {
  if (isDeepStrictEqual(storedIn(copy).stored, stored)) return;
  try {
    writeFileSync(`${copy}.new`, JSON.stringify(stored), { mode: 0o600 });
    renameSync(`${copy}.new`, copy);
  } catch {
    // It only makes up for a file that is broken at the next start.
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
