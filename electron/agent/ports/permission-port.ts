import type { ApprovalScope, PermissionRule } from "../../../shared/safety/permissions.ts";
import type { Confinement } from "./fence-port.ts";
import type { Tool, ToolContext } from "./tool-port.ts";

/** Decides whether a call may run. The conversation shows what waits; the answer comes through it. */
export interface Permissions {
  decide(call: { tool: Tool; input: unknown; context: ToolContext }): PermissionDecision;
  /** Globs of the files that rules keep from commands in this folder, absolute. */
  deniedPaths?(folder: string): readonly string[];
  /** Takes what the user's yes says for later calls. Without it every call asks anew. */
  remember?(grant: PermissionGrant): void;
}

/** How a call runs that may. */
export interface CallLimits {
  /** Of a command. Default: outside. */
  confinement?: Confinement | undefined;
  /** Of a command: the files that rules keep from it. `globs` are absolute; `fits` takes an absolute path. */
  denied?: { globs: readonly string[]; fits(path: string): boolean } | undefined;
  /** Whether rules keep a file from it that a search finds; relative to the working folder, or absolute. */
  hides?: ((path: string) => boolean) | undefined;
}

export type PermissionDecision =
  | ({ verdict: "allow" } & CallLimits)
  | { verdict: "deny"; reason: string }
  | ({
      /** The user decides. */
      verdict: "ask";
      /** Exactly what will run or change. */
      detail: string;
      /** Why it asks, where it is not just the mode. */
      why?: string | undefined;
      /** What a yes for longer than this call would write; none: it can only be allowed once. */
      rules?: readonly PermissionRule[] | undefined;
      /** Whether a spoken yes of the user's is enough. */
      mayBeSpoken?: boolean | undefined;
      /** Whether the card offers to run it outside of the fence, for once. */
      mayRunOutside?: boolean | undefined;
    } & CallLimits);

export interface PermissionGrant {
  conversationId: string;
  scope: Exclude<ApprovalScope, "once">;
  rules: readonly PermissionRule[];
}
