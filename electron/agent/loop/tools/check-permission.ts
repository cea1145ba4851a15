import { deniedText, stoppedText } from "../../../../shared/conversation/unfinished-call.ts";
import type { ApprovalAnswer, ApprovalRequest } from "../../conversation/pending-requests.ts";
import type { ChangedFile } from "../../ports/checkpoint-ports.ts";
import type {
  CallLimits,
  PermissionDecision,
  Permissions,
  Tool,
  ToolContext,
  ToolOutput,
} from "../../ports/ports.ts";
import type { ToolFiles } from "./tool-files.ts";

export interface PermissionGate {
  permissions: Permissions;
  approve(request: ApprovalRequest, signal: AbortSignal): Promise<ApprovalAnswer>;
  /** What a command outside of the fence would obey. null: it is not known what changed. */
  toolFiles?: ToolFiles | null | undefined;
}

/** Why a call may not run, for the model; or how it runs. */
export type PermissionCheck = { refusal: ToolOutput } | { limits: CallLimits };

type Asking = Extract<PermissionDecision, { verdict: "ask" }>;

/** Whether a call may run: by the rules, else by the user's word. */
export async function checkPermission(
  tool: Tool,
  input: unknown,
  context: ToolContext,
  gate: PermissionGate,
): Promise<PermissionCheck> {
  const decided = overheard(gate.permissions.decide({ tool, input, context }), tool, input, context);
  const decision = warned(decided, tool, input, context, gate);
  if (decision.verdict === "deny") return refused(decision.reason);
  const { confinement, denied, hides } = decision;
  const limits = { confinement, denied, hides };
  if (decision.verdict === "allow") return { limits };
  const mayRunOutside = decision.mayRunOutside ?? false;
  const diff = await tool.preview?.(input, context.environment).catch(() => undefined);
  for (;;) {
    const changed = mayRunOutside || runsOutside(tool, decision) ? (gate.toolFiles?.changed() ?? []) : [];
    const request = requestOf(tool, decision, context, { diff, changed });
    const answer = await gate.approve(request, context.signal);
    const { allowed, reason, scope = "once" } = answer;
    if (context.signal.aborted) return refused(stoppedText);
    if (!allowed) return refused(deniedText(tool.name, reason));
    const isOutside = mayRunOutside && answer.outside === true;
    if (isOutside || runsOutside(tool, decision)) {
      // What changed while the card was there, the user has not seen.
      if (hasMore(gate.toolFiles?.changed() ?? [], changed)) continue;
      gate.toolFiles?.accept(changed);
    }
    // Outside of the fence is for once, whatever else was said.
    if (isOutside) return { limits: { ...limits, confinement: "outside" } };
    const { rules = [] } = decision;
    const { conversationId } = context;
    if (scope !== "once" && rules.length > 0) gate.permissions.remember?.({ conversationId, scope, rules });
    return { limits };
  }
}

function requestOf(
  tool: Tool,
  decision: Asking,
  { toolUseId, source, fence }: ToolContext,
  { diff, changed }: { diff: string | undefined; changed: readonly ChangedFile[] },
): ApprovalRequest {
  const { name, effect, wish, holdsInConversation } = tool;
  const { detail, why, rules = [], mayBeSpoken = false, mayRunOutside } = decision;
  const isCommand = effect === "execute" && tool.server === undefined;
  return {
    toolUseId,
    name,
    effect,
    ...(wish && { wish }),
    detail,
    diff,
    why,
    rules: [...rules],
    mayBeSpoken,
    ...(mayRunOutside && { mayRunOutside }),
    ...(changed.length > 0 && { changedToolFiles: changed.map(({ path }) => path) }),
    ...(holdsInConversation && { holdsInConversation }),
    ...(isCommand && (!fence || decision.confinement === "outside") && { runsOutside: true }),
    source,
  };
}

/** A command of the model's that no fence is around. */
const runsOutside = ({ effect, server }: Tool, { confinement }: CallLimits) =>
  effect === "execute" && server === undefined && confinement === "outside";

const hasMore = (now: readonly ChangedFile[], shown: readonly ChangedFile[]) =>
  now.some((file) => !shown.some((one) => one.path === file.path && one.now === file.now));

/** A rule lets it run outside of the fence; what it would obey there may be the model's words by now. */
function warned(
  decision: PermissionDecision,
  tool: Tool,
  input: unknown,
  { fence }: ToolContext,
  { toolFiles }: PermissionGate,
): PermissionDecision {
  if (decision.verdict !== "allow" || !runsOutside(tool, decision)) return decision;
  if (!toolFiles || toolFiles.changed().length === 0) return decision;
  const { denied, hides } = decision;
  return {
    verdict: "ask",
    detail: tool.describe?.(input) ?? JSON.stringify(input, null, 2),
    why: "A rule lets this run without a fence, but this conversation changed files that your own tools run.",
    denied,
    hides,
    confinement: fence ? "change" : "outside",
    ...(fence && { mayRunOutside: true }),
  };
}

const refused = (text: string): PermissionCheck => ({ refusal: { text, isError: true } });

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
    "This conversation includes words from the computer's sound, which may be somebody else's. The Lift button above the conversation ends this.";
  return { verdict: "ask", detail, why, confinement, denied, hides };
}
