import type { ServerConfig, ServerEntry } from "./config-schema.ts";

export interface Variables {
  env: Readonly<Record<string, string | undefined>>;
  workingFolder: string;
  home: string;
  /** A value that was given for an input of the configuration. */
  input(id: string): string | undefined;
}

/** A variable that an entry names and nobody set. */
export class MissingVariable extends Error {
  override readonly name = "MissingVariable";
}

/**
 * The entry with `${NAME}`, `${env:NAME}`, `${NAME:-default}`, `${input:ID}`, `${workspaceFolder}` and `${userHome}` filled
 * in, in command, arguments, environment, folder, address, headers and sign-in.
 * @throws MissingVariable naming the variable and the field
 */
export function expandEntry({ name, entry, inputs }: ServerConfig, variables: Variables): ServerEntry {
  const fill = (field: string, text: string) =>
    text.replaceAll(/\$\{([^}]+)\}/g, (_, expression: string) => {
      const value = variable(expression, variables);
      if (value !== undefined) return value;
      throw new MissingVariable(`${name}: \`${field}\` needs ${wanted(expression, inputs)}`);
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

function variable(expression: string, { env, workingFolder, home, input }: Variables): string | undefined {
  if (expression === "workspaceFolder") return workingFolder;
  if (expression === "userHome") return home;
  if (expression.startsWith("input:")) return input(expression.slice("input:".length));
  const [, name = "", fallback] = /^(?:env:)?([^:]+)(?::-([\s\S]*))?$/.exec(expression) ?? [];
  return env[name] || fallback;
}

function wanted(expression: string, inputs: Readonly<Record<string, string>>): string {
  if (!expression.startsWith("input:")) {
    const name = expression.replace(/^env:/, "");
    return `the environment variable \`${name}\`, which is not set. Set it, or write it into the \`.env\` file of the working folder.`;
  }
  const id = expression.slice("input:".length);
  const meaning = inputs[id] ? ` (${inputs[id]})` : "";
  return `a value for \`${id}\`${meaning}. Set the environment variable \`${inputVariable(id)}\` to it.`;
}

/** Where the value of an input is looked for: `api-key` is `MCP_INPUT_API_KEY`. */
export const inputVariable = (id: string) => `MCP_INPUT_${id.replaceAll(/\W/g, "_").toUpperCase()}`;
