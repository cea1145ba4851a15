import { z } from "zod";

/** What settings, the policy and the window say to each other about what may run. */

/**
 * plan: only reading. ask: reading runs, everything else asks. accept-edits: changes of files in the working folder run,
 * too. auto: as well simple commands that stay in it.
 */
export const permissionMode = z.enum(["plan", "ask", "accept-edits", "auto"]);
export type PermissionMode = z.infer<typeof permissionMode>;

const text = z.string().trim().min(1).max(1000);

/** A rule counts for a call where all that it names fits. */
export const permissionRule = z
  .strictObject({
    verdict: z.enum(["allow", "ask", "deny"]),
    /** A tool's name; `*` stands for any characters: `github__*` is every tool of that server. */
    tool: text.optional(),
    /** A glob over the files that a call touches: from the working folder, absolute, or from `~/`. */
    path: text.optional(),
    /** The first words of a shell command: `git status` fits `git status --short`, not `git status && reboot`. */
    command: text.optional(),
    /** Only the command as a whole, word by word. */
    exact: z.boolean().optional(),
    /** Of a web address: `example.com`, or `*.example.com` for everything below it. */
    host: text.optional(),
    /** Counts in this working folder only. */
    folder: text.optional(),
  })
  .refine(({ tool, path, command, host }) => [tool, path, command, host].some((one) => one !== undefined), {
    message: "a rule names a tool, a path, a command or a host",
  })
  .refine(({ exact, command }) => exact === undefined || command !== undefined, {
    message: "`exact` is about a command",
  });
export type PermissionRule = z.infer<typeof permissionRule>;

/** In place of a rule that cannot be read: what it would forbid is not known. */
export const asksForAll: PermissionRule = { verdict: "ask", tool: "*" };

/** How long the user's yes holds. */
export const approvalScope = z.enum(["once", "session", "always"]);
export type ApprovalScope = z.infer<typeof approvalScope>;

/** A rule in words: “allow the command `git status`, in /home/me/work”. */
export function ruleInWords(rule: PermissionRule): string {
  const { verdict, tool, path, command, exact, host, folder } = rule;
  const parts = [
    command !== undefined && `${exact ? "exactly the command" : "commands that begin with"} \`${command}\``,
    path !== undefined && `files \`${path}\``,
    host !== undefined && `the host \`${host}\``,
    tool !== undefined && `the tool \`${tool}\``,
  ].filter((part) => part !== false);
  return `${verdict} ${parts.join(" with ")}${folder === undefined ? "" : `, in ${folder}`}`;
}
