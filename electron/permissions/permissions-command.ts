import {
  type FenceInfo,
  isToReview,
  type LevelName,
  levelName,
  levels,
  type PermissionRule,
  permissionLevel,
  ruleText,
  type Standing,
  spokenLevel,
} from "../../shared/safety/permissions.ts";
import { visibleText } from "../../shared/safety/visible-text.ts";
import type { Command, CommandAnswer } from "../commands/registry.ts";
import { readProjectRules } from "./project-rules.ts";
import { reviewed } from "./review-rules.ts";
import { ruleFromWords } from "./rule-from-words.ts";

export interface PermissionsCommandOptions {
  standingOf(conversationId: string): Standing;
  setLevel(conversationId: string, level: LevelName): void;
  fence(): FenceInfo;
  /** What was allowed for the conversation until you quit. */
  sessionRules: {
    of(conversationId: string): readonly PermissionRule[];
    clear(conversationId: string): void;
  };
  /** Hosts that were allowed or denied until you quit. */
  forgetHosts(conversationId: string): void;
  rules(): readonly PermissionRule[];
  saveRules(rules: readonly PermissionRule[]): void;
  /** Takes or leaves all that a folder brings. */
  answerTrust(folder: string, isTrusted: boolean): CommandAnswer | Promise<CommandAnswer>;
  /** Whether the user trusts a file of a project with this content. */
  isTrusted(path: string, text: string): boolean;
  /** Free of links. */
  workingFolder(conversationId: string): string;
}

const usage =
  "/permissions [level look | ask | work] · list · add VERDICT command | path | tool | host WHAT · remove NUMBER · review [NUMBER exact | more | remove] · forget · trust · untrust";

/** `/permissions`: the level, and the rules with their numbers. */
export function permissionsCommand(options: PermissionsCommandOptions): Command {
  const level = (words: string[], conversationId: string): CommandAnswer => {
    const [word = "", ...more] = words;
    const name = levelName.safeParse(word.toLowerCase());
    if (!name.success || more.length > 0) return wrong(`There is no level \`${words.join(" ")}\`.`);
    options.setLevel(conversationId, spokenLevel(name.data));
    return { output: `This conversation: ${levelText(options, conversationId)}` };
  };
  const answers: Record<
    string,
    (args: string[], conversationId: string) => CommandAnswer | Promise<CommandAnswer>
  > = {
    list: (_, conversationId) => list(options, conversationId),
    level,
    mode: level,
    add: (words, conversationId) => {
      const rule = ruleFromWords(words, options.workingFolder(conversationId));
      if (typeof rule === "string") return wrong(rule);
      options.saveRules([...options.rules(), rule]);
      return { output: `Added: ${ruleText(rule)}.` };
    },
    remove: ([number = ""]) => {
      const rules = options.rules();
      const rule = numbered(rules, number);
      if (!rule) return wrong(`There is no rule \`${number}\`; \`/permissions list\` has their numbers.`);
      options.saveRules(rules.filter((other) => other !== rule));
      return { output: `Removed: ${ruleText(rule)}.` };
    },
    review: (words) => review(options, words),
    forget: (_, conversationId) => {
      options.sessionRules.clear(conversationId);
      options.forgetHosts(conversationId);
      return { output: "What you allowed in this conversation asks again." };
    },
    trust: (_, conversationId) => options.answerTrust(options.workingFolder(conversationId), true),
    untrust: (_, conversationId) => options.answerTrust(options.workingFolder(conversationId), false),
  };
  return {
    name: "permissions",
    usage,
    description: "What may run without asking: level and rules",
    run: ([action = "list", ...args], { conversationId }) =>
      Object.hasOwn(answers, action)
        ? (answers[action]?.(args, conversationId) ?? wrong(action))
        : wrong(`\`/permissions ${action}\` is not known.`),
  };
}

const numbered = (rules: readonly PermissionRule[], number: string) =>
  /^\d+$/.test(number) ? rules[Number(number) - 1] : undefined;

