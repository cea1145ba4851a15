import { moreArguments, type PermissionRule, permissionRule } from "../../shared/safety/permissions.ts";
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
  const [kind, ...value] = isExact ? rest.slice(1) : rest;
  if (kind === undefined || value.length === 0) return "A rule is a verdict, what it is about, and which.";
  if (!kinds.has(kind)) return `A rule is about a ${[...kinds].join(", a ")}, not \`${kind}\`.`;
  const what = value.join(" ");
  const isOneCommand = verdict === "allow" && kind === "command";
  const exact = isExact || (isOneCommand && !what.endsWith(moreArguments));
  const about = kind === "tool" ? toolIn(what) : { [kind]: what };
  const rule = { verdict, ...about, ...(exact && { exact }), ...(isOneCommand && { folder }) };
  const parsed = permissionRule.safeParse(rule);
  if (!parsed.success)
    return parsed.error.issues.map(({ path, message }) => `${path.join(".")}: ${message}`).join("; ");
  return uselessness(parsed.data) ?? parsed.data;
}

const kinds: ReadonlySet<string> = new Set(["command", "path", "tool", "host"]);

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
