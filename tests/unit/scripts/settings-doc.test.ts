import { readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { settingsPage } from "../../../scripts/settings-page.mjs";
import { settings } from "../../../shared/settings.ts";
import { settingGroups } from "../../../shared/settings-texts/groups.ts";
import { settingTexts } from "../../../shared/settings-texts/texts.ts";

// `npm run settings-doc` writes it anew.
test("docs/settings.md says what the schema of the settings says", () => {
  const page = readFileSync(join(import.meta.dirname, "../../../docs/settings.md"), "utf8");
  expect(page).toBe(settingsPage(settings, settingTexts, settingGroups));
});

test("a setting without a text, or without a place, is not left out", () => {
  const more = settings.extend({ unheardOf: settings.shape.maxTurns });
  expect(() => settingsPage(more, settingTexts, settingGroups)).toThrow("The setting unheardOf has no text.");
  const texts = { ...settingTexts, unheardOf: { title: "Unheard of", help: "Says nothing." } };
  expect(() => settingsPage(more, texts, settingGroups)).toThrow("The setting unheardOf stands in no group.");
});
