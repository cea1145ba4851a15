import type { ApprovalScope, PermissionRule } from "../../shared/permissions.ts";
import type { Confinement } from "./fence-port.ts";
import type { Tool, ToolContext } from "./tool-port.ts";

/** Decides whether a call may run. The conversation shows what waits; the answer comes through it. */
export interface Permissions {
  decide(call: { tool: Tool; input: unknown; context: ToolContext }): PermissionDecision;
  /** Takes what the user's yes says for later calls. Without it every call asks anew. */
  remember?(grant: PermissionGrant): void;
}

export type PermissionDecision =
  | {
      verdict: "allow";
      /** How a command of it runs. Default: outside. */
      confinement?: Confinement | undefined;
    }
  | { verdict: "deny"; reason: string }
  | {
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
      /** How a command of it runs after a yes. Default: outside. */
      confinement?: Confinement | undefined;
      /** Whether the card offers to run it outside of the fence, for once. */
      mayRunOutside?: boolean | undefined;
    };

export interface PermissionGrant {
  conversationId: string;
  scope: Exclude<ApprovalScope, "once">;
  rules: readonly PermissionRule[];
}
