import { join } from "node:path";
import { parse } from "dotenv";
import { keyVariables } from "../../shared/safety/secrets.ts";
import { maxBytes, readSmallFile } from "../files/small-file.ts";

export type Environment = Readonly<Record<string, string | undefined>>;

/** Where a folder's variables are read from. */
export const envFile = ".env";

/** What is the user's own, by where it stands. A missing or unreadable file counts as empty; no working folder has a say in it. */
export interface OwnVariables {
  /** What Parley was started with. */
  environment: Environment;
  /** What was given in the app. */
  app: Environment;
  /** `.env` of the user-data folder. */
  file: Environment;
}

export function readOwnVariables(real: Environment, given: Environment, userData: string): OwnVariables {
  const file = readSmallFile(join(userData, envFile), { most: maxBytes.variables });
  const ofFile = file.kind === "text" ? withoutEmpty(parse(file.text)) : {};
  return { environment: withoutEmpty(real), app: withoutEmpty(given), file: ofFile };
}

/** All of it: the real environment, then what was given in the app, then the file; the first that has a name wins. */
export function readOwnEnvironment(real: Environment, given: Environment, userData: string): Environment {
  const { environment, app, file } = readOwnVariables(real, given, userData);
  return { ...file, ...app, ...environment };
}

/**
 * The variables of a folder's `.env`, which anybody may have written; a value ends with its line. Empty without the user's
 * trust, and where the file cannot be read.
 * @param folder absolute @param isTrusted whether the user trusts the file with this content
 */
export function readFolderEnvironment(
  folder: string,
  isTrusted: (path: string, text: string) => boolean,
): Environment {
  const path = join(folder, envFile);
  const file = readSmallFile(path, { most: maxBytes.variables, within: folder });
  return file.kind === "text" && isTrusted(path, file.text) ? folderVariables(file.text) : {};
}

/** Names that say what runs or where requests go: a folder gives none of them. */
const steers =
  /^(PATH|PATHEXT|COMSPEC|SHELL|ENV|BASH_ENV|IFS|HOME|APPDATA|XDG_.*|LD_.*|DYLD_.*|NODE_.*|ELECTRON_.*|NPM_CONFIG_.*|PYTHON.*|PERL5.*|RUBY.*|JAVA_TOOL_OPTIONS|JDK_JAVA_OPTIONS|_JAVA_OPTIONS|GIT_.*|SSH_.*|SSL_CERT_.*|REQUESTS_CA_BUNDLE|CURL_CA_BUNDLE|.*_PROXY|.*_BASE_URL|PARLEY_.*|MCP_INPUT_.*)$/i;

/** More variables no project has. */
const mostVariables = 500;

/** Line by line: the time that it takes grows with the length of the text and no faster. */
export function folderVariables(text: string): Environment {
  const found: Record<string, string> = {};
  const lines = text.split(/\r?\n/).filter((line) => line.includes("="));
  for (const line of lines.slice(0, mostVariables)) {
    const [, name = "", value = ""] = /^(?:export\s+)?([A-Za-z_]\w*)\s*=(.*)$/.exec(line.trim()) ?? [];
    if (name !== "" && !steers.test(name))
      Object.assign(found, withoutEmpty(parse(`${name}=${value.trim()}`)));
  }
  return found;
}

/**
 * The keys of models among a folder's variables. Of a maker of whom the user has given a key there is none: the folder's
 * would take its place under another name.
 */
export function modelKeysOf(folder: Environment, given: Environment): Environment {
  const keys: Record<string, string> = {};
  for (const names of Object.values(keyVariables)) {
    if (names.some((name) => given[name])) continue;
    for (const name of names) {
      const value = folder[name];
      if (value) keys[name] = value;
    }
  }
  return keys;
}

/** `NAME=` means "not set", as in the sample files people copy. */
function withoutEmpty(environment: Environment): Record<string, string> {
  const set: Record<string, string> = {};
  for (const [name, value] of Object.entries(environment)) if (value) set[name] = value;
  return set;
}
