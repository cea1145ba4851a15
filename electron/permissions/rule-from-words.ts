import { foreignMark } from "../../shared/safety/globs.ts";
import {
  moreArguments,
  type PermissionRule,
  permissionRule,
  ruleKind,
  type WrittenRule,
} from "../../shared/safety/permissions.ts";
import { wordsOfRule } from "./commands/command-rules.ts";
import { whyNotMore } from "./review-rules.ts";

/**
 * A rule as it is typed: `allow command npm test`, `allow command git log *` (further words may follow), `deny path
 * "secrets/**"`, `ask host *.example.com`, `allow tool github/list_issues` (of an MCP server).
 * @param folder where an allowed command may run; free of links
 * @returns the rule, or what is wrong with it
 */
export function ruleFromWords(words: readonly string[], folder: string): PermissionRule | string {
  const [verdict, ...rest] = words;
  // As earlier versions said it.
  const isExact = rest[0] === "exact";
  const [word, ...value] = isExact ? rest.slice(1) : rest;
  if (word === undefined || value.length === 0) return "A rule is a verdict, a kind, and what it applies to.";
  const kind = ruleKind.safeParse(word);
  if (!kind.success) return `A rule is about a ${ruleKind.options.join(", a ")}, not \`${word}\`.`;
  const isCommand = verdict === "allow" && kind.data === "command";
  return checkedRule(
    { verdict, kind: kind.data, what: value.join(" "), folder: isCommand ? folder : null },
    isExact,
  );
}

/** A rule as it is written in the settings. @returns the rule, or what is wrong with it */
export const ruleAsWritten = (written: WrittenRule): PermissionRule | string => checkedRule(written, false);

interface UncheckedRule extends Omit<WrittenRule, "verdict"> {
  verdict: string | undefined;
}

function checkedRule(
  { verdict, kind, what, folder }: UncheckedRule,
  isExact: boolean,
): PermissionRule | string {
  const exact = isExact || (verdict === "allow" && kind === "command" && !what.endsWith(moreArguments));
  const about = kind === "tool" ? toolIn(what) : { [kind]: what };
  const rule = { verdict, ...about, ...(exact && { exact }), ...(folder !== null && { folder }) };
  const parsed = permissionRule.safeParse(rule);
  if (!parsed.success)
    return parsed.error.issues.map(({ path, message }) => `${path.join(".")}: ${message}`).join("; ");
  return foreignMark(parsed.data.path ?? "") ?? uselessness(parsed.data) ?? parsed.data;
}

/** `SERVER/TOOL`, or a tool of Parley's own. */
function toolIn(text: string): Pick<PermissionRule, "tool" | "server"> {
  const at = text.indexOf("/");
  return at < 0 ? { tool: text } : { server: text.slice(0, at), tool: text.slice(at + 1) };
}

/** Why an allowing rule would never allow anything. */
function uselessness({ verdict, command, exact, tool, server }: PermissionRule): string | null {
  if (verdict !== "allow") return null;
  if (server === "*" || (server === undefined && tool?.includes("*"))) {
    return "An allowing rule names its server: `github/*` is for all tools of `github`.";
  }
  if (tool === "shell") return "Say which commands: a rule for `shell` alone would allow all of them.";
  if (command === undefined) return null;
  if (!exact) {
    const why = whyNotMore(command.slice(0, -moreArguments.length));
    return why === null ? null : `${why}. Say more of it, or leave out the \` *\`.`;
  }
  return wordsOfRule(command) === null ? `\`${command}\` is not one simple command.` : null;
}
