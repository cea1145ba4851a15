import { fitsWildcard as fitsName } from "../../shared/safety/globs.ts";
import type { PermissionRule } from "../../shared/safety/permissions.ts";
import { plainTool, serverPrefix } from "../../shared/servers/server-tools.ts";
import type { Tool } from "../agent/ports/ports.ts";

/**
 * Rules for the tools of MCP servers. They go by the server's name in the configuration and by the tool's name there: what
 * the model is offered depends on whatever else the server lists.
 */

/** What a name may be made of to be covered by a rule for several: no reader takes it for another one. */
const readable = /^[\w./-]+$/;

/** A rule for several tools covers none that says of itself that it destroys, and none with odd letters in its name. */
export function allowsServerTool(rule: PermissionRule, { server: called, hints }: Tool): boolean {
  if (!called || rule.server !== called.name) return false;
  const { tool = "*" } = rule;
  if (!tool.includes("*")) return tool === called.tool;
  return hints?.destructive !== true && readable.test(called.tool) && fitsName(tool, called.tool);
}

/**
 * Whether a rule that asks or denies is about the call. It counts for names that only look different, too (`delete repo`,
 * `Delete-Repo`), and for what a name became on its way to the model: a server chooses its names.
 */
export function narrowsServerTool(rule: PermissionRule, { name, server: called }: Tool): boolean {
  if (!called) return false;
  const { tool = "*", server } = rule;
  if (server === undefined && rule.tool === undefined) return true;
  const pattern = server === undefined ? tool : `${server}__${tool}`;
  const own = `${called.name}__${called.tool}`;
  const plain = `${serverPrefix(called.name)}__${plainTool(called.tool)}`;
  if ([name, own, plain].some((one) => fitsName(pattern, one))) return true;
  if (server === undefined) return fitsName(lettersOf(pattern), lettersOf(own.replaceAll("*", "")));
  return looksLike(server, called.name) && looksLike(tool, called.tool);
}

/** What allows this very tool; none where a rule could mean another one as well. */
export function serverRules({ server: called }: Tool): Omit<PermissionRule, "verdict">[] {
  if (!called || ![called.name, called.tool].every(isNameable)) return [];
  return [{ server: called.name, tool: called.tool }];
}

/** A rule loses blanks at the ends of a name, and takes `*` for a pattern. */
const isNameable = (name: string) =>
  name !== "" && name.length <= 1000 && name === name.trim() && !name.includes("*");

const looksLike = (pattern: string, name: string) =>
  fitsName(lettersOf(pattern), lettersOf(name.replaceAll("*", "")));

/** Only what is read aloud of a name: its letters and digits. */
const lettersOf = (text: string) =>
  text
    .normalize("NFKC")
    .toLowerCase()
    .replaceAll(/[^\p{L}\p{N}*]/gu, "");
