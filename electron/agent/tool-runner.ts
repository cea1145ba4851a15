import PQueue from "p-queue";
import type { AgentEventBody } from "../../shared/events.ts";
import type { ToolResultBlock, ToolUseBlock } from "../../shared/messages.ts";
import type { Clock, Tool, ToolContext, ToolOutput } from "./ports.ts";
import { truncate } from "./truncation.ts";

export interface ToolRound {
  tools: readonly Tool[];
  context: ToolContext;
  clock: Clock;
  maxParallelTools: number;
  /** UTF-16 units of one result; 0 = no limit. */
  maxToolResultChars: number;
  emit(body: AgentEventBody): void;
}

/**
 * Runs the calls of one reply, several at once. Never throws: an unknown tool, invalid input, a refusal, a failing
 * tool and an interruption are all results with `is_error`.
 * @returns one result a call, in the order of the calls
 */
export async function runTools(calls: readonly ToolUseBlock[], round: ToolRound): Promise<ToolResultBlock[]> {
  const queue = new PQueue({ concurrency: round.maxParallelTools });
  return await Promise.all(calls.map((call) => queue.add(() => runOne(call, round))));
}

/** Words from loopback are somebody else's: they get tools that change nothing. */
export function toolsFor(source: ToolContext["source"], tools: readonly Tool[]): readonly Tool[] {
  return source === "loopback" ? tools.filter((tool) => tool.effect === "read") : tools;
}

async function runOne(call: ToolUseBlock, round: ToolRound): Promise<ToolResultBlock> {
  const { id: toolUseId, name, input } = call;
  const startedAt = round.clock.now();
  // A call that never began still gets its two events: whoever reads them sees every call answered.
  round.emit({ type: "tool.started", toolUseId, name, input });
  const output = await outputOf(call, round);
  const text = truncate(output.text, round.maxToolResultChars, name).text;
  const isError = output.isError ?? false;
  round.emit({
    type: "tool.ended",
    toolUseId,
    name,
    durationMs: Math.max(0, round.clock.now() - startedAt),
    isError,
    output: text,
  });
  return {
    type: "tool_result",
    tool_use_id: toolUseId,
    content: text === "" ? "(no output)" : text,
    ...(isError && { is_error: true }),
  };
}

async function outputOf(call: ToolUseBlock, { tools, context }: ToolRound): Promise<ToolOutput> {
  if (context.signal.aborted) return interrupted;
  const tool = tools.find((candidate) => candidate.name === call.name);
  if (!tool) {
    const names = tools.map((candidate) => candidate.name).join(", ");
    return failure(`There is no tool "${call.name}". Tools that exist: ${names || "none"}.`);
  }
  const input = tool.input.safeParse(call.input);
  if (!input.success) {
    const faults = input.error.issues.map(
      (issue) => `- ${issue.path.join(".") || "input"}: ${issue.message}`,
    );
    return failure(`Invalid input for ${tool.name}:\n${faults.join("\n")}`);
  }
  // Checked here too, whatever was offered: a reply can name any tool.
  if (context.source === "loopback" && tool.effect !== "read") {
    return failure(
      `${tool.name} was refused: this prompt was heard from the computer's sound, and such prompts get no tool that changes anything. The user can ask for it directly.`,
    );
  }
  try {
    return await untilAborted(tool.run(input.data, context), context.signal);
  } catch (error) {
    if (context.signal.aborted) return interrupted;
    return failure(`${tool.name} failed: ${error instanceof Error ? error.message : String(error)}`);
  }
}

const failure = (text: string): ToolOutput => ({ text, isError: true });
const interrupted = failure("Interrupted by the user before it finished.");

/** A tool that ignores its signal must not hold up the stop; what it still does is not waited for. */
async function untilAborted(work: Promise<ToolOutput>, signal: AbortSignal): Promise<ToolOutput> {
  let onAbort = () => {};
  const aborted = new Promise<ToolOutput>((resolve) => {
    onAbort = () => resolve(interrupted);
    signal.addEventListener("abort", onAbort, { once: true });
  });
  try {
    return await Promise.race([work, aborted]);
  } finally {
    signal.removeEventListener("abort", onAbort);
  }
}
