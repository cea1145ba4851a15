import type { AgentEventBody } from "../../../../shared/conversation/events.ts";
import type { ToolResultBlock, ToolUseBlock } from "../../../../shared/conversation/messages.ts";
import { stoppedText } from "../../../../shared/conversation/unfinished-call.ts";
import type { Clock, StoredToolCall, Tool, ToolContext, ToolOutput } from "../../ports/ports.ts";
import { limitsFor, truncate } from "../truncation.ts";
import type { CallStops } from "./call-stops.ts";
import { checkPermission, type PermissionCheck, type PermissionGate } from "./check-permission.ts";
import { EndedCalls } from "./ended-calls.ts";
import { schedule } from "./tool-schedule.ts";
import type { TurnCheckpoints } from "./turn-checkpoints.ts";
import { countingUsersTime } from "./users-time.ts";

export interface ToolRound extends PermissionGate {
  tools: readonly Tool[];
  /** The reply that asks for the calls. */
  messageId: string;
  contextFor(toolUseId: string): ToolContext;
  checkpoints: TurnCheckpoints | null;
  clock: Clock;
  /** Commands can be ended one by one. Absent: only with the run. */
  callStops?: CallStops;
  /** Keeps a call that has ended while others of the round go on. Must not throw. */
  keepCall(call: StoredToolCall): void;
  emit(body: AgentEventBody): void;
  show(body: AgentEventBody): void;
}

/** A call's result as the model sees it, and the call as it is kept. */
export interface ToolResult {
  block: ToolResultBlock;
  call: StoredToolCall;
}

/**
 * Runs the calls of one reply, several at once. Of each: look up, validate, permission, checkpoint, run, keep the
 * whole output, truncate for the model, tell. Never throws: an unknown tool, invalid input, a refusal, a failing tool and an
 * interruption are all results with `is_error`.
 * @returns one result a call, in the order of the calls
 */
export async function runTools(calls: readonly ToolUseBlock[], round: ToolRound): Promise<ToolResult[]> {
  const prepared = calls.map((call) => prepare(call, round));
  const [context] = prepared;
  if (!context) return [];
  const ended = new EndedCalls(calls.length, round.keepCall);
  const run = async (call: Prepared) => {
    const result = await runOne(call, round);
    ended.add(result.call);
    return result;
  };
  return await schedule(
    prepared.map((call) => ({ paths: call.paths, run: () => run(call) })),
    context.context.settings.maxParallelTools,
    context.context.environment.workingDirectory,
  );
}

/** What is decided about a call's paths holds for what it does with them, whatever is put in their place meanwhile. */
async function pinned(context: ToolContext, paths: readonly string[]): Promise<ToolContext> {
  if (paths.length === 0 || !context.environment.pinned) return context;
  return { ...context, environment: await context.environment.pinned(paths) };
}

interface Prepared {
  call: ToolUseBlock;
  context: ToolContext;
  /** Files that it touches, as the tool names them. */
  paths: string[];
  /** What to do, or why nothing is done. */
  work: { tool: Tool; input: unknown } | ToolOutput;
}

/** Looks the tool up and validates the input: only then is it known which files the call touches. */
function prepare(call: ToolUseBlock, { tools, contextFor }: ToolRound): Prepared {
  const context = contextFor(call.id);
  const refused = (text: string): Prepared => ({ call, context, paths: [], work: failure(text) });
  const tool = tools.find(({ name }) => name === call.name);
  if (!tool) {
    const names = tools.map(({ name }) => name).join(", ");
    return refused(`There is no tool "${call.name}". Tools that exist: ${names || "none"}.`);
  }
  const input = tool.input.safeParse(call.input);
  if (!input.success) {
    const faults = input.error.issues.map(
      ({ path, message }) => `- ${path.join(".") || "input"}: ${message}`,
    );
    return refused(`Invalid input for ${tool.name}:\n${faults.join("\n")}`);
  }
  try {
    const { folder, environment } = context;
    // Nothing is written over that is only called something like it.
    const from = { folder, isLoose: tool.effect === "read" };
    const named = (path: string) => environment.ownName(path, from);
    const given = tool.withPaths?.(input.data, named, folder) ?? input.data;
    return { call, context, paths: tool.touchedPaths?.(given) ?? [], work: { tool, input: given } };
  } catch (error) {
    return refused(failed(tool.name, error));
  }
}

