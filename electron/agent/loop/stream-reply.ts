import type { UserError } from "../../../shared/conversation/events.ts";
import type { ContentBlock, Message } from "../../../shared/conversation/messages.ts";
import { type AssistantMessage, ModelError, type ModelRequest } from "../ports/ports.ts";
import { priceOf } from "./budget.ts";
import type { RunContext } from "./run-context.ts";
import { noId, soundReply } from "./sound-reply.ts";
import { toUserError } from "./user-error.ts";

export type Reply =
  | { kind: "message"; messageId: string; message: AssistantMessage }
  | { kind: "interrupted" }
  /** The prompt does not fit into the model's context. */
  | { kind: "too_long"; error: UserError }
  | { kind: "failed"; error: UserError };

/** One request: deltas as they come, then the whole reply into the history. Throws only what `append` throws. */
export async function streamReply(run: RunContext, round: number, request: ModelRequest): Promise<Reply> {
  const { provider, settings, signal, emit, show } = run;
  const messageId = run.newId();
  const model = provider.resolveModel(settings.model);
  const startedAt = run.clock.now();
  let text = "";
  let thought = "";
  /** Of the attempts so far, where one was cut. */
  let longest = "";
  let shown = false;
  let thoughtFrom: number | null = null;
  let thoughtTo = 0;
  let whole: AssistantMessage | null = null;
  /** What was said so far stays: the user has read it, and the model should know. */
  const keepPartial = async (said: string) => {
    if (said.trim() === "") return false;
    // Without a signature it goes to no API: it is only to be read.
    const read: ContentBlock[] =
      thought === "" || said !== text ? [] : [{ type: "thinking", thinking: thought, signature: "" }];
    const partial = assistantMessage(run, messageId, [...read, { type: "text", text: said }], model);
    await run.append({ ...partial, interrupted: true });
    return true;
  };
  emit({ type: "model.requested", runId: run.runId, provider: provider.id, model, round });
  try {
    for await (const event of provider.stream(request, signal)) {
      switch (event.type) {
        case "text":
          // What is being held back was not said.
          if (text === "") await run.settled();
          text += event.text;
          if (text.length > longest.length) longest = text;
          shown = true;
          show({ type: "text.delta", messageId, text: event.text });
          break;
        case "thinking":
          if (thought === "") await run.settled();
          shown = true;
          thought += event.text;
          thoughtTo = run.clock.now();
          thoughtFrom ??= thoughtTo;
          emit({ type: "thinking.delta", messageId, text: event.text });
          break;
        case "retry": {
          const { skip, ...told } = event;
          emit(told);
          run.onRetryWait?.(() => {
            if (skip()) emit({ ...told, delayMs: 0 });
          });
          break;
        }
        case "reset":
          text = "";
          thought = "";
          shown = false;
          thoughtFrom = null;
          emit({ type: "stream.reset", messageId });
          break;
        case "notice":
          emit({ type: "model.notice", message: event.text });
          break;
        case "message": {
          const sound = soundReply(event.message, model);
          const message = { ...sound, content: withOwnIds(sound.content, run) };
          const latencyMs = Math.max(0, run.clock.now() - startedAt);
          run.budget.add(message.usage, priceOf(message.model, settings, provider));
          // Its calls are done next.
          await run.settled();
          await run.append({
            ...assistantMessage(run, messageId, message.content, message.model),
            usage: message.usage,
            latencyMs,
            ...(thoughtFrom !== null && { thinkingMs: Math.max(0, thoughtTo - thoughtFrom) }),
          });
          whole = message;
          emit({ type: "model.responded", runId: run.runId, usage: message.usage, latencyMs });
        }
      }
    }
    if (whole) return { kind: "message", messageId, message: whole };
    throw new ModelError("server", "The reply ended before it was complete.", "Try again.");
  } catch (error) {
    // Aborted between the whole message and the end of its stream: the calls in it still get their results.
    if (whole) return { kind: "message", messageId, message: whole };
    if (signal.aborted) {
      if (!(await keepPartial(text)) && shown) emit({ type: "stream.reset", messageId });
      return { kind: "interrupted" };
    }
    // It is asked once more: nothing may stand behind the prompt.
    const isTooLong = error instanceof ModelError && error.code === "context_length";
    if ((isTooLong || !(await keepPartial(longest))) && shown) emit({ type: "stream.reset", messageId });
    if (isTooLong) return { kind: "too_long", error: toUserError(error) };
    if (!(error instanceof ModelError)) run.reportError(error);
    return { kind: "failed", error: toUserError(error) };
  }
}

/** What the model gets: the settings' limits, the system prompt, and the history as the API takes it. */
export function requestOf({ settings, tools, context, system }: RunContext): ModelRequest {
  return {
    model: settings.model,
    system,
    messages: context.apiMessages(),
    tools,
    maxTokens: settings.maxTokens,
    temperature: settings.temperature,
    effort: settings.effort,
  };
}

/** An id that stands already is replaced: `CallIds` says why. Of a call in the history not everything may be kept. */
function withOwnIds(content: readonly ContentBlock[], run: RunContext): ContentBlock[] {
  return content.map((block) => {
    if (block.type !== "tool_use") return block;
    const isFree = block.id !== noId && !run.context.hasToolUse(block.id) && run.callIds.take(block.id);
    return isFree ? block : { ...block, id: `toolu_${run.newId()}` };
  });
}

function assistantMessage(run: RunContext, id: string, content: Message["content"], model: string): Message {
  const { effort } = run.settings;
  return {
    ...{ id, role: "assistant", origin: null, source: null, content, createdAt: run.clock.now(), model },
    ...(effort !== "default" && { effort }),
  };
}
