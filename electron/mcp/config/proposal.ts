import { createHash } from "node:crypto";
import { resolve } from "node:path";
import { hasKeyForm, namesSecret, withoutSecrets } from "../../../shared/safety/redact.ts";
import { visibleText } from "../../../shared/safety/visible-text.ts";
import type { ServerConfig, ServerEntry } from "./config-schema.ts";
import { expandEntry, type Filled, type Variables } from "./expand.ts";

/** What an entry of a folder's file would run now: the user sees it as a whole before it runs. */
export interface Proposal {
  /** Of all that counts, secrets included. */
  fingerprint: string;
  lines: readonly ProposalLine[];
}

export interface ProposalLine {
  label: string;
  text: string;
}

/** @param isFenced whether its program would run in the fence @throws MissingVariable */
export function proposalOf(config: ServerConfig, variables: Variables, isFenced: boolean): Proposal {
  const entry = expandEntry(config, variables);
  const given = new Set<string>();
  const shown = expandEntry(config, variables, (filled) => {
    if (!isUsersSecret(filled)) return filled.value;
    given.add(filled.name);
    return `‹${filled.name}›`;
  });
  return {
    fingerprint: fingerprintOf(config, entry, isFenced),
    lines: linesOf(shown, [...given], variables.workingFolder, isFenced),
  };
}

/** The same only where the same runs, in the same folder, as confined as it was. */
export function fingerprintOf(
  { folder, name }: ServerConfig,
  expanded: ServerEntry,
  isFenced: boolean,
): string {
  const what = JSON.stringify([folder, name, expanded, isFenced]);
  return createHash("sha256").update(what).digest("hex");
}

/** What a folder brings is shown in full, whatever it calls it: behind the name of a secret a command could hide. */
const isUsersSecret = ({ isOwn, name, value }: Filled) =>
  isOwn && (namesSecret(name) || hasKeyForm(value) || withoutSecrets(value) !== value);

function linesOf(
  { command, args, cwd, env, url, headers, oauth }: ServerEntry,
  given: readonly string[],
  folder: string,
  isFenced: boolean,
): ProposalLine[] {
  const line = (label: string, ...texts: string[]) => ({ label, text: oneLine(texts.join(" ")) });
  const variables = Object.entries(env).map(([name, value]) => `${name}=${quoted(value)}`);
  const facts = [
    command !== undefined && line("Runs", ...[command, ...args].map(quoted)),
    command !== undefined && line("In", resolve(folder, cwd ?? ".")),
    command !== undefined && line("Fence", isFenced ? fenced : "no: it can do what you can do"),
    variables.length > 0 && line("Variables", ...variables),
    url !== undefined && line("Reaches", url),
    Object.keys(headers).length > 0 && line("Sends the headers", Object.keys(headers).join(", ")),
    oauth && line("Signs in as", [oauth.clientId, oauth.grant, oauth.scope ?? ""].join(" ")),
    given.length > 0 && line("Gets of you", given.join(", ")),
  ];
  return facts.filter((fact) => fact !== false && fact !== undefined);
}

const fenced = "yes: it writes in this folder and in its own data only, and asks for each host";

const quoted = (word: string) =>
  /^[\p{L}\p{N}_@%+=:,./‹›-]+$/u.test(word) ? word : `'${word.replaceAll("'", `'"'"'`)}'`;

/** Nothing of it stands where another line is expected. */
const oneLine = (text: string) => visibleText(text).replaceAll("\n", "␊").replaceAll("\t", "␉");