/** The level that counts, and why it is not the one that was chosen. */
function levelText(options: PermissionsCommandOptions, conversationId: string): string {
  const { level, chosen, hasEdits, isToConfirm } = options.standingOf(conversationId);
  const { label, meaning } = levels[level];
  const edits = level === "ask" && hasEdits ? " Edits to files in this folder are allowed." : "";
  const said = `**${label}** (\`${level}\`). ${meaning}${edits}`;
  if (isToConfirm) {
    return `${said} It was \`auto\` in an earlier version: \`/permissions level work\` makes it “${levels.work.label}”.`;
  }
  return chosen === level
    ? said
    : `${said} “${levels[chosen].label}” needs a fence around commands. ${fenceText(options.fence())}`;
}

function fenceText({ setting, isThere, why, mend, isChecking }: FenceInfo): string {
  if (setting === "off") return "No fence: it is turned off in the settings (`fence`).";
  if (isThere) return "Commands run in a fence.";
  if (isChecking) return "Parley is checking for the fence: ask again in a moment.";
  return `No fence: ${why ?? "it is not there."}${mend === null ? "" : ` To fix this, run \`${mend}\`.`}`;
}

function list(options: PermissionsCommandOptions, conversationId: string): CommandAnswer {
  const folder = options.workingFolder(conversationId);
  const project = readProjectRules(folder);
  const { source } = project;
  const isTrusted = source !== null && options.isTrusted(source.path, source.text);
  const toReview = options.rules().filter(isToReview).length;
  const lines = [
    levelText(options, conversationId),
    "",
    `${fenceText(options.fence())} Deny rules come first, then ask rules, then allow rules.`,
    "",
    ...section(
      "Levels",
      permissionLevel.options.map((one) => `- **${levels[one].label}** (\`${one}\`): ${levels[one].meaning}`),
    ),
    ...section(
      "Your rules",
      options.rules().map((rule, index) => `${index + 1}. ${ruleText(rule)}`),
    ),
    ...(toReview > 0
      ? [`${toReview} of them are from an earlier version: \`/permissions review\`.`, ""]
      : []),
    ...section(
      "Allowed in this conversation, until you quit",
      options.sessionRules.of(conversationId).map(inList),
    ),
    ...section(
      `Of the project${isTrusted ? "" : " (not trusted: they only ask and deny)"}, in its own words`,
      project.rules.map((rule, index) => `${index + 1}. ${asData(ruleText(rule))}`),
    ),
    ...(project.problem ? [`**Every change asks**: ${project.problem}`] : []),
  ];
  return { output: lines.join("\n") };
}

const reviewAnswers: ReadonlySet<string> = new Set(["exact", "more", "remove"]);
const isReviewAnswer = (word: string): word is "exact" | "more" | "remove" => reviewAnswers.has(word);

function review(options: PermissionsCommandOptions, [number, answer, ...more]: string[]): CommandAnswer {
  const rules = options.rules();
  if (number === undefined) {
    const old = rules.flatMap((rule, index) => (isToReview(rule) ? [`${index + 1}. ${ruleText(rule)}`] : []));
    if (old.length === 0) return { output: "There are no rules from an earlier version left to review." };
    return {
      output: [
        "In an earlier version these rules meant “begins with”. Now each allows only this exact command:",
        "",
        ...old,
        "",
        "`/permissions review NUMBER exact` keeps one as it is now, `more` lets words follow, `remove` takes it away.",
      ].join("\n"),
    };
  }
  const rule = numbered(rules, number);
  if (!rule || !isToReview(rule)) return wrong(`Rule \`${number}\` is not one to review.`);
  if (answer === undefined || !isReviewAnswer(answer) || more.length > 0)
    return wrong("Say what to do with it.");
  try {
    options.saveRules(reviewed(rules, rule, answer));
  } catch (error) {
    return wrong(error instanceof Error ? error.message : String(error));
  }
  return { output: `${answer === "remove" ? "Removed" : "Kept"}: ${ruleText(rule)}.` };
}

/** A project's words stay in the marks around them, and on one line. */
const asData = (text: string) => `\`${visibleText(text).replaceAll("`", "ʼ").replaceAll(/\s+/g, " ")}\``;

const inList = (rule: PermissionRule) => `- ${ruleText(rule)}`;

const section = (title: string, lines: readonly string[]) =>
  lines.length === 0 ? [] : [`${title}:`, "", ...lines, ""];

const wrong = (what: string): CommandAnswer => ({ output: `${what} Usage: \`${usage}\``, isError: true });
