import { readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { settingsPage } from "../../../scripts/settings-page.mjs";
import { settings } from "../../../shared/settings.ts";

// `npm run settings-doc` writes it anew.
test("docs/settings.md says what the schema of the settings says", () => {
  const page = readFileSync(join(import.meta.dirname, "../../../docs/settings.md"), "utf8");
  expect(page).toBe(settingsPage(settings));
});

test("a setting without a docstring is not left out", () => {
  expect(() => settingsPage(settings.extend({ unheardOf: settings.shape.maxTurns }))).toThrow(
    "The setting unheardOf has no docstring.",
  );
});
