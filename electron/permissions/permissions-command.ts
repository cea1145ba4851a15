import {
  type PermissionMode,
  type PermissionRule,
  permissionMode,
  ruleInWords,
} from "../../shared/permissions.ts";
import type { Command, CommandAnswer } from "../commands/registry.ts";
import { readProjectRules } from "./project-rules.ts";
import { ruleFromWords } from "./rule-from-words.ts";

export interface PermissionsCommandParts {
  modeOf(conversationId: string): PermissionMode;
  setMode(conversationId: string, mode: PermissionMode): void;
  /** What was allowed for the conversation until Parley ends. */
  sessionRules: {
    of(conversationId: string): readonly PermissionRule[];
    clear(conversationId: string): void;
  };
  rules(): readonly PermissionRule[];
  saveRules(rules: readonly PermissionRule[]): void;
  trustedFolders(): readonly string[];
  saveTrustedFolders(folders: readonly string[]): void;
  /** Free of links. */
  workingFolder(conversationId: string): string;
}

const usage =
  "/permissions [mode plan | ask | accept-edits | auto] · list · add VERDICT command | path | tool | host WHAT · remove NUMBER · forget · trust · untrust";

/** `/permissions`: the mode, and the rules with their numbers. */
export function permissionsCommand(parts: PermissionsCommandParts): Command {
  const answers: Record<string, (args: string[], conversationId: string) => CommandAnswer> = {
    list: (_, conversationId) => list(parts, conversationId),
    mode: ([word, ...more], conversationId) => {
      const mode = permissionMode.safeParse(word);
      if (!mode.success || more.length > 0)
        return wrong(`There is no mode \`${[word, ...more].join(" ")}\`.`);
      parts.setMode(conversationId, mode.data);
      return { output: `This conversation is in mode **${mode.data}**: ${modeWords[mode.data]}.` };
    },
    add: (words) => {
      const rule = ruleFromWords(words);
      if (typeof rule === "string") return wrong(rule);
      parts.saveRules([...parts.rules(), rule]);
      return { output: `Added: ${ruleInWords(rule)}.` };
    },
    remove: ([number = ""]) => {
      const rules = parts.rules();
      const rule = /^\d+$/.test(number) ? rules[Number(number) - 1] : undefined;
      if (!rule) return wrong(`There is no rule \`${number}\`; \`/permissions list\` has their numbers.`);
      parts.saveRules(rules.filter((other) => other !== rule));
      return { output: `Removed: ${ruleInWords(rule)}.` };
    },
    forget: (_, conversationId) => {
      parts.sessionRules.clear(conversationId);
      return { output: "What was allowed for this session asks again." };
    },
    trust: (_, conversationId) => {
      const folder = parts.workingFolder(conversationId);
      parts.saveTrustedFolders([...new Set([...parts.trustedFolders(), folder])]);
      return { output: `The rules in \`${folder}/.parley/permissions.json\` may allow, too.` };
    },
    untrust: (_, conversationId) => {
      const folder = parts.workingFolder(conversationId);
      parts.saveTrustedFolders(parts.trustedFolders().filter((other) => other !== folder));
      return { output: `The rules in \`${folder}/.parley/permissions.json\` only ask and deny.` };
    },
  };
  return {
    name: "permissions",
    usage,
    description: "What may run without being asked for: mode and rules",
    run: ([action = "list", ...args], { conversationId }) =>
      Object.hasOwn(answers, action)
        ? (answers[action]?.(args, conversationId) ?? wrong(action))
        : wrong(`\`/permissions ${action}\` is not known.`),
  };
}

const modeWords: Record<PermissionMode, string> = {
  plan: "reading runs, the network asks, nothing is changed",
  ask: "reading runs, everything else asks",
  "accept-edits": "changes of files in the working folder run, too",
  auto: "changes of files and simple commands that stay in the working folder run, too",
};

function list(parts: PermissionsCommandParts, conversationId: string): CommandAnswer {
  const mode = parts.modeOf(conversationId);
  const folder = parts.workingFolder(conversationId);
  const project = readProjectRules(folder);
  const isTrusted = parts.trustedFolders().includes(folder);
  const lines = [
    `Mode **${mode}**: ${modeWords[mode]}. Rules that deny come before those that ask, these before those that allow.`,
    "",
    ...section(
      "Yours",
      parts.rules().map((rule, index) => `${index + 1}. ${ruleInWords(rule)}`),
    ),
    ...section("For this session", parts.sessionRules.of(conversationId).map(inList)),
    ...section(
      `Of the project${isTrusted ? "" : " (its folder is not trusted: they only ask and deny)"}`,
      project.rules.map(inList),
    ),
    ...(project.problem ? [`**Every change asks**: ${project.problem}`] : []),
  ];
  return { output: lines.join("\n") };
}

const inList = (rule: PermissionRule) => `- ${ruleInWords(rule)}`;

const section = (title: string, lines: readonly string[]) =>
  lines.length === 0 ? [] : [`${title}:`, "", ...lines, ""];

const wrong = (what: string): CommandAnswer => ({ output: `${what} Usage: \`${usage}\``, isError: true });
