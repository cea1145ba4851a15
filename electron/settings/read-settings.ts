import { z } from "zod";
import type { UserError } from "../../shared/conversation/events.ts";
import { type SettingKey, type Settings, settingsShape } from "../../shared/settings.ts";

export interface SettingsReading {
  settings: Settings;
  problems: UserError[];
}

/**
 * Settings from what a file holds: each value is checked by itself, so one that is wrong costs only its own
 * default. Unknown keys are named, since a misspelt key would otherwise be ignored in silence.
 * @param stored the file's content, parsed
 */
export function readSettings(stored: Record<string, unknown>): SettingsReading {
  const problems: UserError[] = [];
  const accepted: Record<string, unknown> = {};
  for (const [key, value] of Object.entries(stored)) {
    if (retired.has(key)) continue;
    if (!isSettingKey(key)) {
      problems.push({ code: "unknown_setting", message: `There is no setting “${key}”.`, hint: fixHint });
      continue;
    }
    const parsed = settingsShape[key].safeParse(value);
    if (parsed.success) accepted[key] = parsed.data;
    else {
      problems.push({
        code: "invalid_setting",
        message: `The setting “${key}” is ${JSON.stringify(value)}: ${rule(parsed.error)}. Its default is used.`,
        hint: fixHint,
      });
    }
  }
  return { settings: Object.freeze(z.object(settingsShape).parse(accepted)), problems };
}

/** Settings of earlier versions that nothing reads any more, and no fault of the user's. Trust goes by what a folder brings, not by its name. */
const retired: ReadonlySet<string> = new Set(["trustedFolders"]);

const fixHint =
  "Correct it in settings.json (the settings show where it is under Data). It applies from the next run.";

const isSettingKey = (key: string): key is SettingKey => Object.hasOwn(settingsShape, key);

const rule = (error: z.ZodError) =>
  error.issues.map((issue) => issue.message.replace(/^Invalid (input|option): /, "")).join("; ");
