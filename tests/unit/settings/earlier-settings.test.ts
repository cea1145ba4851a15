import { readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { readSettings } from "../../../electron/settings/read-settings.ts";
import { defaultSettings, type SettingKey } from "../../../shared/settings.ts";

/** Every setting that Parley had on 22 November 2026, each with another value than its default. */
const file = join(import.meta.dirname, "../../fixtures/settings-2026-11-22.json");
const stored: Record<string, unknown> = JSON.parse(readFileSync(file, "utf8"));
/** Which folders count is asked anew: what they bring is trusted as it is, not by their names. */
const { trustedFolders, ...kept } = stored;

test("a settings file of an earlier version is read whole, and without a complaint", () => {
  const { settings, problems } = readSettings(stored);
  expect(problems).toEqual([]);
  expect(trustedFolders).toEqual(["/home/me/Projects"]);
  for (const [key, value] of Object.entries(kept)) {
    expect({ [key]: settings[key as SettingKey] }).toEqual({ [key]: value });
  }
});

test("each of its values would be missed", () => {
  const same = Object.keys(kept).filter(
    (key) => JSON.stringify(defaultSettings[key as SettingKey]) === JSON.stringify(kept[key]),
  );
  expect(same).toEqual([]);
  expect(Object.keys(kept).length).toBeGreaterThan(80);
});
