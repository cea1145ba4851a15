import { z } from "zod";
import { serverToolText, withServer } from "../servers/server-tools.ts";
import { withTilde } from "../with-tilde.ts";

/** What settings, the policy and the window say to each other about what may run. */

/** How much runs without being asked for. Each level allows what the one before it allows. */
export const permissionLevel = z.enum(["look", "ask", "work"]);
export type PermissionLevel = z.infer<typeof permissionLevel>;

/** The levels in words: header, `/permissions` and documents say the same. */
export const levels: Readonly<Record<PermissionLevel, { label: string; meaning: string }>> = {
  look: {
    label: "Look only",
    meaning: "Reads this folder, also by running commands that can't write to it. Changes nothing.",
  },
  ask: {
    label: "Ask first",
    meaning: "Reads without asking. Asks before it changes anything or goes online.",
  },
  work: {
    label: "Work here",
    meaning: "Changes this folder without asking; you can undo it. Asks before anything else.",
  },
};

/** A level as it is written in settings, commands and what is stored: also by the names of earlier versions. */
export const levelName = z.enum([...permissionLevel.options, "plan", "accept-edits", "auto"]);
export type LevelName = z.infer<typeof levelName>;

/** What an old name means where the user says it now. `accept-edits` stays: it is “Ask first” with edits allowed. */
export function spokenLevel(name: LevelName): LevelName {
  return name === "plan" ? "look" : name === "auto" ? "work" : name;
}

/** What counts in a conversation. */
export interface Standing {
  level: PermissionLevel;
  /** What was chosen: without a fence “Work here” counts as “Ask first”. */
  chosen: PermissionLevel;
  /** Edits in the working folder run without being asked for. */
  hasEdits: boolean;
  /** It was `auto` in an earlier version: what “Work here” allows now is to be agreed to first. */
  isToConfirm: boolean;
}

/** @param hasFence whether commands can be fenced now */
export function standingOf(name: LevelName, hasFence: boolean): Standing {
  const asks = { level: "ask", hasEdits: true } as const;
  switch (name) {
    case "look":
    case "plan":
      return { level: "look", chosen: "look", hasEdits: false, isToConfirm: false };
    case "ask":
      return { level: "ask", chosen: "ask", hasEdits: false, isToConfirm: false };
    case "accept-edits":
      return { ...asks, chosen: "ask", isToConfirm: false };
    case "auto":
      return { ...asks, chosen: "work", isToConfirm: true };
    case "work":
      if (!hasFence) return { ...asks, chosen: "work", isToConfirm: false };
      return { level: "work", chosen: "work", hasEdits: true, isToConfirm: false };
  }
}

/** The fence around commands, as windows and commands tell of it. */
export interface FenceInfo {
  setting: "on" | "off";
  isThere: boolean;
  /** Why it is not there; null where it is. */
  why: string | null;
  /** The one line that mends it; null: nothing does here. */
  mend: string | null;
  /** It is being looked for: nobody knows yet. */
  isChecking?: boolean | undefined;
}

/** Whether commands can be fenced now. */
export const hasFence = ({ setting, isThere }: Pick<FenceInfo, "setting" | "isThere">): boolean =>
  setting === "on" && isThere;

const text = z.string().trim().min(1).max(1000);

/** A rule counts for a call where all that it names fits. */
export const permissionRule = z
  .strictObject({
    verdict: z.enum(["allow", "ask", "deny"]),
    /** A tool's name; with `server` the one that the server itself gives it. `*` stands for any characters. */
    tool: text.optional(),
    /** An MCP server, by its name in the configuration. `*`: every one, in rules that ask or deny. */
    server: text.optional(),
    /** A glob over the files that a call touches: from the working folder, absolute, or from `~/`. */
    path: text.optional(),
    /**
     * A shell command, word by word. An allowing rule means this command alone, unless it ends with ` *`: then further
     * words may follow. One that asks or denies means every command with these words in their order.
     */
    command: text.optional(),
    /** Set on allowing rules since they mean the whole command; older ones without it are offered for a review. */
    exact: z.boolean().optional(),
    /** Of a web address: `example.com`, or `*.example.com` for everything below it. */
    host: text.optional(),
    /** Counts in this folder only; free of links. */
    folder: text.optional(),
    /** The command runs without a fence. Only the user's own settings can say so, of one command in one folder. */
    outside: z.literal(true).optional(),
  })
  .refine(
    ({ tool, server, path, command, host }) =>
      [tool, server, path, command, host].some((one) => one !== undefined),
    { message: "a rule names a tool, a server, a path, a command or a host" },
  )
  .refine(({ exact, command }) => exact === undefined || command !== undefined, {
    message: "`exact` is about a command",
  })
  .refine((rule) => rule.outside === undefined || isOneCommand(rule), {
    message: "`outside` is about an allowed, exact command in a folder",
  })
  .overwrite(withServer);
