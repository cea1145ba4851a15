import { textOf } from "../../../../shared/conversation/messages.ts";
import { itemsOfHistory } from "../../../../shared/conversation/stored-transcript.ts";
import {
  type AgentView,
  boundedInput,
  mostAgents,
  mostSteps,
} from "../../../../shared/conversation/subagents.ts";
import type { ToolItem } from "../../../../shared/conversation/transcript-items.ts";
import type { AgentSteps } from "../../../../shared/ipc/conversation-routes.ts";
import { toolUsesOf } from "../../context/history.ts";
import { headOf } from "../../loop/text-ends.ts";
import type { SessionStore } from "../../ports/session-store.ts";

/** Of a step's output so much is shown below its line, in UTF-16 units. */
const maxOutputChars = 2000;
const maxAnswerChars = 50_000;

/** The sub-agents of a conversation where none is running, as its view has them. @throws StoreError */
export function keptAgents(store: SessionStore, conversationId: string): AgentView[] {
  return store.loadSubagents(conversationId, mostAgents).map((kept) => ({
    agentId: kept.id,
    ...(kept.parentId !== conversationId && { parentId: kept.parentId }),
    task: kept.title,
    model: kept.model,
    status: kept.hasAnswered ? "completed" : "failed",
    steps: kept.steps,
    current: null,
    startedAt: kept.createdAt,
    endedAt: kept.updatedAt,
  }));
}

/**
 * What a sub-agent of a conversation did and said so far: its newest calls, and its last words.
 * @param isRunning whether a call without a result goes on @throws Error where the conversation has no such agent @throws StoreError
 */
export function agentSteps(
  store: SessionStore,
  { conversationId, agentId, isRunning }: { conversationId: string; agentId: string; isRunning: boolean },
): AgentSteps {
  if (!isBelow(store, conversationId, agentId)) throw new Error("What this sub-agent did is not kept.");
  // A reply and its results are two messages, and most replies ask for a call or more.
  const { messages } = store.loadPage(agentId, { limit: mostSteps * 2 });
  const calls = new Map(
    messages
      .flatMap(({ content }) => toolUsesOf(content))
      .map(({ id }) => [id, store.loadToolCall(agentId, id)] as const),
  );
  const kept = new Map([...calls].flatMap(([id, call]) => (call ? [[id, call] as const] : [])));
  const steps = itemsOfHistory(messages, kept)
    .filter((item) => item.kind === "tool")
    .slice(-mostSteps)
    .map((item): ToolItem => {
      const call = calls.get(item.key);
      const input = boundedInput(item.input);
      // Among the calls of its parent: some servers count them anew.
      const key = `${agentId} ${item.key}`;
      if (!call && isRunning) return { ...item, key, input, status: "running", output: "", durationMs: null };
      // A call that has ended while others of its reply go on.
      const ended = call
        ? ({ status: call.isError ? "failed" : "done", output: call.output } as const)
        : item;
      return { ...item, ...ended, key, input, output: bounded(ended.output, maxOutputChars) };
    });
  const begun = store.toolCallIds(agentId).length + steps.filter(({ status }) => status === "running").length;
  const last = messages.findLast(({ role }) => role === "assistant");
  const answer = isRunning ? "" : bounded(textOf(last?.content ?? []), maxAnswerChars);
  return { steps, left: Math.max(0, begun - steps.length), answer };
}

/** Agents of agents are few levels deep. */
export function isBelow(store: SessionStore, conversationId: string, agentId: string): boolean {
  let parent = store.loadConversation(agentId)?.parentId;
  while (parent !== undefined && parent !== conversationId) parent = store.loadConversation(parent)?.parentId;
  return parent === conversationId;
}

const bounded = (text: string, most: number): string =>
  text.length <= most ? text : `${headOf(text, most)}…`;
