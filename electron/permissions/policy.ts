import { refusedText } from "../../shared/conversation/unfinished-call.ts";
import {
  hasFence,
  type LevelName,
  levels,
  type PermissionRule,
  ruleText,
  type Standing,
  standingOf,
} from "../../shared/safety/permissions.ts";
import type {
  FenceState,
  PermissionDecision,
  PermissionGrant,
  Permissions,
  ToolContext,
} from "../agent/ports/ports.ts";
import { type CallFacts, factsOf } from "./call-facts.ts";
import { globsOf, hiding, hidingRules, notHidden, notHideable } from "./hidden-paths.ts";
import { byLevel, confinementIn } from "./levels.ts";
import { SessionRules } from "./permission-state.ts";
import { projectRulesFile, readProjectRules } from "./project-rules.ts";
import { allowed, meetsCall, narrowing } from "./rules.ts";
import { suggestedRules } from "./suggestion.ts";

export interface PolicyOptions {
  /** What the user chose for the conversation; null: nothing, the settings' level counts. */
  chosenMode(conversationId: string): LevelName | null;
  /** As they are now: unlike a run's other settings, what the user forbids counts from the next call on. */
  settings(): {
    permissionMode: LevelName;
    permissionRules: readonly PermissionRule[];
    fence: "on" | "off";
  };
  /** Whether commands can be fenced, as it was last found. */
  fence(): FenceState;
  /** Whether the user trusts a file of a project as it is: then its rules may allow, too. Absent: never. */
  isTrusted?(path: string, text: string): boolean;
  /** Whether a path, absolute and free of links, is of Parley itself or in a folder of `PATH`. Absent: none is. */
  isNeverWritten?(path: string): boolean;
  /** Adds rules to the settings. */
  addRules(rules: readonly PermissionRule[]): void;
}

export interface Policy extends Permissions {
  standingOf(conversationId: string): Standing;
  readonly sessionRules: SessionRules;
}

/**
 * Decides by rules and by the conversation's level. Rules that deny come before those that ask, these before those that
 * allow, and the level has the last word. Where the fence is there it holds whatever a command does: reading the command
 * only decides when to ask. Nothing that was heard from the computer's sound (somebody else's words) changes anything
 * without a click, and neither rules nor levels let anything unfenced touch keys, or what decides what runs.
 */
export function createPolicy(options: PolicyOptions): Policy {
  const sessionRules = new SessionRules();
  const isFencing = () => hasFence({ setting: options.settings().fence, isThere: options.fence().isThere });
  const standing = (conversationId: string) =>
    standingOf(options.chosenMode(conversationId) ?? options.settings().permissionMode, isFencing());
  const narrowingRules = (folder: string) => [
    ...options.settings().permissionRules,
    ...readProjectRules(folder).rules,
  ];
  return {
    standingOf: standing,
    sessionRules,
    decide({ tool, input, context }) {
      const facts = factsOf(tool, input, context);
      const { folder } = facts;
      const { permissionRules } = options.settings();
      const project = readProjectRules(folder);
      const own = standing(context.conversationId);
      const isFenced = facts.shell !== null && context.environment.platform !== "win32" && isFencing();

      const denied = byRule(permissionRules, project.rules, "deny", facts);
      if (denied) return { verdict: "deny", reason: refusedText(tool.name, denied.rule, denied.where) };
      if (
        tool.effect === "write" &&
        facts.paths.some((path) => path && options.isNeverWritten?.(path.real))
      ) {
        return { verdict: "deny", reason: refusedText(tool.name, ofParley, null) };
      }
      const fromLevel = byLevel(own, facts, isFenced);
      if (fromLevel === "deny") return { verdict: "deny", reason: refusedText(tool.name, lookOnly, atLevel) };

      const keptBack = hidingRules([...permissionRules, ...project.rules], tool.name, folder);
      // What the user allows after all is not kept back from the call that they allowed.
      const keptAnyway = keptBack.filter((rule) => rule.verdict === "deny" || !meetsCall(rule, facts));
      const runs = (isAsked: boolean, confinement = confinementIn(own, facts, isFenced, isAsked)) => {
        const rules = isAsked ? keptAnyway : keptBack;
        const hides = hiding(rules, folder);
        return {
          ...(facts.shell && { confinement, denied: { globs: globsOf(rules, folder), fits: hides } }),
          ...(rules.length > 0 && { hides }),
        };
      };
      const ask = (more: { why?: string; rules?: PermissionRule[]; mayBeSpoken?: boolean }) =>
        ({
          verdict: "ask",
          detail: tool.describe?.(input) ?? JSON.stringify(input, null, 2),
          ...more,
          ...runs(true),
          ...(isFenced && own.level !== "look" && !isOverheard(context) && { mayRunOutside: true }),
        }) satisfies PermissionDecision;

      const asked = byRule(permissionRules, project.rules, "ask", facts);
      const why = asked
        ? `It asks because of ${asked.rule}`
        : project.problem && changes(facts)
          ? project.problem
          : whyAlways(facts, context, isFenced);
      if (why !== null) return ask({ why });

      const allowing = [
        ...permissionRules,
        ...sessionRules.of(context.conversationId),
        ...(project.source && options.isTrusted?.(project.source.path, project.source.text)
          ? project.rules
          : []),
      ];
      const byRules = mayBeAllowed(own, facts) ? allowed(allowing, facts, isFenced) : null;
      if (byRules === "outside" && facts.shell) {
        // Without a fence around it the command is read again, as one that nothing holds.
        const unfenced = whyAlways(facts, context, false);
        return unfenced === null ? { verdict: "allow", ...runs(false, "outside") } : ask({ why: unfenced });
      }
      const run = runs(false, byRules === null ? undefined : confinementIn(own, facts, isFenced, true));
      if (fromLevel === "allow" || byRules !== null) {
        const globs = isFenced ? (run.denied?.globs ?? []) : [];
        const unhidden = notHidden(globs, folder, context.settings["fence.readable"]);
        const gap = unhidden ?? (run.confinement === "change" ? notHideable(globs) : undefined);
        if (gap === undefined) return { verdict: "allow", ...run };
        if (unhidden === undefined && facts.shell?.looksOnly)
          return { verdict: "allow", ...runs(false, "look") };
        const isOwn = globsOf(hidingRules(permissionRules, tool.name, folder), folder).includes(gap);
        const what = isOwn
          ? `what a rule keeps back here: \`${shown(gap)}\``
          : "what a rule of this project keeps back";
        return ask({ why: `No fence can hide ${what}.` });
      }
      return ask({
        rules: own.level === "look" ? [] : suggestedRules(facts, isFenced),
        mayBeSpoken: tool.effect === "write" && !facts.isServerTool,
      });
    },
    deniedPaths: (folder) => globsOf(hidingRules(narrowingRules(folder), "shell", folder), folder),
    remember({ conversationId, scope, rules }: PermissionGrant) {
      // Only the settings file lets a command run outside.
      const kept = rules.map(({ outside: _, ...rule }) => rule);
      if (scope === "session") sessionRules.add(conversationId, kept);
      else options.addRules(kept);
    },
  };
}

