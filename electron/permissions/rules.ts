import { fitsWildcard } from "../../shared/safety/globs.ts";
import type { PermissionRule } from "../../shared/safety/permissions.ts";
import type { FenceHost } from "../agent/ports/ports.ts";
import type { CallFacts } from "./call-facts.ts";
import { changesShell, coversCommand, meetsCommand } from "./commands/command-rules.ts";
import { fitsGlob, holdsAny } from "./path-glob.ts";
import { allowsServerTool, narrowsServerTool } from "./server-rules.ts";
import { addressIn, fitsHost } from "./web-host.ts";

/** The first rule that narrows a call (asks for it or denies it). One that fits a part of the call fits the call. */
export function narrowing(
  rules: readonly PermissionRule[],
  verdict: "ask" | "deny",
  facts: CallFacts,
): PermissionRule | undefined {
  return rules.find((rule) => rule.verdict === verdict && meetsCall(rule, facts));
}

/** Whether a narrowing rule fits a part of the call, in the folder that it counts in. */
export const meetsCall = (rule: PermissionRule, facts: CallFacts): boolean =>
  inFolder(rule, facts) && meets(rule, facts);

/**
 * Whether rules allow the whole call: each of its commands and each of its files by one of them.
 * @param isFenced a fence holds what its command does
 * @returns how it runs then: `outside` where the user's rule for every part of it says so
 */
export function allowed(
  rules: readonly PermissionRule[],
  facts: CallFacts,
  isFenced: boolean,
): "as decided" | "outside" | null {
  const allowing = rules.filter((rule) => rule.verdict === "allow" && allowsTool(rule, facts));
  const { shell, paths, url, folder } = facts;
  if (shell) {
    const { plain, from } = shell;
    if (!plain) return null;
    if (plain.length > 1 && plain.some(([program = ""]) => changesShell.has(program))) return null;
    const byCommand = allowing.filter(({ command, path, host }) => command !== undefined && !path && !host);
    const place = { folder, from, isFenced };
    const covering = plain.map((words) => byCommand.filter((rule) => coversCommand(rule, words, place)));
    if (covering.some((some) => some.length === 0)) return null;
    return covering.every((some) => some.some(({ outside }) => outside)) ? "outside" : "as decided";
  }
  const others = allowing.filter((rule) => rule.command === undefined && inFolder(rule, facts));
  const isAllowed = () => {
    if (others.some(({ tool, server, path, host }) => (tool ?? server) !== undefined && !path && !host))
      return true;
    if (url) return others.some(({ host, path }) => host !== undefined && !path && fitsHost(host, url));
    const byPath = others.filter(({ path, host }) => path !== undefined && host === undefined);
    return (
      paths.length > 0 &&
      paths.every((at) => at && byPath.some(({ path = "" }) => fitsGlob(path, at.real, folder, false)))
    );
  };
  return isAllowed() ? "as decided" : null;
}

function allowsTool(rule: PermissionRule, { tool: called, shell }: CallFacts): boolean {
  // What a server does nobody here can see: only its name can be allowed.
  if (called.server || rule.server !== undefined) return allowsServerTool(rule, called);
  if (rule.tool === undefined) return true;
  if (rule.tool !== called.name) return false;
  if (shell) return rule.command !== undefined;
  // A command that wants to connect goes by the shell's name.
  return called.name !== "shell" || rule.host !== undefined;
}

function meetsTool(rule: PermissionRule, { tool: called }: CallFacts): boolean {
  if (called.server || rule.server !== undefined) return narrowsServerTool(rule, called);
  return rule.tool === undefined || fitsName(rule.tool, called.name);
}

function meets(rule: PermissionRule, facts: CallFacts): boolean {
  const { path, command, host } = rule;
  const { shell, mayReach, takes, url, folder } = facts;
  return (
    meetsTool(rule, facts) &&
    (command === undefined || (shell?.seen.some((words) => meetsCommand({ command }, words)) ?? false)) &&
    (host === undefined || (url !== null && fitsHost(host, url, true))) &&
    (path === undefined ||
      mayReach.some((at) => at === null || fitsGlob(path, at.real, folder, true)) ||
      takes.some(({ real }) => holdsAny(path, real, folder)))
  );
}

/** Whether a rule denies a host to all that runs in the fence of a folder: commands and servers. */
export function deniesHost(
  rules: readonly PermissionRule[],
  { host, port }: FenceHost,
  folder: string,
): boolean {
  const name = host.includes(":") ? `[${host}]` : host;
  const url = addressIn({ url: `${port === 80 ? "http" : "https"}://${name}:${port}/` });
  return rules.some(
    (rule) =>
      rule.verdict === "deny" &&
      rule.host !== undefined &&
      [rule.tool, rule.server, rule.path, rule.command].every((one) => one === undefined) &&
      (rule.folder === undefined || rule.folder === folder) &&
      url !== null &&
      fitsHost(rule.host, url, true),
  );
}

/** A rule that narrows counts for commands that run in its folder as well. */
const inFolder = ({ folder, verdict }: PermissionRule, facts: CallFacts) =>
  folder === undefined ||
  folder === facts.folder ||
  (verdict !== "allow" && facts.shell !== null && facts.shell.from === folder);

/** Whether a rule's name for tools fits one: `*` stands for any characters. */
export const fitsName = (pattern: string, name: string): boolean => fitsWildcard(pattern, name);
