import type { PermissionRule } from "../../shared/permissions.ts";
import type { CallFacts } from "./call-facts.ts";
import { changesShell, coversCommand, meetsCommand } from "./command-rules.ts";
import { fitsGlob } from "./path-glob.ts";
import { fitsHost } from "./web-host.ts";

/** The first rule that narrows a call (asks for it or denies it). One that fits a part of the call fits the call. */
export function narrowing(
  rules: readonly PermissionRule[],
  verdict: "ask" | "deny",
  facts: CallFacts,
): PermissionRule | undefined {
  return rules.find((rule) => rule.verdict === verdict && inFolder(rule, facts) && meets(rule, facts));
}

/** Whether rules allow the whole call: each of its commands and each of its files by one of them. */
export function allowed(rules: readonly PermissionRule[], facts: CallFacts): boolean {
  const allowing = rules.filter(
    (rule) => rule.verdict === "allow" && inFolder(rule, facts) && allowsTool(rule, facts),
  );
  const { shell, paths, url, folder } = facts;
  if (shell) {
    const { plain, from } = shell;
    if (!plain) return false;
    if (plain.length > 1 && plain.some(([program = ""]) => changesShell.has(program))) return false;
    const byCommand = allowing.filter(({ command, path, host }) => command !== undefined && !path && !host);
    return plain.every((words) => byCommand.some((rule) => coversCommand(rule, words, { folder, from })));
  }
  const others = allowing.filter(({ command }) => command === undefined);
  if (others.some(({ tool, path, host }) => tool !== undefined && !path && !host)) return true;
  if (url) return others.some(({ host, path }) => host !== undefined && !path && fitsHost(host, url));
  const byPath = others.filter(({ path, host }) => path !== undefined && host === undefined);
  return (
    paths.length > 0 &&
    paths.every((at) => at && byPath.some(({ path = "" }) => fitsGlob(path, at.real, folder, false)))
  );
}

/** A rule for several tools of a server covers none that says of itself that it destroys. */
function allowsTool(
  { tool, command }: PermissionRule,
  { tool: called, isServerTool, shell }: CallFacts,
): boolean {
  // What a server does nobody here can see: only its name can be allowed.
  if (tool === undefined) return !isServerTool;
  if (tool === called.name) return !shell || command !== undefined;
  return !shell && fitsName(tool, called.name) && called.hints?.destructive !== true && isServerTool;
}

function meets({ tool, path, command, host }: PermissionRule, facts: CallFacts): boolean {
  const { shell, mayReach, url, folder } = facts;
  return (
    (tool === undefined || fitsName(tool, facts.tool.name)) &&
    (command === undefined || (shell?.seen.some((words) => meetsCommand({ command }, words)) ?? false)) &&
    (host === undefined || (url !== null && fitsHost(host, url))) &&
    (path === undefined || mayReach.some((at) => at === null || fitsGlob(path, at.real, folder, true)))
  );
}

const inFolder = ({ folder }: PermissionRule, facts: CallFacts) =>
  folder === undefined || folder === facts.folder;

/** `*` stands for any characters. */
function fitsName(pattern: string, name: string): boolean {
  const parts = pattern.split("*").map((part) => part.replace(/[\\^$.+?()[\]{}|]/g, "\\$&"));
  return new RegExp(`^${parts.join(".*")}$`, "s").test(name);
}
