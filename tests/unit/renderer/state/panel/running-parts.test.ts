import { expect, test } from "vitest";
import { runningParts } from "../../../../../renderer/state/panel/running-parts.ts";
import { applyEvent, emptyView } from "../../../../../shared/conversation/transcript.ts";

// Bug: a command that had waited for the user's yes was said to have run all that time.
test("the time that the user took for a yes is not the command's", () => {
  let view = emptyView("a", "a");
  const happen = (at: number, body: object) => {
    view = applyEvent(
      view,
      Object.assign({ id: view.lastEventId + 1, conversationId: "a", at }, body) as never,
    );
  };
  happen(1000, { type: "tool.started", toolUseId: "t1", name: "shell", input: { command: "make" } });
  for (const [approvalId, from, to] of [
    ["a1", 1500, 61_500],
    ["a2", 62_000, 63_000],
  ] as const) {
    const asked = { approvalId, toolUseId: "t1", name: "shell", effect: "execute", detail: "make" };
    happen(from, { type: "approval.requested", ...asked });
    happen(to, { type: "approval.resolved", approvalId, allowed: true });
  }
  expect(runningParts(view)).toMatchObject([{ toolUseId: "t1", since: 1000 + 60_000 + 1000 }]);
});

test("a command that waits for the user's word, or has ended, does not run; other tools are no commands", () => {
  let view = emptyView("a", "a");
  const happen = (body: object) => {
    view = applyEvent(
      view,
      Object.assign({ id: view.lastEventId + 1, conversationId: "a", at: 5 }, body) as never,
    );
  };
  const started = (toolUseId: string, name: string) =>
    happen({ type: "tool.started", toolUseId, name, input: { command: `run ${toolUseId}` } });
  started("t1", "shell");
  started("t2", "shell");
  started("t3", "read_file");
  happen({
    ...{ type: "approval.requested", approvalId: "a2", toolUseId: "t2", name: "shell" },
    ...{ effect: "execute", detail: "run t2" },
  });
  happen({ type: "subagent.started", agentId: "s", task: "Look", model: "m" });
  expect(runningParts(view)).toEqual([
    { kind: "agent", agent: expect.objectContaining({ agentId: "s" }) },
    { kind: "command", toolUseId: "t1", command: "run t1", since: 5 },
  ]);
  happen({ type: "tool.ended", toolUseId: "t1", name: "shell", durationMs: 1, isError: false, output: "" });
  happen({ type: "subagent.ended", agentId: "s", status: "completed", turns: 1 });
  expect(runningParts(view)).toEqual([]);
});
