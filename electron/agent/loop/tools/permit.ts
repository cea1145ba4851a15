import type { ApprovalAnswer, ApprovalRequest } from "../../conversation/pending-requests.ts";
import type {
  CallLimits,
  PermissionDecision,
  Permissions,
  Tool,
  ToolContext,
  ToolOutput,
} from "../../ports/ports.ts";

export interface Gate {
  permissions: Permissions;
  approve(request: ApprovalRequest, signal: AbortSignal): Promise<ApprovalAnswer>;
}

/** Why a call may not run, for the model; or how it runs. */
export type Permit = { refusal: ToolOutput } | { limits: CallLimits };

/** Whether a call may run: by the rules, else by the user's word. */
export async function permit(
  tool: Tool,
  input: unknown,
  context: ToolContext,
  { permissions, approve }: Gate,
): Promise<Permit> {
  const { conversationId, toolUseId, signal, source, environment } = context;
  const decision = overheard(permissions.decide({ tool, input, context }), tool, input, context);
  if (decision.verdict === "deny") return refused(decision.reason);
  const { confinement, denied, hides } = decision;
  const limits = { confinement, denied, hides };
  if (decision.verdict === "allow") return { limits };
  const { name, effect, wish } = tool;
  const { detail, why, rules = [], mayBeSpoken = false, mayRunOutside = false } = decision;
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
    ...(mayRunOutside && { mayRunOutside }),
    source,
  };
  const { allowed, reason, scope = "once", outside = false } = await approve(request, signal);
  if (signal.aborted) return refused("Interrupted by the user before it finished.");
  if (!allowed) return refused(`The user did not allow ${name}.${reason ? ` They said: ${reason}` : ""}`);
  // Outside of the fence is for once, whatever else was said.
  if (outside && mayRunOutside) return { limits: { ...limits, confinement: "outside" } };
  if (scope !== "once" && rules.length > 0) permissions.remember?.({ conversationId, scope, rules });
  return { limits };
}

const refused = (text: string): Permit => ({ refusal: { text, isError: true } });

/** Checked here too, whatever the rules say: words from loopback are somebody else's, and change nothing by themselves. */
function overheard(
  decision: PermissionDecision,
  tool: Tool,
  input: unknown,
  { source, overheard: isOverheard = source === "loopback" }: ToolContext,
): PermissionDecision {
  if (!isOverheard || tool.effect === "read" || decision.verdict === "deny") return decision;
  const { confinement, denied, hides } = decision;
  const detail =
    decision.verdict === "ask" ? decision.detail : (tool.describe?.(input) ?? JSON.stringify(input, null, 2));
  const why =
    "What was heard from the computer's sound is part of this conversation: these may be somebody else's words. A button in the header lifts this.";
  return { verdict: "ask", detail, why, confinement, denied, hides };
}
