import type { AgentEvent } from "../../shared/conversation/events.ts";
import type { Conversation } from "../agent/conversation/conversation.ts";
import type { ForOneRun } from "../agent/conversation/inbox.ts";
import { type ExitCode, exitCodes, type PromptNews } from "../desktop/launch/prompt-output.ts";
import type { PromptRequest } from "../desktop/launch/prompt-request.ts";
import type { composeConversations } from "./conversations.ts";

type Tell = (news: PromptNews) => void;

/** Longest that a prompt waits for MCP servers that are starting: then it does without their tools, in milliseconds. */
const maxServerWaitMs = 10_000;

interface ComposePromptsOptions extends Pick<ReturnType<typeof composeConversations>, "conversations"> {
  /** Resolves when no MCP server is starting any more that a conversation in this folder has, or at the signal. */
  serversReady(folder: string | null, signal: AbortSignal): Promise<void>;
}

/** Runs prompts of the command line: what is asked there is answered by nobody, so it ends the run. */
export function composePrompts({ conversations, serversReady }: ComposePromptsOptions) {
  return async (request: PromptRequest, tell: Tell, stopped: AbortSignal): Promise<ExitCode> => {
    let ended: { code: ExitCode; said: string | null };
    try {
      // Nothing is waited for between the choice of a conversation and its prompt: what comes meanwhile could change it.
      const found = request.folder === null ? null : await conversations.findFolder(request.folder);
      await serversReady(found, AbortSignal.any([stopped, AbortSignal.timeout(maxServerWaitMs)]));
      ended = stopped.aborted
        ? { code: exitCodes.interrupted, said: null }
        : await runPrompt({ ...prepared(request, found), request, tell, stopped });
    } catch (error) {
      ended = { code: exitCodes.failed, said: error instanceof Error ? error.message : String(error) };
    }
    tell({ type: "ended", ...ended });
    return ended.code;
  };

  /** What a window shows stays what it is. */
  function prepared({ reference, level }: PromptRequest, folder: string | null) {
    const current = conversations.current();
    const conversation =
      reference === null ? conversations.beside() : conversations.start({ kind: "resume", reference });
    conversations.select(current.id);
    const forOneRun: ForOneRun = { level: level ?? undefined };
    // A new one works there from now on; one that was there before goes back to its own.
    if (folder !== null && reference === null) conversation.moveTo(folder);
    else if (folder !== null) forOneRun.folder = folder;
    return { conversation, forOneRun };
  }
}

async function runPrompt({
  conversation,
  forOneRun,
  request: { text, input },
  tell,
  stopped,
}: {
  conversation: Conversation;
  forOneRun: ForOneRun;
  request: PromptRequest;
  tell: Tell;
  stopped: AbortSignal;
}): Promise<{ code: ExitCode; said: string | null }> {
  const attachments = input.trim() === "" ? [] : [{ from: "standard input", text: input }];
  const { inputId, events } = conversation.submit({
    ...{ text, origin: "typed", source: null, attachments },
    forOneRun,
  });
  if (inputId === null) return { code: exitCodes.usage, said: "There is nothing to send." };
  let isRunning = false;
  let needs: string | null = null;
  let ended: { code: ExitCode; said: string | null } | null = null;
  const stop = () => {
    if (isRunning) conversation.abort();
    else conversation.dropInput(inputId);
  };
  stopped.addEventListener("abort", stop);
  try {
    for await (const event of events) {
      if (event.type === "run.started" && event.inputId === inputId) isRunning = true;
      // What the run before it says is no answer to it.
      if (isRunning || inputIn(event) === inputId) tell({ type: "event", event });
      // Held by a stop, it would wait for somebody at the window to send it.
      if (event.type === "input.queued" && event.input.inputId === inputId && event.input.isHeld) stop();
      // Before it, another run may go on in the same conversation, which somebody at the window answers.
      if (!isRunning) continue;
      const question: string | null = questionIn(event);
      if (question !== null && needs === null) {
        needs = question;
        conversation.abort();
      }
      if (event.type === "run.ended") ended = endOf(event, needs);
    }
  } finally {
    stopped.removeEventListener("abort", stop);
  }
  return ended ?? { code: exitCodes.interrupted, said: "The prompt was removed before it ran." };
}

/** The prompt that waits, which the event is about. */
function inputIn(event: AgentEvent): string | null {
  if (event.type === "input.queued") return event.input.inputId;
  return event.type === "followup.received" || event.type === "input.dropped" ? event.inputId : null;
}

function questionIn(event: AgentEvent): string | null {
  if (event.type === "approval.requested") return `${event.name} needs your approval: ${event.detail}`;
  if (event.type === "question.asked") return `The model asks: ${event.question}`;
  return null;
}

function endOf(
  { stopReason, error }: Extract<AgentEvent, { type: "run.ended" }>,
  needs: string | null,
): { code: ExitCode; said: string | null } {
  if (needs !== null) return { code: exitCodes.needsApproval, said: needs };
  if (stopReason === "end_turn") return { code: exitCodes.done, said: null };
  if (stopReason === "interrupted") return { code: exitCodes.interrupted, said: "Interrupted." };
  const why = error ? `${error.message}${error.hint ? ` ${error.hint}` : ""}` : reasons[stopReason];
  return { code: exitCodes.failed, said: why ?? stopReason };
}

const reasons: Readonly<Record<string, string>> = {
  budget_exceeded: "The budget of the conversation is used up.",
  loop_detected: "The model repeated itself.",
  too_many_deletions: "A command deleted too many files.",
  max_turns: "The run reached the limit of rounds or replies in the settings.",
  max_tokens: "The reply reached its length limit.",
  refusal: "The model declined to answer.",
};
