import type { PermissionDecision, Permissions, Tool, ToolContext } from "../agent/ports.ts";

/**
 * What may run without a word from the user: whatever reads, and what acts on Parley itself. The rest is asked for, and
 * a prompt that was heard from the computer's sound (somebody else's words) gets nothing but reading.
 */
export const askBeforeChanges: Permissions = {
  decide({ tool, input, context }) {
    if (tool.effect === "read") return { verdict: "allow" };
    if (isOverheard(context)) return denied(tool);
    if (tool.effect === "app") return { verdict: "allow" };
    return { verdict: "ask", detail: tool.describe?.(input) ?? JSON.stringify(input, null, 2) };
  },
};

const isOverheard = ({ source }: ToolContext) => source === "loopback";

function denied({ name }: Tool): PermissionDecision {
  return {
    verdict: "deny",
    reason: `${name} was refused: this prompt was heard from the computer's sound, and such prompts get no tool that changes anything. The user can ask for it directly.`,
  };
}
