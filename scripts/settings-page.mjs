import { z } from "zod";

/**
 * docs/settings.md: each setting with its default and what the settings page says of it.
 * @param groups the settings that stand together
 * @throws Error where a setting has no text, or stands in no group
 */
export function settingsPage(schema, texts, groups) {
  const { properties } = z.toJSONSchema(schema, { io: "input", unrepresentable: "any" });
  const placed = new Set(groups.flatMap(({ keys }) => keys));
  for (const key of Object.keys(properties)) {
    if (!texts[key]) throw new Error(`The setting ${key} has no text.`);
    if (!placed.has(key)) throw new Error(`The setting ${key} stands in no group.`);
  }
  const tables = groups.map(({ section, title, keys }) => {
    const rows = keys.map((key) => row(key, properties[key], texts[key]));
    const heading = `## ${sections[section]}: ${title}`;
    return [
      heading,
      "",
      "| Key | Title | Default | Values | Meaning |",
      "|---|---|---|---|---|",
      ...rows,
    ].join("\n");
  });
  return `${[head, ...tables].join("\n\n")}\n`;
}

const sections = {
  general: "General",
  models: "Models and keys",
  voice: "Voice",
  permissions: "Permissions and fence",
  servers: "MCP servers",
  shortcuts: "Shortcuts",
  data: "Data",
};

const head = `# Settings

<!-- Made by \`npm run settings-doc\` from the schema in shared/settings.ts and its texts in shared/settings-texts. -->

The settings page (Ctrl+, or \`/settings\`) shows every setting, checks what you type, and applies it at once. The settings are in
\`settings.json\` in the [user-data folder](glossary.md#conversations), which the page shows under “Data”. If you edit that file, Parley picks up the
change within seconds. The file holds only what differs from the defaults.
If the file can't be read or a value in it is wrong, the last valid settings still apply, and the window says what is wrong until it is corrected. No setting can be
changed until the file can be read again. \`settings.json.bak\` holds the last valid settings for the next start.
Names ending in \`Ms\` are in milliseconds, names ending in \`Mb\` in megabytes. Settings marked “next start” take effect the next time Parley starts.`;

function row(key, rule, { title, help, atStart }) {
  const meaning = `${help.replaceAll("|", "\\|")}${atStart ? " (next start)" : ""}`;
  return `| \`${key}\` | ${title} | ${defaultOf(rule)} | ${valuesOf(rule)} | ${meaning} |`;
}

function defaultOf({ default: value }) {
  if (value === undefined || value === "") return "–";
  const isLong = typeof value === "object" && JSON.stringify(value).length > 60;
  if (isLong && Array.isArray(value)) return value.map((one) => `\`${one}\``).join(", ");
  if (isLong)
    return Object.entries(value)
      .map(([key, one]) => `${key} ${one}`)
      .join(", ");
  return typeof value === "string" ? `\`${value}\`` : JSON.stringify(value).replaceAll(",", ", ");
}

/** Choices, or the bounds of a number. */
function valuesOf({ enum: choices, type, minimum, maximum }) {
  if (choices) return choices.map((choice) => `\`${choice}\``).join(", ");
  if (type !== "integer" && type !== "number") return "";
  return maximum === undefined || maximum === Number.MAX_SAFE_INTEGER
    ? `${minimum} or more`
    : `${minimum}–${maximum}`;
}
