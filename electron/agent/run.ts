import type { AgentEventBody, UserError } from "../../shared/events.ts";
import type { Message, SpeechSource, StopReason } from "../../shared/messages.ts";
import type { Settings } from "../../shared/settings.ts";
import { toApiMessages, toolUsesOf } from "./history.ts";
import {
  type AssistantMessage,
  type Clock,
  type ExecutionEnvironment,
  ModelError,
  type Provider,
  type Tool,
} from "./ports.ts";
import { systemPrompt } from "./system-prompt.ts";
import { runTools, toolsFor } from "./tool-runner.ts";

/** What one run works with. Settings, provider and tools stay the same until it ends. */
export interface Run {
  readonly runId: string;
  readonly conversationId: string;
  /** Where its prompt was heard, null if it was not. */
  readonly source: SpeechSource | null;
  readonly settings: Settings;
  readonly provider: Provider;
  readonly tools: readonly Tool[];
  readonly environment: ExecutionEnvironment;
  readonly clock: Clock;
  readonly signal: AbortSignal;
  newId(): string;
  history(): readonly Message[];
  /** Resolves when the message is kept: nothing is sent to the model before that. */
  append(message: Message): Promise<void>;
  emit(body: AgentEventBody): void;
  /** For what is a fault of Parley's own: the user sees one line, the log should get the stack. */
  reportError(error: unknown): void;
}

export interface RunOutcome {
  stopReason: StopReason;
  error?: UserError;
}

/**
 * One run: ask the model, run the tools it wants, again until a reply wants none. The prompt is in the history
 * already. A failing model ends the run with an error in words, an abort with `interrupted`; neither throws, and
 * the history is valid afterwards.
 */
export async function runToEnd(run: Run): Promise<RunOutcome> {
  for (let round = 1; ; round++) {
    const reply = await streamReply(run, round);
    if ("stopReason" in reply) return reply;

    const calls = toolUsesOf(reply.message.content);
    if (calls.length === 0) {
      const { stopReason } = reply.message;
      return { stopReason: stopReason === "tool_use" ? "end_turn" : stopReason };
    }
    const results = await runTools(calls, {
      tools: run.tools,
      context: {
        conversationId: run.conversationId,
        source: run.source,
        environment: run.environment,
        signal: run.signal,
      },
      clock: run.clock,
      maxParallelTools: run.settings.maxParallelTools,
      maxToolResultChars: run.settings.maxToolResultChars,
      emit: run.emit,
    });
    await run.append({
      id: run.newId(),
      role: "user",
      origin: "tool",
      source: null,
      content: results,
      createdAt: run.clock.now(),
    });
    if (run.signal.aborted) return { stopReason: "interrupted" };
  }
}

/** One request: deltas as they come, then the whole reply into the history. */
async function streamReply(run: Run, round: number): Promise<{ message: AssistantMessage } | RunOutcome> {
  const { provider, settings, signal, emit } = run;
  const messageId = run.newId();
  const model = provider.resolveModel(settings.model);
  const startedAt = run.clock.now();
  let text = "";
  let shown = false;
  let whole: AssistantMessage | null = null;
  emit({ type: "model.requested", runId: run.runId, provider: provider.id, model, round });
  try {
    for await (const event of provider.stream(requestOf(run), signal)) {
      switch (event.type) {
        case "text":
          text += event.text;
          shown = true;
          emit({ type: "text.delta", messageId, text: event.text });
          break;
        case "thinking":
          shown = true;
          emit({ type: "thinking.delta", messageId, text: event.text });
          break;
        case "retry":
          emit(event);
          break;
        case "reset":
          text = "";
          shown = false;
          emit({ type: "stream.reset", messageId });
          break;
        case "message": {
          const { message } = event;
          whole = message;
          await run.append(assistantMessage(run, messageId, message.content, message.model));
          const latencyMs = Math.max(0, run.clock.now() - startedAt);
          emit({ type: "model.responded", runId: run.runId, usage: message.usage, latencyMs });
        }
      }
    }
    if (whole) return { message: whole };
    throw new ModelError("server", "The reply ended before it was complete.", "Try again.");
  } catch (error) {
    // Aborted between the whole message and the end of its stream: the calls in it still get their results.
    if (whole) return { message: whole };
    if (signal.aborted) {
      // What was said so far stays: the user has read it, and the model should know.
      if (text.trim() !== "") {
        const partial = assistantMessage(run, messageId, [{ type: "text", text }], model);
        await run.append({ ...partial, interrupted: true });
      }
      return { stopReason: "interrupted" };
    }
    // A failed reply is void, on screen as in the history, so that a retry starts from the prompt.
    if (shown) emit({ type: "stream.reset", messageId });
    if (!(error instanceof ModelError)) run.reportError(error);
    return { stopReason: "error", error: toUserError(error) };
  }
}

function requestOf({ settings, tools, history, source, clock, environment }: Run) {
  return {
    model: settings.model,
    system: systemPrompt({
      now: clock.now(),
      platform: environment.platform,
      workingDirectory: environment.workingDirectory,
      source,
    }),
    messages: toApiMessages(history()),
    tools: toolsFor(source, tools),
    maxTokens: settings.maxTokens,
    temperature: settings.temperature,
  };
}

function assistantMessage(run: Run, id: string, content: Message["content"], model: string): Message {
  return { id, role: "assistant", origin: null, source: null, content, createdAt: run.clock.now(), model };
}

export function toUserError(error: unknown): UserError {
  if (error instanceof ModelError) return error.toUserError();
  const message = error instanceof Error ? error.message : String(error);
  return {
    code: "internal",
    message: `Something went wrong in Parley itself: ${message}`,
    hint: "Try again. If it happens again, the log says more.",
  };
}
