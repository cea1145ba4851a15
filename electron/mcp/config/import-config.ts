import { join } from "node:path";
import { maxBytes, readSmallFile } from "../../files/small-file.ts";
import { entriesOf } from "./config.ts";
import { serverEntry } from "./config-schema.ts";

/** A configuration of another assistant on this computer. */
export interface ForeignConfig {
  /** As the user knows the assistant. */
  assistant: string;
  path: string;
}

export interface ImportPlaces {
  platform: NodeJS.Platform;
  home: string;
  /** For APPDATA (Windows) and XDG_CONFIG_HOME (Linux). */
  env: Readonly<Record<string, string | undefined>>;
}

/** Where other assistants keep their servers, whether they are there or not. */
export function foreignConfigs({ platform, home, env }: ImportPlaces): ForeignConfig[] {
  const folder =
    platform === "darwin"
      ? join(home, "Library", "Application Support")
      : platform === "win32"
        ? (env.APPDATA ?? join(home, "AppData", "Roaming"))
        : (env.XDG_CONFIG_HOME ?? join(home, ".config"));
  return [
    { assistant: "Claude Desktop", path: join(folder, "Claude", "claude_desktop_config.json") },
    { assistant: "VS Code", path: join(folder, "Code", "User", "mcp.json") },
    { assistant: "VS Code", path: join(folder, "Code", "User", "settings.json") },
  ];
}

export interface Imported {
  /** As they stand there, by name. */
  entries: Record<string, unknown>;
  /** A line for each thing found, taken or not. */
  lines: string[];
}

/**
 * The servers of other assistants. Those whose names are taken, or whose entries are wrong, are told and left out.
 * Their inputs (`${input:ID}`) stay as they are.
 * @param taken names that Parley has already
 */
export function readForeign(places: ImportPlaces, taken: ReadonlySet<string>): Imported {
  const entries: Record<string, unknown> = {};
  const lines: string[] = [];
  for (const { assistant, path } of foreignConfigs(places)) {
    const file = readSmallFile(path, { most: maxBytes.servers });
    if (file.kind === "missing") continue;
    const content = file.kind === "text" ? withoutComments(file.text) : new Error(`it ${file.why}`);
    const read = entriesOf({ content });
    if (typeof read === "string") {
      lines.push(`- ${assistant} (\`${path}\`): ${read}`);
      continue;
    }
    for (const [name, entry] of Object.entries(read.entries)) {
      const isKnown = taken.has(name) || name in entries;
      const isGood = serverEntry.safeParse(entry).success;
      if (!isKnown && isGood) entries[name] = entry;
      const what = isKnown
        ? "left out: there is already one with this name"
        : isGood
          ? "taken over"
          : "left out: its entry is wrong";
      lines.push(`- \`${name}\` of ${assistant}: ${what}`);
    }
  }
  return { entries, lines };
}

/** VS Code allows comments and commas at the end; strings keep what looks like either. */
function withoutComments(text: string): string {
  return text
    .replaceAll(/("(?:\\.|[^"\\])*")|\/\/[^\n]*|\/\*[\s\S]*?\*\//g, (_, string?: string) => string ?? "")
    .replaceAll(/("(?:\\.|[^"\\])*")|,(?=\s*[}\]])/g, (_, string?: string) => string ?? "");
}