/** Why a rule narrows the call. A project's words are nobody's but the project's: neither a card nor the model gets them. */
function byRule(
  own: readonly PermissionRule[],
  ofProject: readonly PermissionRule[],
  verdict: "ask" | "deny",
  facts: CallFacts,
): { rule: string; where: string } | null {
  const rule = narrowing(own, verdict, facts);
  if (rule) {
    const where = "in the settings, under Permissions, or with /permissions list";
    return { rule: `your rule “${shown(ruleText(rule))}”`, where };
  }
  const others = narrowing(ofProject, verdict, facts);
  if (!others) return null;
  const name = `rule number ${ofProject.indexOf(others) + 1} in this project's ${projectRulesFile}`;
  return { rule: name, where: "in that file" };
}

const maxShown = 200;
const shown = (text: string) => {
  const line = text.replace(/\s+/g, " ");
  return line.length > maxShown ? `${line.slice(0, maxShown)}…` : line;
};

const lookOnly = `this conversation is on “${levels.look.label}”, where nothing is changed. Say what you would do`;
const atLevel = "in the level menu, or with /permissions level";

const ofParley =
  "the file belongs to Parley itself, or lies in a folder that programs are started from. Nothing is written there for a model";

const changes = ({ tool, isServerTool }: CallFacts) => tool.effect !== "read" || isServerTool;

/** Where nothing is changed, rules let only that run which says that it reads. */
const mayBeAllowed = ({ level }: Standing, { tool, isServerTool }: CallFacts) =>
  level !== "look" || (isServerTool ? tool.hints?.readOnly === true : tool.effect === "network");

const isOverheard = ({ source, overheard }: ToolContext) => overheard ?? source === "loopback";

/** Why the user is asked whatever else allows it. */
function whyAlways(facts: CallFacts, context: ToolContext, isFenced: boolean): string | null {
  if (isOverheard(context) && changes(facts)) return overheardWhy;
  if (facts.isCutOff) return "It names more than Parley looks through before it runs.";
  // The fence hides keys in the folder, and keeps what decides what runs as it is.
  if (isFenced && !facts.hasUnhiddenSecrets) return null;
  if (facts.hasSecrets || facts.hasUnhiddenSecrets)
    return "It names a file that usually holds keys or passwords.";
  if (facts.hasProtected) return "It changes a file that decides what runs, or what Parley may do.";
  return null;
}

const overheardWhy =
  "This conversation includes words from the computer's sound, which may be somebody else's. The Lift button above the conversation ends this.";
