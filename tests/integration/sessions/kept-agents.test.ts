import { describe, expect, test } from "vitest";
import { z } from "zod";
import { systemClock } from "../../../electron/agent/conversation/system-clock.ts";
import type { Subagents, Tool } from "../../../electron/agent/ports/ports.ts";
import { openMemoryStore } from "../../../electron/store/memory-store.ts";
import { gatedTool } from "../../fakes/gated-tool.ts";
import { eventsOf, ofType, replyIn, rigForEachTest, typed } from "../agent/agent-rig.ts";

const makeRig = rigForEachTest();
const marker = (name: string, args: object = {}) => `[[script:${name} ${JSON.stringify(args)}]]`;

/** A conversation whose one call works with sub-agents. */
async function withAgents(work: (agents: Subagents) => Promise<string>, tools: readonly Tool[] = []) {
  const agents: Tool = {
    name: "agents",
    description: "Works with agents.",
    input: z.object({}),
    effect: "read",
    run: async (_, { subagents }) => ({ text: await work(subagents) }),
  };
  const store = openMemoryStore(() => {});
  const settings = { loopDetection: "off" } as const;
  const rig = await makeRig({ clock: systemClock, store, settings, tools: [agents, ...tools] });
  const conversation = rig.conversations.create();
  const events = eventsOf(conversation.submit(typed(marker("tools", { calls: [{ name: "agents" }] }))));
  return { rig, conversation, store, events };
}

const long = "x".repeat(5000);
const writer: Tool = {
  name: "writer",
  description: "Writes much.",
  input: z.object({ text: z.string().optional() }),
  effect: "read",
  run: async () => ({ text: long }),
};

describe("what a sub-agent does", () => {
  test("is told call by call, cut, and is in the view; its steps and its answer can be had", async () => {
    let agentId = "";
    const calls = [{ name: "writer", input: { text: long } }, { name: "nobody" }];
    const { conversation, events } = await withAgents(
      async (agents) => {
        agentId = agents.spawn(`Write ${marker("tools", { calls })}`, { model: "haiku" });
        return (await agents.wait(agentId, 10_000)).status;
      },
      [writer],
    );
    const told = await events;
    expect(replyIn(told)).toBe("Results: completed");
    const steps = ofType(told, "subagent.step");
    expect(steps.map(({ name, steps, isRunning }) => [name, steps, isRunning])).toEqual([
      ["writer", 1, true],
      ["nobody", 2, true],
      ["nobody", 2, false],
      ["writer", 2, false],
    ]);
    expect(JSON.stringify(steps).length).toBeLessThan(2000);
    expect(conversation.view().agents).toMatchObject([
      { agentId, status: "completed", steps: 2, current: null, model: "claude-haiku-5-5" },
    ]);
    const found = conversation.agentSteps(agentId);
    expect(found.left).toBe(0);
    expect(found.answer).toContain("Results: xxx");
    expect(found.steps).toMatchObject([
      { name: "writer", status: "done" },
      { name: "nobody", status: "failed" },
    ]);
    expect(JSON.stringify(found.steps).length).toBeLessThan(4000);
  });

  test("is there after a restart: who answered, who did not, how many steps", async () => {
    const ids: string[] = [];
    const { conversation, events, store } = await withAgents(
      async (agents) => {
        ids.push(agents.spawn(`Write ${marker("loop", { rounds: 3, calls: [{ name: "writer" }] })}`));
        ids.push(
          agents.spawn(`Write ${marker("loop", { rounds: 9, calls: [{ name: "writer" }] })}`, {
            maxTurns: 2,
          }),
        );
        for (const id of ids) await agents.wait(id, 10_000);
        return "done";
      },
      [writer],
    );
    await events;
    const before = conversation.view().agents;
    const again = await makeRig({ store });
    const opened = again.conversations.open(conversation.id);
    const facts = (agents = before) =>
      agents?.map(({ agentId, status, steps }) => ({ agentId, status, steps }));
    expect(facts(opened.view().agents)).toEqual(facts());
    expect(facts()).toEqual([
      { agentId: ids[0], status: "completed", steps: 3 },
      { agentId: ids[1], status: "failed", steps: 2 },
    ]);
    expect(opened.agentSteps(ids[0] ?? "").steps).toHaveLength(3);
    expect(opened.agentSteps(ids[0] ?? "").answer).toBe("Done after 3 rounds.");
  });

  test("is running again where one that had ended is given more to do; a call under way is running", async () => {
    const slow = gatedTool("slow");
    const { conversation, events } = await withAgents(
      async (agents) => {
        const id = agents.spawn("Count the sheep");
        await agents.wait(id, 10_000);
        const first = conversationOf().view().agents?.[0]?.status;
        agents.sendInput(id, `And the goats ${marker("tools", { calls: [{ name: "slow" }] })}`);
        await slow.started;
        const { agents: known } = conversationOf().view();
        const { steps, answer } = conversationOf().agentSteps(id);
        slow.release();
        await agents.wait(id, 10_000);
        return [first, known?.[0]?.status, known?.[0]?.current?.name, steps[0]?.status, answer].join();
      },
      [slow],
    );
    function conversationOf() {
      return conversation;
    }
    expect(replyIn(await events)).toBe("Results: completed,running,slow,running,");
    expect(conversation.view().agents).toMatchObject([{ status: "completed", steps: 1 }]);
  });

  test("is cut at 200 steps, the earlier ones are counted; what is no agent of the conversation is refused", async () => {
    let agentId = "";
    const calls = Array.from({ length: 70 }, () => ({ name: "writer" }));
    const { conversation, events, rig } = await withAgents(
      async (agents) => {
        agentId = agents.spawn(`Write ${marker("loop", { rounds: 3, calls })}`);
        return (await agents.wait(agentId, 60_000)).status;
      },
      [writer],
    );
    expect(replyIn(await events)).toBe("Results: completed");
    const { steps, left } = conversation.agentSteps(agentId);
    expect([steps.length, left]).toEqual([200, 10]);
    expect(conversation.view().agents?.[0]?.steps).toBe(210);
    expect(() => conversation.agentSteps("nobody")).toThrow("not kept");
    expect(() => rig.conversations.create().agentSteps(agentId)).toThrow("not kept");
  });
});
