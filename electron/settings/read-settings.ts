import { z } from "zod";
import type { UserError } from "../../shared/conversation/events.ts";
import { asksForAll } from "../../shared/safety/permissions.ts";
import { type SettingKey, type Settings, settingsShape } from "../../shared/settings.ts";

export interface SettingsReading {
  settings: Settings;
  problems: UserError[];
}

/**
 * Settings from what a file holds: each value is checked by itself. Where one is wrong the last valid one still applies, or its
 * default. Unknown keys are named, since a misspelt key would otherwise be ignored in silence.
 * @param stored the file's content, parsed
 * @param lastValid an earlier content; null where none is known
 */
export function readSettings(
  stored: Readonly<Record<string, unknown>>,
  lastValid: Readonly<Record<string, unknown>> | null = null,
): SettingsReading {
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
      const last =
        lastValid?.[key] === undefined ? undefined : settingsShape[key].safeParse(lastValid[key]).data;
      const strict = last ?? strictest[key];
      if (strict !== undefined) accepted[key] = strict;
      const applies =
        last === undefined
          ? strict === undefined
            ? "Its default"
            : "The strictest value"
          : "Its last valid value";
      problems.push({
        code: "invalid_setting",
        message: `The setting “${key}” is ${JSON.stringify(value)}: ${rule(parsed.error)}. ${applies} applies.`,
        hint: fixHint,
      });
    }
  }
  return { settings: Object.freeze(z.object(settingsShape).parse(accepted)), problems };
}

/** What applies while it is not known what the user has forbidden. */
export const strictest: Readonly<Partial<Settings>> = {
  permissionMode: "look",
  permissionRules: [asksForAll],
};

/** Settings of earlier versions that nothing reads any more, and no fault of the user's. Trust goes by what a folder brings, not by its name. */
const retired: ReadonlySet<string> = new Set(["trustedFolders"]);

const fixHint =
  "Correct it in settings.json (the settings show where it is under Data). It applies from the next run.";

const isSettingKey = (key: string): key is SettingKey => Object.hasOwn(settingsShape, key);

const rule = (error: z.ZodError) =>
  error.issues.map((issue) => issue.message.replace(/^Invalid (input|option): /, "")).join("; ");
