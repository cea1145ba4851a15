import fc from "fast-check";
import { expect, test } from "vitest";
import type { AgentEventBody } from "../../../../shared/conversation/events.ts";
import type { ContentBlock, Message } from "../../../../shared/conversation/messages.ts";
import { type CallFacts, itemsOfHistory } from "../../../../shared/conversation/stored-transcript.ts";
import { applyEvent, emptyView, type TranscriptItem } from "../../../../shared/conversation/transcript.ts";

/** What a window that watched it all shows. */
function replayed(messages: readonly Message[], calls: ReadonlyMap<string, CallFacts>): TranscriptItem[] {
  let view = emptyView("c", "A conversation");
  const apply = (body: AgentEventBody, at: number) => {
    view = applyEvent(view, { ...body, id: view.lastEventId + 1, conversationId: "c", at });
  };
  const blocks = messages.flatMap(({ content }) => content);
  for (const message of messages) {
    const at = message.createdAt;
    apply({ type: "message.added", message }, at);
    for (const call of message.content) {
      if (call.type !== "tool_use") continue;
      const { id: toolUseId, name, input } = call;
      const result = blocks.find((block) => block.type === "tool_result" && block.tool_use_id === toolUseId);
      const [isError, output] =
        result?.type === "tool_result" ? [result.is_error ?? false, result.content] : [true, "Interrupted."];
      apply({ type: "tool.started", toolUseId, name, input }, at);
      const { durationMs = 0, diff } = calls.get(toolUseId) ?? {};
      apply({ type: "tool.ended", toolUseId, name, durationMs, isError, output, diff }, at);
    }
  }
  return view.items;
}

const text = fc.record({
  type: fc.constant("text" as const),
  text: fc.constantFrom("", "Hello", "a\nb"),
  continues: fc.option(fc.boolean(), { nil: undefined }),
});
const thinking = fc.constant({ type: "thinking", thinking: "hm", signature: "s" } as const);
const call = fc.constantFrom("read_file", "shell").map((name) => ({ type: "tool_use", name }) as const);
const origin = fc.constantFrom("typed", "voice", "quick", "steering", "system", "summary", null);

const turn = fc.record({
  origin,
  said: fc.array(text, { maxLength: 3 }),
  reply: fc.array(fc.oneof(text, thinking, call), { maxLength: 4 }),
  interrupted: fc.option(fc.boolean(), { nil: undefined }),
  answers: fc.array(fc.constantFrom("ok", "failed", "lost"), { minLength: 4, maxLength: 4 }),
});

const history = fc.array(turn, { maxLength: 8 }).map((turns) => {
  let ids = 0;
  const calls = new Map<string, CallFacts>();
  const messages = turns.flatMap(({ origin, said, reply, interrupted, answers }): Message[] => {
    const head = () => ({ id: `m${++ids}`, source: null, createdAt: 1000 * ids });
    const content = reply.map(
      (block): ContentBlock =>
        block.type === "tool_use" ? { ...block, id: `t${++ids}`, input: { path: `${ids}` } } : block,
    );
    const results = content.flatMap((block, place): ContentBlock[] => {
      const answer = answers[place];
      if (block.type !== "tool_use" || answer === "lost") return [];
      const diff = `--- a\n+++ b${place}`;
      if (answer === "ok") calls.set(block.id, { durationMs: 7 * place, ...(place > 1 && { diff }) });
      const failed = answer === "failed" && { is_error: true };
      return [{ type: "tool_result", tool_use_id: block.id, content: `result of ${block.id}`, ...failed }];
    });
    const marked = interrupted === undefined ? {} : { interrupted };
    return [
      { ...head(), role: "user", origin, content: said },
      { ...head(), role: "assistant", origin: null, content, ...marked },
      { ...head(), role: "user", origin: "tool", content: results },
    ];
  });
  return { messages, calls };
});

test("a conversation that is opened again looks as it did when it was left", () => {
  fc.assert(
    fc.property(history, ({ messages, calls }) => {
      expect(itemsOfHistory(messages, calls)).toEqual(replayed(messages, calls));
    }),
  );
});
