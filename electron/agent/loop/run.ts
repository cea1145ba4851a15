import type { UserError } from "../../../shared/conversation/events.ts";
import {
  type ContentBlock,
  type Message,
  type ToolUseBlock,
  textOf,
} from "../../../shared/conversation/messages.ts";
import { Compactor } from "../context/compaction.ts";
import { toolUsesOf } from "../context/history.ts";
import { contentOf } from "../context/prompt-content.ts";
import { holdsTasks, tasksNote } from "../context/tasks-note.ts";
import type { Question, SideRequest, ToolContext } from "../ports/ports.ts";
import { Continuation } from "./continuation.ts";
import { LoopDetector, loopWarning } from "./loop-detector.ts";
import type { RunContext, RunOutcome } from "./run-context.ts";
import { type Reply, requestOf, streamReply } from "./stream-reply.ts";
import { checkHost } from "./tools/check-host.ts";
import type { PermissionGate } from "./tools/check-permission.ts";
import { runTools, type ToolResult, type ToolRound } from "./tools/tool-runner.ts";
import { toUserError } from "./user-error.ts";

/**
 * One run: ask the model, run the tools it wants, again until a reply wants none. The prompt is in the history
 * already. A failing model ends the run with an error in words, an abort with `interrupted`; neither throws, and
 * the history is valid afterwards.
 */
export async function runToEnd(run: RunContext): Promise<RunOutcome> {
  try {
    return await rounds(run);
  } catch (error) {
    if (run.signal.aborted) return { stopReason: "interrupted" };
    run.reportError(error);
    return { stopReason: "error", error: toUserError(error) };
  }
}

async function rounds(run: RunContext): Promise<RunOutcome> {
  const { settings, budget, steering, signal } = run;
  const compactor = new Compactor(run);
  const loops = new LoopDetector(settings);
  const continuation = new Continuation(settings.maxContinuations);
  let toolRounds = 0;
  /** After a reply that said nothing. */
  let isAskedAgain = false;

  for (let round = 1; ; round++) {
    if (isAtLimit(run, toolRounds)) return { stopReason: "max_turns" };
    await deliver(run);
    // A summary is paid for like a reply.
    if (budget.isUsedUp(settings)) return { stopReason: "budget_exceeded" };
    await compactor.ifDue();
    await keepTasksInSight(run);
    if (budget.isUsedUp(settings)) return { stopReason: "budget_exceeded" };

    const reply = await ask(run, round, compactor);
    if (reply.kind === "interrupted") return { stopReason: "interrupted" };
    if (reply.kind !== "message") return { stopReason: "error", error: reply.error };
    for (const news of budget.news(settings)) run.emit(news);
    compactor.warnIfFull();
    compactor.warnIfCut();

    const { message, messageId } = reply;
    const calls = toolUsesOf(message.content);
    if (calls.length === 0) {
      const next = message.stopReason === "max_tokens" ? continuation.next() : null;
      if (next !== null && !signal.aborted) {
        await run.append(fromParley(run, "system", [{ type: "text", text: next }]));
        continue;
      }
      // What the user said during this reply is answered before the run ends.
      if (steering.waits && !signal.aborted) continue;
      const stopReason = message.stopReason === "tool_use" ? "end_turn" : message.stopReason;
      const isEmpty = stopReason === "end_turn" && textOf(message.content).trim() === "";
      if (!isEmpty) return { stopReason };
      if (isAskedAgain || signal.aborted) return { stopReason: "error", error: emptyReply };
      isAskedAgain = true;
      await run.append(fromParley(run, "system", [{ type: "text", text: saidNothing }]));
      continue;
    }

    continuation.reset();
    isAskedAgain = false;
    if (budget.isUsedUp(settings)) {
      await run.append(fromParley(run, "tool", calls.map(notRun)));
      return { stopReason: "budget_exceeded" };
    }
    // What may run, and how, depends on it.
    await run.fenceKnown?.();
    const results = await runTools(calls, toolRound(run, messageId));
    const blocks = results.map(({ block }) => block);
    await run.append(
      fromParley(run, "tool", blocks),
      results.map(({ call }) => call),
    );
    if (signal.aborted) return { stopReason: "interrupted" };
    if (run.checkpoints?.isStopped) return { stopReason: "too_many_deletions" };
    toolRounds++;
    if (await isStuck(run, loops, results)) return { stopReason: "loop_detected" };
  }
}

