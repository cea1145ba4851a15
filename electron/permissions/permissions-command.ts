import {
  type FenceInfo,
  isToReview,
  type LevelName,
  levelName,
  levels,
  type PermissionRule,
  permissionLevel,
  ruleInWords,
  type Standing,
  spokenLevel,
} from "../../shared/safety/permissions.ts";
import { visibleText } from "../../shared/safety/visible-text.ts";
import type { Command, CommandAnswer } from "../commands/registry.ts";
import { readProjectRules } from "./project-rules.ts";
import { reviewed } from "./review-rules.ts";
import { ruleFromWords } from "./rule-from-words.ts";

export interface PermissionsCommandParts {
  standingOf(conversationId: string): Standing;
  setLevel(conversationId: string, level: LevelName): void;
  fence(): FenceInfo;
  /** What was allowed for the conversation until Parley ends. */
  sessionRules: {
    of(conversationId: string): readonly PermissionRule[];
    clear(conversationId: string): void;
  };
  /** Hosts that were allowed or denied until Parley ends. */
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
export function permissionsCommand(parts: PermissionsCommandParts): Command {
  const level = (words: string[], conversationId: string): CommandAnswer => {
    const [word = "", ...more] = words;
    const name = levelName.safeParse(word.toLowerCase());
    if (!name.success || more.length > 0) return wrong(`There is no level \`${words.join(" ")}\`.`);
    parts.setLevel(conversationId, spokenLevel(name.data));
    return { output: `This conversation: ${levelInWords(parts, conversationId)}` };
  };
  const answers: Record<
    string,
    (args: string[], conversationId: string) => CommandAnswer | Promise<CommandAnswer>
  > = {
    list: (_, conversationId) => list(parts, conversationId),
    level,
    mode: level,
    add: (words, conversationId) => {
      const rule = ruleFromWords(words, parts.workingFolder(conversationId));
      if (typeof rule === "string") return wrong(rule);
      parts.saveRules([...parts.rules(), rule]);
      return { output: `Added: ${ruleInWords(rule)}.` };
    },
    remove: ([number = ""]) => {
      const rules = parts.rules();
      const rule = numbered(rules, number);
      if (!rule) return wrong(`There is no rule \`${number}\`; \`/permissions list\` has their numbers.`);
      parts.saveRules(rules.filter((other) => other !== rule));
      return { output: `Removed: ${ruleInWords(rule)}.` };
    },
    review: (words) => review(parts, words),
    forget: (_, conversationId) => {
      parts.sessionRules.clear(conversationId);
      parts.forgetHosts(conversationId);
      return { output: "What was allowed in this conversation asks again." };
    },
    trust: (_, conversationId) => parts.answerTrust(parts.workingFolder(conversationId), true),
    untrust: (_, conversationId) => parts.answerTrust(parts.workingFolder(conversationId), false),
  };
  return {
    name: "permissions",
    usage,
    description: "How much may run without being asked for: level and rules",
    run: ([action = "list", ...args], { conversationId }) =>
      Object.hasOwn(answers, action)
        ? (answers[action]?.(args, conversationId) ?? wrong(action))
        : wrong(`\`/permissions ${action}\` is not known.`),
  };
}

const numbered = (rules: readonly PermissionRule[], number: string) =>
  /^\d+$/.test(number) ? rules[Number(number) - 1] : undefined;

/** The level that counts, and why it is not the one that was chosen. */
function levelInWords(parts: PermissionsCommandParts, conversationId: string): string {
  const { level, chosen, hasEdits, isToConfirm } = parts.standingOf(conversationId);
  const { label, meaning } = levels[level];
  const edits = level === "ask" && hasEdits ? " Edits of files in this folder are allowed." : "";
  const said = `**${label}** (\`${level}\`). ${meaning}${edits}`;
  if (isToConfirm) {
    return `${said} It was \`auto\` in an earlier version: \`/permissions level work\` makes it “${levels.work.label}”.`;
  }
  return chosen === level
    ? said
    : `${said} “${levels[chosen].label}” needs a fence around commands. ${fenceInWords(parts.fence())}`;
}

function fenceInWords({ setting, isThere, why, mend }: FenceInfo): string {
  if (setting === "off") return "No fence: it is switched off in the settings (`fence`).";
  if (isThere) return "Commands run in a fence.";
  return `No fence: ${why ?? "it is not there."}${mend === null ? "" : ` This mends it: \`${mend}\``}`;
}

function list(parts: PermissionsCommandParts, conversationId: string): CommandAnswer {
  const folder = parts.workingFolder(conversationId);
  const project = readProjectRules(folder);
  const { source } = project;
  const isTrusted = source !== null && parts.isTrusted(source.path, source.text);
  const toReview = parts.rules().filter(isToReview).length;
  const lines = [
    levelInWords(parts, conversationId),
    "",
    `${fenceInWords(parts.fence())} Rules that deny come before those that ask, these before those that allow.`,
    "",
    ...section(
      "Levels",
      permissionLevel.options.map((one) => `- **${levels[one].label}** (\`${one}\`): ${levels[one].meaning}`),
    ),
    ...section(
      "Your rules",
      parts.rules().map((rule, index) => `${index + 1}. ${ruleInWords(rule)}`),
    ),
    ...(toReview > 0 ? [`${toReview} of them are of an earlier version: \`/permissions review\`.`, ""] : []),
    ...section(
      "Allowed in this conversation, until Parley ends",
      parts.sessionRules.of(conversationId).map(inList),
    ),
    ...section(
      `Of the project${isTrusted ? "" : " (not trusted: they only ask and deny)"}, in its own words`,
      project.rules.map((rule, index) => `${index + 1}. ${asData(ruleInWords(rule))}`),
    ),
    ...(project.problem ? [`**Every change asks**: ${project.problem}`] : []),
  ];
  return { output: lines.join("\n") };
}

