// @vitest-environment happy-dom
import { afterEach, beforeEach, expect, it } from "vitest";
import type { AgentEventBody } from "../../../../../../shared/conversation/events.ts";
import { startedText } from "../../../../../../shared/conversation/subagents.ts";
import type { ToolItem } from "../../../../../../shared/conversation/transcript-items.ts";
import type { AgentSteps } from "../../../../../../shared/ipc/conversation-routes.ts";
import { act } from "../../react-act.ts";
import { WindowRig } from "../../window-rig.tsx";

let rig: WindowRig;
beforeEach(async () => {
  rig = new WindowRig();
  await rig.open();
});
afterEach(() => rig.dispose());

const happen = (...bodies: AgentEventBody[]) =>
  act(async () => rig.main.push({ type: "events", events: bodies.map((body) => rig.main.emit("a", body)) }));
const call = (toolUseId: string, name: string, input: object, output?: string): AgentEventBody[] => [
  { type: "tool.started", toolUseId, name, input },
  ...(output === undefined
    ? []
    : [{ type: "tool.ended" as const, toolUseId, name, durationMs: 5, isError: false, output }]),
];
const started: AgentEventBody = {
  type: "subagent.started",
  agentId: "x",
  task: "Check every link",
  model: "m",
};
const step = (toolUseId: string, steps: number, isRunning: boolean): AgentEventBody => ({
  type: "subagent.step",
  agentId: "x",
  toolUseId,
  name: "read_file",
  ...(isRunning && { input: { path: `${toolUseId}.txt` } }),
  steps,
  isRunning,
});
const shown = (key: string): ToolItem => ({
  kind: "tool",
  key,
  name: "read_file",
  input: { path: `${key}.txt` },
  status: "done",
  output: "out",
  startedAt: 1,
  durationMs: 1,
});
const spawned = () =>
  happen(started, ...call("s", "spawn_agent", { task: "Check every link\nAll of them" }, startedText("x")));
const open = (selector: string) => rig.click(rig.one(`${selector} > button`));
const answered = (steps: AgentSteps) => act(() => rig.main.answer("conversation.agent", steps));
const asked = () => rig.main.calls.filter(({ route }) => route === "conversation.agent").length;

it("a sub-agent's line says its task, what it does now and how many steps it made", async () => {
  await spawned();
  await happen(step("one", 1, true));
  const card = rig.one('[data-testid="agent-card"]');
  expect(card.dataset.status).toBe("running");
  expect(card.textContent).toContain("Check every link All of them");
  expect(card.textContent).toContain("1 step");
  expect(rig.one('[data-testid="agent-now"]').textContent).toBe("Reading one.txt");
  await happen(step("one", 1, false), step("two", 2, true), step("two", 2, false), {
    type: "subagent.ended",
    agentId: "x",
    status: "failed",
    turns: 2,
  });
  expect(rig.all('[data-testid="agent-now"]')).toEqual([]);
  expect(card.textContent).toContain("2 steps");
  expect(card.dataset.status).toBe("failed");
  // Nobody looked at it.
  expect(asked()).toBe(0);
});

// Bug: who of several sub-agents asked was not to be seen, and its line went on as if it worked.
it("a card says which sub-agent asks, by its task, and its line that it waits", async () => {
  await spawned();
  await happen(step("one", 1, true), {
    type: "approval.requested",
    approvalId: "p",
    toolUseId: "one",
    agentId: "x",
    name: "read_file",
    effect: "read",
    detail: "one.txt",
  });
  expect(rig.one('[data-testid="approval"]').textContent).toContain(
    "A sub-agent asks, for its task: Check every link",
  );
  expect(rig.one('[data-testid="asking-agent"]').title).toContain("Check every link");
  const card = rig.one('[data-testid="agent-card"]');
  expect(card.dataset.mark).toBe("waiting");
  expect(rig.one('[data-testid="agent-now"]').textContent).toBe("Needs approval · Reading one.txt");
  await happen({ type: "approval.resolved", approvalId: "p", allowed: true });
  expect(card.dataset.mark).toBe("running");
  expect(rig.one('[data-testid="agent-now"]').textContent).toBe("Reading one.txt");
});