async function runOne({ call, context, paths, work }: Prepared, round: ToolRound): Promise<ToolResult> {
  const { id: toolUseId, name, input } = call;
  const { clock, emit, show } = round;
  let durationMs = 0;
  let diff: string | undefined;
  // A call that never began still gets its two events: whoever reads them sees every call answered.
  show({ type: "tool.started", toolUseId, name, input });
  let output: ToolOutput;
  if ("tool" in work) {
    const held = await pinned(context, paths);
    const word = await permitted(work.tool, work.input, held, round);
    if ("refusal" in word) output = word.refusal;
    else {
      diff = await changesOf(work.tool, work.input, held);
      // The time that the user takes is not the tool's.
      const startedAt = clock.now();
      const stops = work.tool.effect === "execute" ? round.callStops : undefined;
      const signal = stops?.begin(toolUseId, held.signal) ?? held.signal;
      const [counting, waitedMs] = countingUsersTime({ ...held, ...word.limits, signal }, clock);
      output = await outputOf(work, paths, counting, round);
      stops?.end(toolUseId);
      durationMs = Math.max(0, clock.now() - startedAt - waitedMs());
    }
  } else output = work;
  const isError = output.isError ?? false;
  const truncated = truncate(output.text, limitsFor(name, context.settings), { tool: name, toolUseId });
  const wasTruncated = truncated.shown < truncated.total;
  const changed = !isError && diff !== undefined && { diff };
  emit({ type: "tool.ended", toolUseId, name, durationMs, isError, output: truncated.text, ...changed });
  if (wasTruncated) {
    emit({
      type: "result.truncated",
      toolUseId,
      name,
      shownChars: truncated.shown,
      totalChars: truncated.total,
    });
  }
  const content = truncated.text === "" ? "(no output)" : truncated.text;
  return {
    block: {
      type: "tool_result",
      tool_use_id: toolUseId,
      content,
      ...(isError && { is_error: true }),
      ...(output.images && output.images.length > 0 && { images: output.images }),
    },
    call: {
      toolUseId,
      messageId: round.messageId,
      name,
      input,
      output: output.text,
      isError,
      durationMs,
      wasTruncated,
      originalChars: output.text.length,
      ...changed,
    },
  };
}

/** So much of a change is shown with its call; of a larger one its input is. UTF-16 units. */
const maxDiffChars = 200_000;

/** What a call is about to change in files, for its line: afterwards nobody could tell what was there. */
async function changesOf(tool: Tool, input: unknown, context: ToolContext): Promise<string | undefined> {
  const diff = await tool.preview?.(input, context.environment).catch(() => undefined);
  return diff !== undefined && diff.length <= maxDiffChars ? diff : undefined;
}

async function permitted(
  tool: Tool,
  input: unknown,
  context: ToolContext,
  gate: PermissionGate,
): Promise<PermissionCheck> {
  if (context.signal.aborted) return { refusal: interrupted };
  try {
    return await checkPermission(tool, input, context, gate);
  } catch (error) {
    // Where it cannot be told whether it may run, it does not.
    return { refusal: failure(failed(tool.name, error)) };
  }
}

async function outputOf(
  { tool, input }: { tool: Tool; input: unknown },
  paths: readonly string[],
  context: ToolContext,
  { checkpoints, clock }: ToolRound,
): Promise<ToolOutput> {
  const { toolUseId, signal } = context;
  const confinement = context.fence ? context.confinement : "outside";
  const run = (readOnlyPaths: readonly string[] = []) =>
    untilAborted(tool.run(input, { ...context, readOnlyPaths }), signal, clock);
  try {
    const call = { tool, toolUseId, paths, confinement, signal };
    return await (checkpoints ? checkpoints.around(call, run) : run());
  } catch (error) {
    return context.signal.aborted ? interrupted : failure(failed(tool.name, error));
  }
}

const failure = (text: string): ToolOutput => ({ text, isError: true });
const failed = (name: string, error: unknown) =>
  `${name} failed: ${error instanceof Error ? error.message : String(error)}`;
const interrupted = failure(stoppedText);

/** How long after an abort a tool may take to end what it began; processes get two seconds before they are killed. */
const graceMs = 3000;

/**
 * A tool that ends soon after the abort says what it has, such as a command's output so far. One that ignores its
 * signal must not hold up the stop; what it still does is not waited for.
 */
async function untilAborted(
  work: Promise<ToolOutput>,
  signal: AbortSignal,
  clock: Clock,
): Promise<ToolOutput> {
  // Set on abort only: few calls need a controller, and to abort one makes an error with a stack.
  let stopWaiting = () => {};
  let onAbort = () => {};
  const aborted = new Promise<ToolOutput>((resolve) => {
    onAbort = () => {
      const settled = new AbortController();
      stopWaiting = () => settled.abort();
      const give = () => resolve(interrupted);
      clock.sleep(graceMs, settled.signal).then(give, give);
    };
    if (signal.aborted) onAbort();
    else signal.addEventListener("abort", onAbort, { once: true });
  });
  try {
    return await Promise.race([work, aborted]);
  } finally {
    signal.removeEventListener("abort", onAbort);
    stopWaiting();
  }
}
