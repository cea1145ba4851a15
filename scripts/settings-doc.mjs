import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { register } from "tsx/esm/api";
import { settingsPage } from "./settings-page.mjs";
import { root } from "./setup/run.mjs";

// npm run settings-doc: writes docs/settings.md from the schema of the settings.
register();
const { settings } = await import("../shared/settings.ts");
const { settingTexts } = await import("../shared/settings-texts/texts.ts");
const { settingGroups } = await import("../shared/settings-texts/groups.ts");
writeFileSync(join(root, "docs/settings.md"), settingsPage(settings, settingTexts, settingGroups));
