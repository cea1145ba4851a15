import type { ApprovalAnswer, ApprovalRequest } from "./desk.ts";
import type { PermissionDecision, Permissions, Tool, ToolContext, ToolOutput } from "./ports.ts";

export interface Gate {
  permissions: Permissions;
  approve(request: ApprovalRequest, signal: AbortSignal): Promise<ApprovalAnswer>;
}

/**
 * Whether a call may run: by the rules, else by the user's word.
 * @returns why not, for the model; null: it may
 */
export async function refusalOf(
  tool: Tool,
  input: unknown,
  context: ToolContext,
  { permissions, approve }: Gate,
): Promise<ToolOutput | null> {
  const { conversationId, toolUseId, signal, source, environment } = context;
  const decision = overheard(permissions.decide({ tool, input, context }), tool, input, context);
  if (decision.verdict === "allow") return null;
  if (decision.verdict === "deny") return { text: decision.reason, isError: true };
  const { name, effect, wish } = tool;
  const { detail, why, rules = [], mayBeSpoken = false } = decision;
  const request: ApprovalRequest = {
    toolUseId,
    name,
    effect,
    ...(wish && { wish }),
    detail,
    diff: await tool.preview?.(input, environment).catch(() => undefined),
    why,
    rules: [...rules],
    mayBeSpoken,
    source,
  };
  const { allowed, reason, scope = "once" } = await approve(request, signal);
  if (signal.aborted) return { text: "Interrupted by the user before it finished.", isError: true };
  if (!allowed) {
    return {
      text: `The user did not allow ${name}.${reason ? ` They said: ${reason}` : ""}`,
      isError: true,
    };
  }
  if (scope !== "once" && rules.length > 0) permissions.remember?.({ conversationId, scope, rules });
  return null;
}

/** Checked here too, whatever the rules say: words from loopback are somebody else's, and change nothing by themselves. */
function overheard(
  decision: PermissionDecision,
  tool: Tool,
  input: unknown,
  { source }: ToolContext,
): PermissionDecision {
  if (source !== "loopback" || tool.effect === "read" || decision.verdict === "deny") return decision;
  const detail =
    decision.verdict === "ask" ? decision.detail : (tool.describe?.(input) ?? JSON.stringify(input, null, 2));
  const why =
    "The prompt is, or brings, what was heard from the computer's sound: these may be somebody else's words.";
  return { verdict: "ask", detail, why };
}
