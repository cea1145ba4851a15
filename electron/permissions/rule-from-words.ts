import { type PermissionRule, permissionRule } from "../../shared/permissions.ts";
import { whyNoPrefix, wordsOfRule } from "./command-rules.ts";

/**
 * A rule as it is typed: `allow command git status`, `deny path "secrets/**"`, `ask host *.example.com`,
 * `allow tool github__list_issues`; `exact` before `command` for the whole of it.
 * @returns the rule, or what is wrong with it
 */
export function ruleFromWords(words: readonly string[]): PermissionRule | string {
  const [verdict, ...rest] = words;
  const exact = rest[0] === "exact";
  const [kind, ...value] = exact ? rest.slice(1) : rest;
  if (kind === undefined || value.length === 0) return "A rule is a verdict, what it is about, and which.";
  if (!kinds.has(kind)) return `A rule is about a ${[...kinds].join(", a ")}, not \`${kind}\`.`;
  const parsed = permissionRule.safeParse({ verdict, [kind]: value.join(" "), ...(exact && { exact }) });
  if (!parsed.success)
    return parsed.error.issues.map(({ path, message }) => `${path.join(".")}: ${message}`).join("; ");
  return uselessness(parsed.data) ?? parsed.data;
}

const kinds: ReadonlySet<string> = new Set(["command", "path", "tool", "host"]);

/** Why an allowing rule would never allow anything. */
function uselessness({ verdict, command, exact, tool }: PermissionRule): string | null {
  if (verdict !== "allow") return null;
  if (tool === "shell") return "Say which commands: a rule for `shell` alone would allow all of them.";
  if (command === undefined) return null;
  const words = wordsOfRule(command);
  if (!words) return `\`${command}\` is not one simple command.`;
  const why = exact ? null : whyNoPrefix(words);
  return why === null ? null : `${why}. Say more of it, or \`exact\` for the whole command.`;
}
