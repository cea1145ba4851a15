import { z } from "zod";
import { serverPrefix } from "../../../shared/servers/server-tools.ts";
import { parseSmallJson } from "../../files/small-file.ts";
import { type ConfigSource, type ServerConfig, serverEntry } from "./config-schema.ts";

/** What is wrong with an entry, in words for the user. */
export interface ConfigProblem {
  /** null: the whole file. */
  server: string | null;
  message: string;
}

export interface ConfigText {
  source: ConfigSource;
  /** As the user knows it: a path, or the settings' key. */
  where: string;
  /** Of a project's file: the folder that it counts in. */
  folder?: string | undefined;
  /** JSON, as text or already read; an Error where it cannot be read. */
  content: unknown;
}

export interface ReadConfig {
  servers: ServerConfig[];
  problems: ConfigProblem[];
}

/**
 * Reads configurations in the order of their rank: a name that stands in two counts where it stands first. A bad entry
 * is a problem that names server and field; the others go on. So is one whose tools would be named like those of another:
 * nobody could tell whose they are. Never throws.
 */
export function readConfig(texts: readonly ConfigText[]): ReadConfig {
  const servers = new Map<string, ServerConfig>();
  const problems: ConfigProblem[] = [];
  for (const text of texts) {
    const file = entriesOf(text);
    if (typeof file === "string") {
      problems.push({ server: null, message: `${text.where}: ${file}` });
      continue;
    }
    for (const [name, value] of Object.entries(file.entries)) {
      if (servers.has(name)) continue;
      const entry = serverEntry.safeParse(value);
      const { source, folder } = text;
      const prefix = serverPrefix(name);
      const namesake = [...servers.keys()].find((other) => serverPrefix(other) === prefix);
      if (namesake !== undefined) {
        const message = `its tools would be named like those of \`${namesake}\` (\`${prefix}__…\`). It is not started: give one of them another name.`;
        problems.push({ server: name, message: `${text.where}: server \`${name}\`: ${message}` });
      } else if (entry.success) {
        const where = folder === undefined ? {} : { folder };
        servers.set(name, { name, source, ...where, entry: entry.data, inputs: file.inputs });
      } else problems.push({ server: name, message: `${text.where}: ${faultsOf(name, entry.error)}` });
    }
  }
  return { servers: [...servers.values()], problems };
}

interface Entries {
  entries: Record<string, unknown>;
  inputs: Record<string, string>;
}

const record = z.record(z.string(), z.unknown());
const input = z.object({ id: z.string(), description: z.string().default("") });

/**
 * The servers of `mcpServers`, of VS Code's `servers` (also inside its settings' `mcp`), or of a bare map of entries.
 * @returns why there are none
 */
export function entriesOf({ content }: Pick<ConfigText, "content">): Entries | string {
  if (content instanceof Error) return `it cannot be read (${content.message}).`;
  let value = content;
  if (typeof content === "string") {
    if (content.trim() === "") return { entries: {}, inputs: {} };
    try {
      value = parseSmallJson(content);
    } catch (error) {
      return `this ${error instanceof Error ? error.message : String(error)}.`;
    }
  }
  const whole = record.safeParse(value);
  if (!whole.success) return "a JSON object with `mcpServers` is expected.";
  const inner = record.safeParse(whole.data.mcp);
  const found =
    whole.data.mcpServers ?? whole.data.servers ?? (inner.success ? inner.data.servers : undefined);
  const entries = record.safeParse(found ?? (looksBare(whole.data) ? whole.data : {}));
  if (!entries.success) return "`mcpServers` must be an object: a name and an entry for each server.";
  const inputs = z
    .array(input)
    .safeParse(whole.data.inputs ?? (inner.success ? inner.data.inputs : undefined));
  const named = inputs.success ? inputs.data.map(({ id, description }) => [id, description]) : [];
  return { entries: entries.data, inputs: Object.fromEntries(named) };
}

/** READMEs sometimes show the entries alone. */
function looksBare(whole: Record<string, unknown>): boolean {
  const values = Object.values(whole);
  return (
    values.length > 0 &&
    values.every((value) => {
      const entry = record.safeParse(value);
      return entry.success && ("command" in entry.data || "url" in entry.data);
    })
  );
}

function faultsOf(name: string, { issues }: z.ZodError): string {
  const faults = issues.map(({ path, message }) => `\`${path.join(".") || "entry"}\`: ${message}`);
  return `server \`${name}\`, ${faults.join("; ")}.`;
}
