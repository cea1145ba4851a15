import { type PermissionMode, type PermissionRule, ruleInWords } from "../../shared/permissions.ts";
import type { PermissionGrant, Permissions, ToolContext } from "../agent/ports.ts";
import { type CallFacts, factsOf } from "./call-facts.ts";
import { byMode } from "./modes.ts";
import { SessionRules } from "./permission-state.ts";
import { readProjectRules } from "./project-rules.ts";
import { allowed, narrowing } from "./rules.ts";
import { suggestedRules } from "./suggestion.ts";

export interface PolicyParts {
  /** What the user chose for the conversation; null: nothing, the settings' mode counts. */
  chosenMode(conversationId: string): PermissionMode | null;
  /** As they are now: unlike a run's other settings, what the user forbids counts from the next call on. */
  settings(): {
    permissionMode: PermissionMode;
    permissionRules: readonly PermissionRule[];
    trustedFolders: readonly string[];
  };
  /** Adds rules to the settings. */
  addRules(rules: readonly PermissionRule[]): void;
}

export interface Policy extends Permissions {
  modeOf(conversationId: string): PermissionMode;
  readonly sessionRules: SessionRules;
}

/**
 * Decides by rules and by the conversation's mode. Rules that deny come before those that ask, these before those that
 * allow, and the mode has the last word. Nothing that was heard from the computer's sound (somebody else's words) changes
 * anything without a click, and neither rules nor modes let anything touch keys, or what decides what runs.
 */
export function createPolicy(parts: PolicyParts): Policy {
  const sessionRules = new SessionRules();
  const modeOf = (conversationId: string) =>
    parts.chosenMode(conversationId) ?? parts.settings().permissionMode;
  return {
    modeOf,
    sessionRules,
    decide({ tool, input, context }) {
      const facts = factsOf(tool, input, context);
      const { permissionRules, trustedFolders } = parts.settings();
      const project = readProjectRules(facts.folder);
      const rules = [...permissionRules, ...project.rules];
      const denied = narrowing(rules, "deny", facts);
      if (denied) return { verdict: "deny", reason: refusal(tool.name, `a rule, “${ruleInWords(denied)}”`) };
      const mode = modeOf(context.conversationId);
      const fromMode = byMode(mode, facts);
      if (fromMode === "deny") return { verdict: "deny", reason: refusal(tool.name, planMode) };

      const detail = () => tool.describe?.(input) ?? JSON.stringify(input, null, 2);
      const asked = narrowing(rules, "ask", facts);
      const why = asked
        ? `A rule says so: ${ruleInWords(asked)}`
        : project.problem && changes(facts)
          ? project.problem
          : whyAlways(facts, context);
      if (why !== null) return { verdict: "ask", detail: detail(), why };

      const allowing = [
        ...permissionRules,
        ...sessionRules.of(context.conversationId),
        ...(trustedFolders.includes(facts.folder) ? project.rules : []),
      ];
      if (fromMode === "allow" || (mode !== "plan" && allowed(allowing, facts))) return { verdict: "allow" };
      const mayBeSpoken = tool.effect === "write" && !facts.isServerTool;
      return {
        verdict: "ask",
        detail: detail(),
        rules: mode === "plan" ? [] : suggestedRules(facts),
        mayBeSpoken,
      };
    },
    remember({ conversationId, scope, rules }: PermissionGrant) {
      if (scope === "session") sessionRules.add(conversationId, rules);
      else parts.addRules(rules);
    },
  };
}

const planMode =
  "the conversation is in plan mode, where nothing is changed. Say what you would do; the user can switch the mode";

const refusal = (name: string, why: string) => `${name} was refused. The reason: ${why}.`;

const changes = ({ tool, isServerTool }: CallFacts) => tool.effect !== "read" || isServerTool;

/** Why the user is asked whatever else allows it. */
function whyAlways(facts: CallFacts, { source }: ToolContext): string | null {
  if (source === "loopback" && changes(facts)) {
    return "The prompt is, or brings, what was heard from the computer's sound: these may be somebody else's words.";
  }
  if (facts.hasSecrets) return "It names a file that usually holds keys or passwords.";
  if (facts.hasProtected) return "It changes a file that decides what runs, or what Parley may do.";
  return null;
}