export type PermissionRule = z.infer<typeof permissionRule>;

/** What a rule that somebody writes can be about. */
export const ruleKind = z.enum(["command", "path", "tool", "host"]);
export type RuleKind = z.infer<typeof ruleKind>;

/** A rule as it is written in the settings. */
export const writtenRule = z.object({
  verdict: z.enum(["allow", "ask", "deny"]),
  kind: ruleKind,
  what: z.string().trim().min(1).max(1000),
  /** Where it counts; null: everywhere. */
  folder: z.string().min(1).max(4096).nullable(),
});
export type WrittenRule = z.infer<typeof writtenRule>;

/** In place of a rule that cannot be read: what it would forbid is not known. */
export const asksForAll: PermissionRule = { verdict: "ask", tool: "*" };

/** How long the user's yes holds. */
export const approvalScope = z.enum(["once", "session", "always"]);
export type ApprovalScope = z.infer<typeof approvalScope>;

/** What a yes says beside itself. */
export interface ApprovalChoice {
  /** Default: once. */
  scope?: ApprovalScope | undefined;
  /** A command runs outside of the fence, for once. */
  outside?: boolean | undefined;
}

interface CommandRule {
  verdict: "allow" | "ask" | "deny";
  command?: string | undefined;
  exact?: boolean | undefined;
  folder?: string | undefined;
}

const isOneCommand = ({ verdict, command, exact, folder }: CommandRule) =>
  verdict === "allow" && command !== undefined && exact === true && folder !== undefined;

/** What a rule ends with after which further words may follow. */
export const moreArguments = " *";

/** A rule of an earlier version, where it meant “begins with”: it means the whole command until the user looks at it. */
export const isToReview = ({ verdict, command, exact }: CommandRule): boolean =>
  verdict === "allow" && command !== undefined && exact !== true && !command.endsWith(moreArguments);

/** What a yes to an edit allows: edits of all files of a folder. */
export const editsRule = (folder: string): PermissionRule => ({ verdict: "allow", path: "**", folder });

export const isEdits = ({ verdict, path, tool, server, command, host }: PermissionRule): boolean =>
  verdict === "allow" && path === "**" && [tool, server, command, host].every((one) => one === undefined);

/** A rule in words: “allow exactly the command `git status`, in /home/me/work”. */
export const ruleText = (rule: PermissionRule, home = ""): string =>
  `${rule.verdict} ${ruleSubject(rule, home)}`;

/** What a rule is about: the same without allow, ask or deny. @param home the folder that people write as `~` */
export function ruleSubject(rule: PermissionRule, home = ""): string {
  const { tool, server, path, command, host, outside } = rule;
  const folder = rule.folder === undefined ? undefined : withTilde(rule.folder, home);
  if (isEdits(rule)) return `edits to any file${folder === undefined ? "" : ` in ${folder}`}`;
  const where = folder === undefined ? "" : `, in ${folder}`;
  const parts = [
    command !== undefined && commandText(rule, command),
    path !== undefined && `files ${code(path)}`,
    host !== undefined && `the host ${code(host)}`,
    server !== undefined ? serverToolText(rule) : tool !== undefined && `the tool ${code(tool)}`,
  ].filter((part) => part !== false);
  return `${parts.join(" with ")}${where}${outside ? ", outside the fence" : ""}`;
}

function commandText({ verdict, exact }: PermissionRule, command: string): string {
  const isLonger = !exact && command.endsWith(moreArguments);
  const words = isLonger ? command.slice(0, -moreArguments.length) : command;
  if (verdict !== "allow") return `commands with ${code(words)}`;
  return isLonger ? `commands that begin with ${code(words)}` : `exactly the command ${code(words)}`;
}

/** As Markdown marks code: what has backticks of its own stands between more of them. */
function code(text: string): string {
  const longest = Math.max(0, ...[...text.matchAll(/`+/g)].map(([run]) => run.length));
  if (longest === 0) return `\`${text}\``;
  const fence = "`".repeat(longest + 1);
  return `${fence} ${text} ${fence}`;
}
