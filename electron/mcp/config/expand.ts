import { keyVariable } from "../../../shared/safety/secrets.ts";
import type { ServerConfig, ServerEntry } from "./config-schema.ts";

/** Variables by whose they are. */
export interface VariableSources {
  /** The user's: what Parley was started with, keys given to it, the `.env` of the user-data folder. */
  own: Readonly<Record<string, string | undefined>>;
  /** What the `.env` of a working folder says. Never for an entry of the user's own: empty there. */
  folder: Readonly<Record<string, string | undefined>>;
}

export interface Variables extends VariableSources {
  workingFolder: string;
  home: string;
}

/** A variable in its place in an entry. */
export interface Filled {
  name: string;
  value: string;
  isOwn: boolean;
}

/** A variable that an entry names and nobody set. */
export class MissingVariable extends Error {
  override readonly name = "MissingVariable";
}

/**
 * The entry with `${NAME}`, `${env:NAME}`, `${NAME:-default}`, `${input:ID}`, `${workspaceFolder}` and `${userHome}` filled
 * in, in command, arguments, environment, folder, address, headers and sign-in.
 * @param write what stands in the place of a variable, if not its value
 * @throws MissingVariable naming the variable and the field
 */
export function expandEntry(
  { name, entry, inputs, source }: ServerConfig,
  variables: Variables,
  write: (filled: Filled) => string = ({ value }) => value,
): ServerEntry {
  const fill = (field: string, text: string) =>
    text.replaceAll(/\$\{([^}]+)\}/g, (_, expression: string) => {
      const value = variable(expression, variables, write);
      if (value !== undefined) return value;
      throw new MissingVariable(
        `${name}: \`${field}\` needs ${wanted(expression, inputs, source === "project")}`,
      );
    });
  const each = (field: string, record: Readonly<Record<string, string>>) =>
    Object.fromEntries(Object.entries(record).map(([key, text]) => [key, fill(`${field}.${key}`, text)]));
  const { command, args, env, cwd, url, headers, oauth } = entry;
  return {
    ...entry,
    ...(command !== undefined && { command: fill("command", command) }),
    args: args.map((text, index) => fill(`args.${index}`, text)),
    env: each("env", env),
    ...(cwd !== undefined && { cwd: fill("cwd", cwd) }),
    ...(url !== undefined && { url: fill("url", url) }),
    headers: each("headers", headers),
    ...(oauth && {
      oauth: {
        ...oauth,
        clientId: fill("oauth.clientId", oauth.clientId),
        ...(oauth.clientSecret !== undefined && {
          clientSecret: fill("oauth.clientSecret", oauth.clientSecret),
        }),
        ...(oauth.privateKey !== undefined && { privateKey: fill("oauth.privateKey", oauth.privateKey) }),
      },
    }),
  };
}

function variable(
  expression: string,
  { own, folder, workingFolder, home }: Variables,
  write: (filled: Filled) => string,
): string | undefined {
  if (expression === "workspaceFolder") return workingFolder;
  if (expression === "userHome") return home;
  const isInput = expression.startsWith("input:");
  const [, named = "", fallback] = /^(?:env:)?([^:]+)(?::-([\s\S]*))?$/.exec(expression) ?? [];
  const name = isInput ? inputVariable(expression.slice("input:".length)) : named;
  // What the folder has of its own, it gets no better one for.
  const inFolder = valueIn(folder, name);
  const value = inFolder || valueIn(own, name);
  if (value) return write({ name, value, isOwn: !inFolder });
  return isInput ? undefined : fallback;
}

/** Without what every object has, such as `constructor`. */
const valueIn = (variables: VariableSources["own"], name: string) =>
  Object.hasOwn(variables, name) ? variables[name] : undefined;

/** What is missing and where it belongs: values of inputs, and all of a user's own entry, in no folder's file. */
function wanted(expression: string, inputs: Readonly<Record<string, string>>, isOfFolder: boolean): string {
  const give = (variable: string) =>
    keyVariable(variable) === null
      ? "Set it before Parley starts"
      : `Give it with \`/key set ${variable}\`, or set it before Parley starts`;
  if (!expression.startsWith("input:")) {
    const name = expression.replace(/^env:/, "");
    const orFile = isOfFolder ? ", or write it into the `.env` file of the folder" : "";
    return `the environment variable \`${name}\`, which is not set. ${give(name)}${orFile}.`;
  }
  const id = expression.slice("input:".length);
  const meaning = inputs[id] ? ` (${inputs[id]})` : "";
  return `a value for \`${id}\`${meaning}, in \`${inputVariable(id)}\`. ${give(inputVariable(id))}.`;
}

/** Where the value of an input is looked for: `api-key` is `MCP_INPUT_API_KEY`. */
export const inputVariable = (id: string) => `MCP_INPUT_${id.replaceAll(/\W/g, "_").toUpperCase()}`;
