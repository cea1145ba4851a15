import { lstatSync } from "node:fs";
import { join } from "node:path";
import { ruleText } from "../../../shared/safety/permissions.ts";
import { keyVariables } from "../../../shared/safety/secrets.ts";
import { placesOfDocuments } from "../../agent/context/project-documents.ts";
import { maxBytes } from "../../files/small-file.ts";
import { entriesOf } from "../../mcp/config/config.ts";
import { projectFile } from "../../mcp/config/config-files.ts";
import { serverEntry } from "../../mcp/config/config-schema.ts";
import { parseProjectRules, projectRulesFile } from "../../permissions/project-rules.ts";
import { projectDocumentNames } from "../../providers/profiles.ts";
import { envFile, folderVariables } from "../../settings/env-file.ts";
import type { Description, SteeringFile } from "../../trust/folder-trust.ts";

/**
 * Everything in or above a folder that would steer Parley, wherever it is read.
 * @param folder free of links @param keysFolder the only one whose `.env` gives keys of models
 */
export async function filesThatSteer(folder: string, keysFolder: string): Promise<SteeringFile[]> {
  const { within, paths } = await placesOfDocuments(folder, projectDocumentNames);
  const hasServers = isThere(join(folder, projectFile));
  return [
    ...paths.map((path) => ({ path, within, most: maxBytes.document, describe: describeDocument })),
    {
      path: join(folder, envFile),
      within: folder,
      most: maxBytes.variables,
      describe: (text) => describeVariables(text, folder === keysFolder, hasServers),
    },
    {
      path: join(folder, projectFile),
      within: folder,
      most: maxBytes.servers,
      describe: describeServers,
      asksByItself: true,
    },
    {
      path: join(folder, projectRulesFile),
      within: folder,
      most: maxBytes.rules,
      describe: describeRules,
    },
  ];
}

function describeDocument(text: string): Description | null {
  if (text.trim() === "") return null;
  return { what: "instructions for the model", words: text.trim().split(/\r?\n/) };
}

const modelKeys: ReadonlySet<string> = new Set(Object.values(keyVariables).flat());

/** Values are nobody's to see. */
function describeVariables(text: string, givesKeys: boolean, hasServers: boolean): Description | null {
  const names = Object.keys(folderVariables(text));
  const keys = givesKeys ? names.filter((name) => modelKeys.has(name)) : [];
  const words = hasServers ? names : keys;
  if (words.length === 0) return null;
  const what = [
    ...(keys.length > 0 ? ["keys for models"] : []),
    ...(words.length > keys.length ? ["variables for the servers below"] : []),
  ];
  return { what: what.join(", "), words };
}

function describeServers(text: string): Description | null {
  const read = entriesOf({ content: text });
  const what = "MCP servers: each still asks you before it starts";
  if (typeof read === "string") return { what: "MCP servers, but the file cannot be understood", words: [] };
  const words = Object.entries(read.entries).map(([name, value]) => {
    const entry = serverEntry.safeParse(value);
    if (!entry.success) return `${name}: (its entry is wrong)`;
    const { url, command = "", args } = entry.data;
    return `${name}: ${url ?? [command, ...args].join(" ")}`;
  });
  return words.length === 0 ? null : { what, words };
}

function describeRules(text: string): Description | null {
  const rules = parseProjectRules(text);
  if (typeof rules === "string") {
    return {
      what: "rules, but they cannot be understood. Until that is fixed, every change asks",
      words: [],
    };
  }
  if (rules.length === 0) return null;
  const what = "rules: those that ask or deny apply already; those that allow apply once you trust them";
  return { what, words: rules.map((rule) => ruleText(rule)) };
}

function isThere(path: string): boolean {
  try {
    lstatSync(path);
    return true;
  } catch {
    return false;
  }
}
