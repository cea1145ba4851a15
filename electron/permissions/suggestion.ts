import type { PermissionRule } from "../../shared/permissions.ts";
import type { CallFacts } from "./call-facts.ts";
import { changesShell, whyNoPrefix } from "./command-rules.ts";
import { allowed } from "./rules.ts";

/** More rules than that nobody reads. */
const maxRules = 4;

/**
 * Rules that would allow a call like this one in this folder, as narrow as they are still of use; none where no rule
 * could, or where it would be too wide to be agreed to in passing.
 */
export function suggestedRules(facts: CallFacts): PermissionRule[] {
  const rules = unique(
    rulesFor(facts).map((rule) => ({ verdict: "allow" as const, ...rule, folder: facts.folder })),
  );
  return rules.length > 0 && rules.length <= maxRules && allowed(rules, facts) ? rules : [];
}

function rulesFor({ shell, tool, isServerTool, url, paths }: CallFacts): Omit<PermissionRule, "verdict">[] {
  if (shell) return (shell.plain ?? []).map(commandRule);
  if (isServerTool) return [{ tool: tool.name }];
  if (url) return [{ tool: tool.name, host: url.port === "" ? url.hostname : url.host }];
  if (tool.effect === "write" && paths.length > 0 && paths.every((path) => path?.isInside)) {
    return [{ tool: tool.name, path: "**" }];
  }
  return [];
}

/** `git status` as its first words, what runs or changes anything else only as a whole. */
function commandRule(words: readonly string[]): Omit<PermissionRule, "verdict"> {
  const [program = "", action = ""] = words;
  const first = [program, action];
  if (
    firstWordsSay.has(program) &&
    /^[a-z][\w:-]*$/.test(action) &&
    whyNoPrefix(first) === null &&
    !changesShell.has(program)
  ) {
    // A script has a name of its own: `npm run` alone is every script.
    const third = words[2];
    const withName =
      action === "run" && third !== undefined && /^[\w:.-]+$/.test(third) && !third.startsWith("-");
    if (action !== "run" && !wide.has(`${program} ${action}`)) return { command: first.join(" ") };
    if (withName) return { command: [...first, third].join(" ") };
  }
  return { command: words.map(quoted).join(" "), exact: true };
}

/** Their second word says what they do. */
const firstWordsSay: ReadonlySet<string> = new Set([
  "git",
  "npm",
  "pnpm",
  "yarn",
  "cargo",
  "go",
  "docker",
  "kubectl",
  "gh",
  "make",
]);

/** Too much in a word for its further words not to matter. */
const wide: ReadonlySet<string> = new Set(
  [
    [
      "git",
      "config clone push remote submodule filter-branch bisect rebase worktree clean reset checkout restore rm mv",
    ],
    ["npm", "exec x install i add ci publish config set"],
    ["pnpm", "exec dlx install i add publish config"],
    ["yarn", "exec dlx add install publish config"],
    ["cargo", "run install publish"],
    ["go", "run install get generate"],
    ["docker", "exec cp build compose"],
    ["kubectl", "exec apply delete cp edit patch"],
    ["gh", "api auth secret repo alias extension"],
  ].flatMap(([program = "", actions = ""]) => actions.split(" ").map((action) => `${program} ${action}`)),
);

const quoted = (word: string) =>
  /^[\p{L}\p{N}_@%+=:,./-]+$/u.test(word) ? word : `'${word.replaceAll("'", `'"'"'`)}'`;

function unique(rules: readonly PermissionRule[]): PermissionRule[] {
  return [...new Map(rules.map((rule) => [JSON.stringify(rule), rule])).values()];
}