// Bug: a step that waited had a spinner.
it("opened it shows which step waits for the user's word", async () => {
  await spawned();
  await happen(step("one", 1, true), {
    ...{ type: "approval.requested", approvalId: "p", toolUseId: "one", agentId: "x", name: "read_file" },
    ...{ effect: "read", detail: "one.txt" },
  });
  await open('[data-testid="agent-card"]');
  const running = { status: "running", output: "", durationMs: null } as const;
  const steps = [shown("x zero"), { ...shown("x one"), ...running }, { ...shown("x two"), ...running }];
  await answered({ steps, left: 0, answer: "" });
  const marks = () =>
    rig.all('[data-testid="agent-steps"] [data-testid="tool-card"]').map(({ dataset }) => dataset.mark);
  expect(marks()).toEqual(["done", "waiting", "running"]);
  await happen({ type: "approval.resolved", approvalId: "p", allowed: true });
  expect(marks()).toEqual(["done", "running", "running"]);
});

it("opened it asks once for what it did, and again after more has happened, one request at a time", async () => {
  await spawned();
  await happen(step("one", 1, true));
  await open('[data-testid="agent-card"]');
  expect(asked()).toBe(1);
  await happen(step("two", 2, true));
  await happen(step("three", 3, true));
  expect(asked()).toBe(1);
  await answered({ steps: [shown("x one")], left: 0, answer: "" });
  expect(rig.all('[data-testid="agent-steps"] [data-testid="tool-card"]')).toHaveLength(1);
  expect(asked()).toBe(1);
  await answered({ steps: [shown("x one"), shown("x two")], left: 3, answer: "All **fine**." });
  expect(asked()).toBe(0);
  expect(rig.all('[data-testid="agent-steps"] [data-testid="tool-card"]')).toHaveLength(2);
  expect(rig.one('[data-testid="agent-inside"]').textContent).toContain("3 earlier steps are not shown.");
  expect(rig.one('[data-testid="agent-answer"] strong').textContent).toBe("fine");
});

it("what is not kept any more says so", async () => {
  await spawned();
  await open('[data-testid="agent-card"]');
  await act(() => rig.main.refuse("conversation.agent", "Gone."));
  expect(rig.one('[data-testid="agent-inside"]').textContent).toContain("not kept");
});

it("a call about a sub-agent is named by its task; one about an agent that nobody knows as before", async () => {
  await spawned();
  await happen(
    ...call("w", "wait", { agent_id: "x" }),
    ...call("i", "send_input", { agent_id: "x", message: "Faster" }, "Sent."),
    ...call("c", "close_agent", { agent_id: "x" }, "Closed."),
    ...call("u", "wait", { agent_id: "unknown" }, "…"),
  );
  const lines = rig.all('[data-testid="tool-summary"]').map((line) => line.textContent);
  expect(lines[0]).toContain("Waiting for Check every link");
  expect(lines[1]).toContain("Told Check every link: Faster");
  expect(lines[2]).toContain("Stopped Check every link");
  expect(lines[3]).toContain("Waited for a sub-agent unknown");
  await happen({
    type: "tool.ended",
    toolUseId: "w",
    name: "wait",
    durationMs: 1,
    isError: false,
    output: "",
  });
  expect(rig.all('[data-testid="tool-summary"]')[0]?.textContent).toContain("Waited for");
});

it("the list of tasks is a line and a part of the panel; a failed update is a card, an empty list takes the part away", async () => {
  const tasks = [
    { text: "One", state: "done" as const },
    { text: "Two", state: "in_progress" as const },
    { text: "Three", state: "cancelled" as const },
  ];
  await happen(
    { type: "tasks.changed", tasks },
    ...call("t", "update_tasks", { tasks }, "1 of 2 tasks done."),
  );
  expect(rig.one('[data-testid="task-line"]').textContent).toBe("Updated tasks: 1 of 2 done");
  expect(rig.one('[data-testid="tasks"] h2').textContent).toBe("Tasks 1 of 2");
  expect(
    rig.all('[data-testid="tasks"] [role="img"]').map((mark) => mark.getAttribute("aria-label")),
  ).toEqual(["Done", "In progress", "Cancelled"]);
  await happen(
    { type: "tool.started", toolUseId: "f", name: "update_tasks", input: { tasks: 5 } },
    { type: "tool.ended", toolUseId: "f", name: "update_tasks", durationMs: 1, isError: true, output: "No." },
  );
  expect(rig.one('[data-testid="tool-card"]').dataset.status).toBe("failed");
  await happen({ type: "tasks.changed", tasks: [] }, ...call("e", "update_tasks", { tasks: [] }, ""));
  expect(rig.all('[data-testid="tasks"]')).toEqual([]);
  expect(rig.all('[data-testid="task-line"]').at(-1)?.textContent).toBe("Removed the list of tasks");
});