const reviewAnswers: ReadonlySet<string> = new Set(["exact", "more", "remove"]);
const isReviewAnswer = (word: string): word is "exact" | "more" | "remove" => reviewAnswers.has(word);

function review(parts: PermissionsCommandParts, [number, answer, ...more]: string[]): CommandAnswer {
  const rules = parts.rules();
  if (number === undefined) {
    const old = rules.flatMap((rule, index) =>
      isToReview(rule) ? [`${index + 1}. ${ruleInWords(rule)}`] : [],
    );
    if (old.length === 0) return { output: "No rule of an earlier version is left to look at." };
    return {
      output: [
        "These rules meant “begins with” in an earlier version; now each means this command alone:",
        "",
        ...old,
        "",
        "`/permissions review NUMBER exact` keeps one as it is now, `more` lets words follow, `remove` takes it away.",
      ].join("\n"),
    };
  }
  const rule = numbered(rules, number);
  if (!rule || !isToReview(rule)) return wrong(`Rule \`${number}\` is none to look at.`);
  if (answer === undefined || !isReviewAnswer(answer) || more.length > 0)
    return wrong("Say what becomes of it.");
  try {
    parts.saveRules(reviewed(rules, rule, answer));
  } catch (error) {
    return wrong(error instanceof Error ? error.message : String(error));
  }
  return { output: `${answer === "remove" ? "Removed" : "Kept"}: ${ruleInWords(rule)}.` };
}

/** A project's words stay in the marks around them, and on one line. */
const asData = (text: string) => `\`${visibleText(text).replaceAll("`", "ʼ").replaceAll(/\s+/g, " ")}\``;

const inList = (rule: PermissionRule) => `- ${ruleInWords(rule)}`;

const section = (title: string, lines: readonly string[]) =>
  lines.length === 0 ? [] : [`${title}:`, "", ...lines, ""];

const wrong = (what: string): CommandAnswer => ({ output: `${what} Usage: \`${usage}\``, isError: true });
