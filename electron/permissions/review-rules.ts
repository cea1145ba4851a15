import { moreArguments, type PermissionRule } from "../../shared/safety/permissions.ts";
import { whyNoPrefix, wordsOfRule } from "./commands/command-rules.ts";

/** What becomes of a rule of an earlier version: it means this command alone, also with words after it, or goes. */
export type ReviewAnswer = "exact" | "more" | "remove";

/** @throws Error where the rule is not there any more, or cannot mean what is wanted */
export function reviewed(
  rules: readonly PermissionRule[],
  rule: PermissionRule,
  answer: ReviewAnswer,
): PermissionRule[] {
  const at = rules.findIndex((one) => JSON.stringify(one) === JSON.stringify(rule));
  const found = rules[at];
  if (found?.command === undefined) throw new Error("This rule is no longer there.");
  if (answer === "remove") return rules.toSpliced(at, 1);
  const { exact: _, command, ...rest } = found;
  if (answer === "exact") return rules.with(at, { ...rest, command, exact: true });
  const why = whyNotMore(command);
  if (why !== null) throw new Error(why);
  return rules.with(at, { ...rest, command: command + moreArguments });
}

/** Why a rule cannot allow further words after these; null: it can. */
export function whyNotMore(command: string): string | null {
  const words = wordsOfRule(command);
  return words === null ? `\`${command}\` is not one simple command` : whyNoPrefix(words);
}
