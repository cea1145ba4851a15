import { z } from "zod";
import { entriesOf } from "./config.ts";
import { serverEntry } from "./config-schema.ts";

/**
 * What was typed after `/mcp add`: JSON as a README shows it, or a name with JSON, a command or an address.
 * @param typed the same as it stands: splitting into words takes the quotes out of JSON
 * @returns entries by name, or what is wrong
 */
export function addedEntries(
  args: readonly string[],
  typed = args.join(" "),
): Record<string, unknown> | string {
  const [name, what, ...rest] = args;
  if (name === undefined) return "Say what to add.";
  if (typed.startsWith("{")) return checked(jsonEntries(typed));
  if (!/^[\w.-]+$/.test(name))
    return `\`${name}\` can't be a name. Names have only letters, digits, \`.\`, \`-\` and \`_\`.`;
  if (what === undefined) return `A command or an address for \`${name}\` is missing.`;
  if (what.startsWith("{")) {
    const entry = parsed(typed.slice(typed.indexOf("{")));
    return checked(entry === undefined ? "This is not valid JSON." : { [name]: entry });
  }
  if (/^https?:\/\//.test(what)) return checked({ [name]: { url: what } });
  // `NAME=value` before the command is for its environment, as in a shell.
  const words = [what, ...rest];
  const start = words.findIndex((word) => !/^\w+=/.test(word));
  if (start < 0) return `A command for \`${name}\` is missing.`;
  const [command, ...commandArgs] = words.slice(start);
  const env = Object.fromEntries(words.slice(0, start).map((word) => word.split(/=(.*)/s).slice(0, 2)));
  return checked({ [name]: { command, args: commandArgs, ...(start > 0 && { env }) } });
}

function jsonEntries(json: string): Record<string, unknown> | string {
  const read = entriesOf({ content: json });
  if (typeof read === "string") return `The JSON: ${read}`;
  return Object.keys(read.entries).length > 0 ? read.entries : "The JSON names no server.";
}

function checked(entries: Record<string, unknown> | string): Record<string, unknown> | string {
  if (typeof entries === "string") return entries;
  for (const [name, entry] of Object.entries(entries)) {
    const { error } = serverEntry.safeParse(entry);
    if (!error) continue;
    const faults = error.issues.map(({ path, message }) => `\`${path.join(".") || "entry"}\`: ${message}`);
    return `Server \`${name}\`, ${faults.join("; ")}.`;
  }
  return entries;
}

function parsed(text: string): unknown {
  try {
    return z.unknown().parse(JSON.parse(text));
  } catch {
    return undefined;
  }
}