function isAtLimit({ settings, context }: RunContext, toolRounds: number): boolean {
  const { maxToolRoundsPerInput, maxTurns } = settings;
  return (
    (maxToolRoundsPerInput > 0 && toolRounds >= maxToolRoundsPerInput) ||
    (maxTurns > 0 && context.replies >= maxTurns)
  );
}

/** The user's words enter as messages of their own, with the ids that they were announced by. */
async function deliver(run: RunContext): Promise<void> {
  await run.steering.drain(({ id, words }) =>
    run.append({ ...fromParley(run, "steering", contentOf(words)), id, source: words.source }),
  );
}

/** A prompt that is too long is made shorter, once. */
async function ask(run: RunContext, round: number, compactor: Compactor): Promise<Reply> {
  const reply = await streamReply(run, round, requestOf(run));
  if (reply.kind !== "too_long" || !(await compactor.makeRoom())) return reply;
  await keepTasksInSight(run);
  return await streamReply(run, round, requestOf(run));
}

/** What was left out may have held the list of tasks: it is told again. A summary tells it itself. */
async function keepTasksInSight(run: RunContext): Promise<void> {
  const note = tasksNote(run.tasks?.list() ?? []);
  if (note === null || holdsTasks(run.context.sent())) return;
  await run.append(fromParley(run, "system", [{ type: "text", text: note }]));
}

function toolRound(run: RunContext, messageId: string): ToolRound {
  const {
    conversationId,
    source,
    settings,
    environment,
    fence,
    signal,
    subagents,
    permissions,
    checkpoints,
    clock,
  } = run;
  const seesImages = run.provider.takesImages(settings.model);
  const asker = run.agentId !== undefined && { agentId: run.agentId };
  const gate: PermissionGate = {
    permissions,
    approve: (request, ended) => run.requests.approve({ ...request, ...asker }, ended),
    toolFiles: run.toolFiles,
  };
  return {
    tools: run.tools,
    messageId,
    checkpoints,
    clock,
    contextFor: (toolUseId: string) => {
      const context: ToolContext = {
        conversationId,
        toolUseId,
        source,
        overheard: run.isOverheard(),
        settings,
        seesImages,
        environment,
        folder: run.folder,
        fence,
        signal,
        subagents,
        ...(run.tasks && { updateTasks: run.tasks.update }),
        progress: (text: string) => run.emit({ type: "tool.output", toolUseId, text }),
        ask: (question: Question, ended) =>
          run.requests.ask(
            { ...question, toolUseId, ...asker },
            ended ? AbortSignal.any([signal, ended]) : signal,
          ),
        approve: (request: SideRequest, elsewhere) =>
          run.requests.approve({ ...request, toolUseId, source, ...asker }, signal, elsewhere),
        fullOutput: run.fullOutput,
        checkHost: (host, ended) => checkHost(host, ended, context, gate),
      };
      return context;
    },
    ...gate,
    ...(run.callStops && { callStops: run.callStops }),
    keepCall: run.keepCall,
    emit: run.emit,
    show: run.show,
  };
}

async function isStuck(
  run: RunContext,
  loops: LoopDetector,
  results: readonly ToolResult[],
): Promise<boolean> {
  const loop = loops.observe(results.map(({ call }) => call));
  if (!loop) return false;
  run.emit({ type: "loop.detected", ...loop });
  if (loop.action === "stop") return true;
  await run.append(fromParley(run, "system", [{ type: "text", text: loopWarning(loop) }]));
  return false;
}

function fromParley(run: RunContext, origin: Message["origin"], content: ContentBlock[]): Message {
  return { id: run.newId(), role: "user", origin, source: null, content, createdAt: run.clock.now() };
}

const saidNothing =
  "[EMPTY REPLY] Your last reply said nothing to the user. Answer now, in words, or call a tool.";

const emptyReply: UserError = {
  code: "empty_reply",
  message: "The model sent an empty reply, twice.",
  hint: "Retry, or rephrase your prompt.",
};

const notRun = ({ id }: ToolUseBlock): ContentBlock => ({
  type: "tool_result",
  tool_use_id: id,
  content: "Not run: the budget of this conversation is used up.",
  is_error: true,
});
