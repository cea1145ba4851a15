import { editsRule, moreArguments, type PermissionRule } from "../../shared/safety/permissions.ts";
import { quoted } from "../../shared/safety/shell-words.ts";
import type { CallFacts } from "./call-facts.ts";
import { alwaysReads } from "./commands/reading-subcommands.ts";
import { allowed } from "./rules.ts";
import { serverRules } from "./server-rules.ts";

/** More rules than that nobody reads. */
const maxRules = 4;

/**
 * Rules that would allow a call like this one in this folder, exactly as it is; none where no rule could. What is offered
 * is all that a yes writes.
 * @param isFenced a fence holds what its command does
 */
export function suggestedRules(facts: CallFacts, isFenced: boolean): PermissionRule[] {
  const rules = unique(rulesFor(facts, isFenced));
  return rules.length > 0 && rules.length <= maxRules && allowed(rules, facts, isFenced) ? rules : [];
}

function rulesFor(facts: CallFacts, isFenced: boolean): PermissionRule[] {
  const { shell, tool, isServerTool, url, paths, folder } = facts;
  if (shell) {
    const at = shell.from;
    if (at === null) return [];
    return (shell.plain ?? []).map((words) => ({
      verdict: "allow",
      ...commandRule(words, isFenced),
      folder: at,
    }));
  }
  if (isServerTool) return serverRules(tool).map((rule) => ({ verdict: "allow", ...rule, folder }));
  if (url) {
    return [{ verdict: "allow", tool: tool.name, host: url.port === "" ? url.hostname : url.host, folder }];
  }
  if (tool.effect === "write" && paths.length > 0 && paths.every((path) => path?.isInside)) {
    return [editsRule(folder)];
  }
  return [];
}

/** `git log *` where the subcommand reads whatever follows, everything else only as it is. */
function commandRule(words: readonly string[], isFenced: boolean): Pick<PermissionRule, "command" | "exact"> {
  const [program = "", subcommand = ""] = words;
  if (isFenced && alwaysReads(program, subcommand))
    return { command: `${program} ${subcommand}${moreArguments}` };
  return { command: words.map(written).join(" "), exact: true };
}

const written = (word: string) => (/^[\p{L}\p{N}_@%+=:,./-]+$/u.test(word) ? word : quoted(word));

function unique(rules: readonly PermissionRule[]): PermissionRule[] {
  return [...new Map(rules.map((rule) => [JSON.stringify(rule), rule])).values()];
}
