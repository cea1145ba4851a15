import { describe, expect, it } from "vitest";
import type { AgentEventBody } from "../../../../shared/conversation/events.ts";
import {
  type AgentView,
  agentsAfter,
  boundedInput,
  mostAgents,
  startedAgentId,
  startedText,
} from "../../../../shared/conversation/subagents.ts";

type Body = Extract<AgentEventBody, { type: `subagent.${string}` }>;

const agentsOf = (...bodies: Body[]): readonly AgentView[] =>
  bodies.reduce<readonly AgentView[]>(
    (agents, body, index) =>
      agentsAfter(agents, { ...body, id: index + 1, conversationId: "c", at: (index + 1) * 1000 }),
    [],
  );
const started = (agentId: string, more: object = {}): Body => ({
  type: "subagent.started",
  agentId,
  task: `Task of ${agentId}`,
  model: "m",
  ...more,
});
const step = (agentId: string, steps: number, isRunning: boolean, toolUseId = `t${steps}`): Body => ({
  type: "subagent.step",
  agentId,
  toolUseId,
  name: "read_file",
  ...(isRunning && { input: { path: `${steps}.txt` } }),
  steps,
  isRunning,
});
const ended = (agentId: string, status: "completed" | "failed" = "completed"): Body => ({
  type: "subagent.ended",
  agentId,
  status,
  turns: 1,
});

describe("the agents of a conversation", () => {
  it("run with the call that began last, count their calls, and end", () => {
    const [running] = agentsOf(
      started("a"),
      step("a", 1, true),
      step("a", 2, true),
      step("a", 2, false, "t1"),
    );
    expect(running).toMatchObject({ status: "running", steps: 2, current: { input: { path: "2.txt" } } });
    const [idle] = agentsOf(started("a"), step("a", 1, true), step("a", 1, false));
    expect(idle).toMatchObject({ status: "running", steps: 1, current: null });
    const [done] = agentsOf(started("a"), step("a", 1, true), ended("a", "failed"));
    expect(done).toMatchObject({ status: "failed", current: null, startedAt: 1000, endedAt: 3000 });
  });

  it("go on where one is started again, with what it had", () => {
    const agents = agentsOf(started("a"), step("a", 1, true), ended("a"), started("a"));
    expect(agents).toMatchObject([{ status: "running", steps: 1, startedAt: 1000, endedAt: null }]);
  });

  it("say whose they are; what is said of one that is not known is nothing", () => {
    expect(agentsOf(started("b", { parentId: "a" }))[0]?.parentId).toBe("a");
    expect(agentsOf(step("x", 1, true), ended("x"))).toEqual([]);
  });

  it("are bounded: the newest are kept, long tasks are cut", () => {
    const many = agentsOf(...Array.from({ length: mostAgents + 5 }, (_, place) => started(`a${place}`)));
    expect([many.length, many[0]?.agentId]).toEqual([mostAgents, "a5"]);
    expect(agentsOf(started("a", { task: "x".repeat(9000) }))[0]?.task).toHaveLength(300);
  });
});

describe("what a step was asked for", () => {
  it.each([
    [
      { path: "a.txt", limit: 5 },
      { path: "a.txt", limit: 5 },
    ],
    [{ content: "x".repeat(300) }, { content: `${"x".repeat(200)}…` }],
    [
      { tags: ["a", "b"], rows: ["x".repeat(300)] },
      { tags: ["a", "b"], rows: "…" },
    ],
    ["x".repeat(300), `${"x".repeat(200)}…`],
    [null, null],
    [7, 7],
  ])("is cut where it is long: %j", (input, bounded) => {
    expect(boundedInput(input)).toEqual(bounded);
  });

  it("has ten fields at most", () => {
    const input = Object.fromEntries(Array.from({ length: 20 }, (_, place) => [`f${place}`, place]));
    expect(Object.keys(boundedInput(input) ?? {})).toHaveLength(10);
  });
});

it("the answer of spawn_agent says whose call it was, and nothing else does", () => {
  expect(startedAgentId(startedText("01ABC"))).toBe("01ABC");
  expect(startedAgentId("spawn_agent failed: nothing was Started here. Really")).toBeNull();
});
