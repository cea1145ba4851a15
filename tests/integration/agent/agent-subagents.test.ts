import { once } from "node:events";
import { mkdtempSync, rmSync } from "node:fs";
import { mkdir, readFile, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { describe, expect, onTestFinished, test } from "vitest";
import { z } from "zod";
import { systemClock } from "../../../electron/agent/conversation/system-clock.ts";
import {
  type Permissions,
  type Provider,
  StoreError,
  type Subagents,
  type Tool,
} from "../../../electron/agent/ports/ports.ts";
import type { SessionStore } from "../../../electron/agent/ports/session-store.ts";
import { openMemoryStore } from "../../../electron/store/memory-store.ts";
import { openSqliteStore } from "../../../electron/store/sqlite-store.ts";
import { gatedTool } from "../../fakes/gated-tool.ts";
import { eventsOf, nextEvent, ofType, type RigOptions, replyIn, rigForEachTest, typed } from "./agent-rig.ts";

const fail = (error: unknown): never => {
  throw error;
};
const makeRig = rigForEachTest();
const marker = (name: string, args: object = {}) => `[[script:${name} ${JSON.stringify(args)}]]`;

/** Runs a conversation whose one call is `work` on the sub-agents of its run. @returns what the model was told */
async function withSubagents(
  work: (agents: Subagents) => Promise<string>,
  options: RigOptions = {},
  usage?: object,
) {
  const agents: Tool = {
    name: "agents",
    description: "Works with agents.",
    input: z.object({}),
    effect: "read",
    run: async (_, { subagents }) => ({ text: await work(subagents) }),
  };
  const rig = await makeRig({ clock: systemClock, ...options, tools: [agents, ...(options.tools ?? [])] });
  const conversation = rig.conversations.create();
  const submission = conversation.submit(typed(marker("tools", { calls: [{ name: "agents" }], usage })));
  return { rig, conversation, submission, told: async () => replyIn(await eventsOf(submission)) };
}
const report = async (agents: Subagents, id: string) => {
  const { status, output, turns } = await agents.wait(id, 10_000);
  return `${status} after ${turns}: ${output}`;
};

describe("a sub-agent", () => {
  // Bug: it counted as running for ever, and the rejection that nobody caught ended Parley.
  test("whose system prompt cannot be made has failed, and says why", async () => {
    const provider = (real: Provider): Provider => {
      const modelFacts = real.modelFacts.bind(real);
      return Object.assign(real, {
        modelFacts(model: string) {
          if (model === "broken") throw new Error("there are no facts");
          return modelFacts(model);
        },
      });
    };
    const spawned = async (agents: Subagents) =>
      await report(agents, agents.spawn("Count the sheep", { model: "broken" }));
    const { told, rig } = await withSubagents(spawned, { provider });
    expect(await told()).toContain(
      "failed after 0: [Incomplete: Something went wrong in Parley: there are no facts",
    );
    expect(rig.faults.splice(0)).toHaveLength(1);
  });

  test("has a history of its own, reports its last words, and goes on with new input", async () => {
    const { told, rig, conversation } = await withSubagents(async (agents) => {
      const id = agents.spawn("Count the sheep");
      const first = await report(agents, id);
      agents.sendInput(id, "And the goats");
      return `${first}; ${await report(agents, id)}`;
    });
    expect(await told()).toBe(
      "Results: completed after 1: Count the sheep; completed after 2: And the goats",
    );
    const [, first, second] = rig.server.requests;
    expect(first?.body.messages).toHaveLength(1);
    expect(second?.body.messages.map(({ role }) => role)).toEqual(["user", "assistant", "user"]);
    expect(JSON.stringify(first?.body.system)).toContain("another agent started you");
    // The conversation holds and shows what its own run said, nothing else.
    expect(conversation.history.map(({ role }) => role)).toEqual(["user", "assistant", "user", "assistant"]);
    expect(ofType(rig.logged, "model.requested")).toHaveLength(2);
  });

  test("works in the folder and with the model that it is given; rules see where its paths lead", async () => {
    const decided: { name: string; input: unknown }[] = [];
    const permissions: Permissions = {
      decide: ({ tool, input }) => {
        decided.push({ name: tool.name, input });
        return { verdict: "allow" };
      },
    };
    const calls = [
      { name: "read_file", input: { path: "a.txt" } },
      { name: "read_file", input: { path: "../../a.txt" } },
      { name: "shell", input: { command: "basename $PWD" } },
      { name: "glob", input: { pattern: "*.txt" } },
      { name: "grep", input: { pattern: "package" } },
      { name: "write_file", input: { path: "new/b.txt", content: "b\n" } },
      { name: "read_file", input: { path: "../../../../etc/passwd" } },
    ];
    const task = `Look ${marker("tools", { calls })}`;
    const { rig, submission } = await withSubagents(
      async (agents) => {
        const { folder } = rig;
        await mkdir(join(folder, "packages/app"), { recursive: true });
        await writeFile(join(folder, "packages/app/a.txt"), "in the package\n");
        await writeFile(join(folder, "a.txt"), "above\n");
        return await report(agents, agents.spawn(task, { folder: "packages/app", model: "haiku" }));
      },
      { permissions },
    );
    const events = await eventsOf(submission);
    const said = replyIn(events);
    expect(said).toContain("     1→in the package");
    expect(said).toContain("     1→above");
    expect(said).toContain("app\n[exit code 0]");
    // As the agent would name them.
    expect(said).toContain("| a.txt |");
    expect(said).toContain("| a.txt:1:in the package |");
    expect(said).toContain("outside the working folder");
    expect(await readFile(join(rig.folder, "packages/app/new/b.txt"), "utf8")).toBe("b\n");
    expect(decided).toContainEqual({
      name: "write_file",
      input: { path: "packages/app/new/b.txt", content: "b\n" },
    });
    expect(decided).toContainEqual({
      name: "shell",
      input: { command: "basename $PWD", working_directory: "packages/app" },
    });
    const own = rig.server.requests.filter(({ body }) => body.model === "claude-haiku-5-5");
    expect(own).toHaveLength(2);
    const system = JSON.stringify(own[0]?.body.system);
    expect(system).toContain("Your folder: packages/app");
    expect(system).toContain("- Model: claude-haiku-5-5");
    const [begun] = ofType(events, "subagent.started");
    expect(begun).toMatchObject({ model: "claude-haiku-5-5" });
    expect(ofType(events, "subagent.ended")).toMatchObject([
      { agentId: begun?.agentId, status: "completed", turns: 2 },
    ]);
  });

  test("is not started in what is no folder of the working folder", async () => {
    const rig = await makeRig({ clock: systemClock });
    await writeFile(join(rig.folder, "file"), "");
    const calls = ["file", "missing", "../.."].map((working_dir) => ({
      name: "spawn_agent",
      input: { task: "Look", working_dir },
    }));
    const said = replyIn(
      await eventsOf(rig.conversations.create().submit(typed(marker("tools", { calls })))),
    );
    expect(said).toContain("file is not a folder");
    expect(said).toContain("missing: there is no such file");
    expect(said).toContain("outside the working folder");
    expect(rig.server.requests).toHaveLength(2);
  });

  // Bug: it was started, and failed at its first request, long after the call that named the model.
  test("is not started with a model that the provider does not have: the error says which it has", async () => {
    const rig = await makeRig({ clock: systemClock });
    rig.server.offers(["claude-one", "claude-two"]);
    const calls = ["claude-two", "claude-unheard-of"].map((model) => ({
      name: "spawn_agent",
      input: { task: "Look", model },
    }));
    const said = replyIn(
      await eventsOf(rig.conversations.create().submit(typed(marker("tools", { calls })))),
    );
    expect(said).toContain('The provider has no model "claude-unheard-of". It has: claude-one, claude-two.');
    expect(said).not.toContain('no model "claude-two"');
  });

  test("is not offered the tools for agents at the depth limit, and cannot start one there", async () => {
    let inner = "";
    const nested: Tool = {
      name: "nested",
      description: "Tries to start an agent.",
      input: z.object({}),
      effect: "read",
      async run(_, { subagents }) {
        inner = subagents.spawn("deeper");
        return { text: inner };
      },
    };
    const task = `Nest ${marker("tools", { calls: [{ name: "nested" }] })}`;
    const { told, rig } = await withSubagents(async (agents) => await report(agents, agents.spawn(task)), {
      tools: [nested],
    });
    expect(await told()).toContain("nested failed: Agents may not start agents below level 1");
    const offered = (index: number) => rig.server.requests[index]?.body.tools?.map(({ name }) => name) ?? [];
    expect(offered(0)).toContain("spawn_agent");
    for (const name of ["spawn_agent", "send_input", "wait", "close_agent"])
      expect(offered(1)).not.toContain(name);
    expect(offered(1)).toContain("read_file");
    expect(inner).toBe("");
  });

  test("with maxSubagentDepth 0 none of the four tools is offered", async () => {
    const rig = await makeRig({ settings: { maxSubagentDepth: 0 } });
    await eventsOf(rig.conversations.create().submit(typed("Hello")));
    expect(rig.server.requests[0]?.body.tools?.map(({ name }) => name)).not.toContain("spawn_agent");
  });

  test("that is stuck is reported as failed, with why", async () => {
    const task = `Loop ${marker("loop", { rounds: 99, say: "Once more.", calls: [{ name: "current_time" }] })}`;
    const { told } = await withSubagents(async (agents) => await report(agents, agents.spawn(task)));
    expect(await told()).toMatch(/failed after 5: Once more\.\s+\[Incomplete: it was stuck/);
  });

  test("stops at its own limit of turns, and one whose model fails is reported so", async () => {
    const loop = `Loop ${marker("loop", { rounds: 9, calls: [{ name: "current_time" }] })}`;
    const broken = `Break ${marker("status", { code: 401, times: -1 })}`;
    const { told } = await withSubagents(async (agents) => {
      const limited = await report(agents, agents.spawn(loop, { maxTurns: 2 }));
      return `${limited} | ${await report(agents, agents.spawn(broken))}`;
    });
    expect(await told()).toMatch(
      /failed after 2: \[Incomplete: it reached its limit.*\| failed after 0: \[Incomplete/s,
    );
  });

  test("is waited for no longer than asked; input steers one that runs; close ends it and it is gone", async () => {
    const slow = gatedTool("slow");
    const { told, rig } = await withSubagents(
      async (agents) => {
        const id = agents.spawn(`Work ${marker("tools", { calls: [{ name: "slow" }] })}`);
        await slow.started;
        const { status } = await agents.wait(id, 1);
        agents.sendInput(id, "Hurry");
        slow.release();
        const done = await report(agents, id);
        await agents.close(id);
        await agents.wait(id, 1).catch((error: Error) => {
          throw new Error(`${status} / ${done} / ${error.message}`);
        });
        return "unreachable";
      },
      { tools: [slow] },
    );
    expect(await told()).toMatch(/running \/ completed after 2: Hurry \/ There is no agent/);
    expect(rig.faults).toEqual([]);
  });

  test("asks in the conversation of its parent", async () => {
    const change: Tool = {
      name: "change",
      description: "Changes.",
      input: z.object({}),
      effect: "write",
      run: async () => ({ text: "changed" }),
    };
    const permissions: Permissions = {
      decide: ({ tool }) =>
        tool.name === "change" ? { verdict: "ask", detail: "Change it" } : { verdict: "allow" },
    };
    const task = `Do ${marker("tools", { calls: [{ name: "change" }] })}`;
    const { told, conversation } = await withSubagents(
      async (agents) => await report(agents, agents.spawn(task)),
      { permissions, tools: [change] },
    );
    const asked = await nextEvent(conversation, ({ type }) => type === "approval.requested");
    expect(conversation.state).toBe("awaiting_input");
    expect(asked).toMatchObject({ agentId: conversation.view().agents?.[0]?.agentId });
    if (asked.type === "approval.requested") conversation.answerApproval(asked.approvalId, true);
    expect(await told()).toContain("Results: changed");
  });

  test("ends with its parent's run: by an abort, and when the parent has nothing more to say", async () => {
    const slow = gatedTool("slow");
    const task = `Work ${marker("tools", { calls: [{ name: "slow" }] })}`;
    const { submission, conversation, rig } = await withSubagents(
      async (agents) => {
        const id = agents.spawn(task);
        return await report(agents, id);
      },
      { tools: [slow], clock: systemClock },
    );
    await slow.started;
    conversation.abort();
    slow.release();
    const events = await eventsOf(submission);
    expect(ofType(events, "run.ended")[0]?.stopReason).toBe("interrupted");
    const requests = rig.server.requests.length;
    expect(replyIn(await eventsOf(conversation.submit(typed("Next"))))).toBe("Next");
    expect(rig.server.requests).toHaveLength(requests + 1);
  });

  test("has ended when it was closed, and when its parent's run has", async () => {
    const steps: string[] = [];
    let begin = () => {};
    const bothBegun = new Promise<void>((resolve) => {
      begin = resolve;
    });
    // Takes some steps to end.
    const lingering: Tool = {
      ...gatedTool("lingering"),
      async run(_, { signal }) {
        steps.push("begun");
        if (steps.length === 2) begin();
        if (!signal.aborted) await once(signal, "abort");
        for (let step = 0; step < 5; step++) await new Promise((resolve) => setImmediate(resolve));
        steps.push("ended");
        return { text: "" };
      },
    };
    const task = `Work ${marker("tools", { calls: [{ name: "lingering" }] })}`;
    const { submission } = await withSubagents(
      async (agents) => {
        const [closed] = [agents.spawn(task), agents.spawn(task)];
        await bothBegun;
        await agents.close(closed);
        steps.push("closed");
        return "";
      },
      { tools: [lingering] },
    );
    const events = await eventsOf(submission);
    expect(steps).toEqual(["begun", "begun", "ended", "closed", "ended"]);
    expect(ofType(events, "subagent.ended")).toHaveLength(2);
  });

  test("is interrupted at once with its parent, not after it", async () => {
    let begun = () => {};
    const started = new Promise<void>((resolve) => {
      begun = resolve;
    });
    let interrupted = false;
    const listening: Tool = {
      name: "listening",
      description: "Waits for its signal.",
      input: z.object({}),
      effect: "read",
      async run(_, { signal }) {
        await new Promise<void>((resolve) => {
          signal.addEventListener("abort", () => resolve(), { once: true });
          begun();
        });
        return { text: "" };
      },
    };
    const watched: Tool = {
      ...listening,
      async run(input, context) {
        context.signal.addEventListener("abort", () => {
          interrupted = true;
        });
        return await listening.run(input, context);
      },
    };
    const task = `Work ${marker("tools", { calls: [{ name: "listening" }] })}`;
    const { submission, conversation } = await withSubagents(
      async (agents) => await report(agents, agents.spawn(task)),
      { tools: [watched] },
    );
    await started;
    conversation.abort();
    expect(interrupted).toBe(true);
    await eventsOf(submission);
  });

  test("spends from the budget of the conversation", async () => {
    const task = `Talk ${marker("text", { usage: { input: 900, cacheRead: 0, cacheWrite: 0 } })}`;
    const { submission } = await withSubagents(async (agents) => await report(agents, agents.spawn(task)), {
      settings: { maxSessionTokens: 900 },
    });
    const events = await eventsOf(submission);
    expect(ofType(events, "budget.warning")).toHaveLength(1);
    expect(ofType(events, "run.ended")[0]?.stopReason).toBe("budget_exceeded");
  });

  test("is kept as a conversation of its own, below that of its parent, and not in the list", async () => {
    const folder = mkdtempSync(join(tmpdir(), "parley-subagents-"));
    const store = openSqliteStore(join(folder, "parley.db"), (error) => {
      throw error;
    });
    // After the rig that writes to it.
    onTestFinished(() => {
      store.close();
      rmSync(folder, { recursive: true });
    });
    const long = Array.from({ length: 500 }, (_, line) => `line ${line + 1}`).join("\n");
    const writer: Tool = {
      name: "writer",
      description: "Writes much.",
      input: z.object({}),
      effect: "read",
      run: async () => ({ text: long }),
    };
    let agentId = "";
    let written = "";
    const task = `Write ${marker("tools", { calls: [{ name: "writer" }] })}`;
    const { told, rig, conversation } = await withSubagents(
      async (agents) => {
        agentId = agents.spawn(task);
        await report(agents, agentId);
        [written = ""] = store.toolCallIds(agentId);
        const read = { name: "read_tool_output", input: { tool_use_id: written, offset: 249, limit: 2 } };
        agents.sendInput(agentId, `Read on ${marker("tools", { calls: [read] })}`);
        return await report(agents, agentId);
      },
      { store, tools: [writer], settings: { maxToolResultChars: 1000 } },
    );
    expect(await told()).toContain("line 249\nline 250\n[lines 249–250 of 500");

    expect(store.loadConversation(agentId)).toMatchObject({ parentId: conversation.id, model: "opus" });
    expect(store.loadConversation(agentId)?.title).toContain("Write");
    expect(rig.conversations.list().sessions.map(({ conversationId }) => conversationId)).toEqual([
      conversation.id,
    ]);
    const kept = store.loadMessages(agentId);
    expect(kept.map(({ origin }) => origin)).toEqual([
      "typed",
      null,
      "tool",
      null,
      "typed",
      null,
      "tool",
      null,
    ]);
    expect(kept.map(({ usage }) => usage !== undefined)).toEqual(
      kept.map(({ role }) => role === "assistant"),
    );
    expect(store.loadToolCall(agentId, written)).toMatchObject({ output: long, wasTruncated: true });
    const [own = ""] = store.toolCallIds(conversation.id);
    expect(store.loadToolCall(conversation.id, own)).toMatchObject({ name: "agents" });
    // The server counts anew for each.
    expect(new Set([...store.toolCallIds(agentId), own]).size).toBe(3);
  });

  test("counts in the budget of its conversation after a restart as it did before", async () => {
    let now = 0;
    // It ticks: no two replies have the same time.
    const clock = { now: () => ++now, sleep: systemClock.sleep, after: systemClock.after };
    const task = `Talk ${marker("text", { usage: { input: 200, output: 3, cacheRead: 900, cacheWrite: 0 } })}`;
    const own = { input: 10, output: 2, cacheRead: 850, cacheWrite: 0 };
    const used: number[] = [];
    for (const reopen of [false, true]) {
      const { rig, conversation, told } = await withSubagents(
        async (agents) => await report(agents, agents.spawn(task)),
        { clock },
        own,
      );
      await told();
      rig.settings.maxSessionTokens = 1300;
      if (reopen) await rig.conversations.dispose();
      const next = reopen ? rig.conversations.open(conversation.id) : conversation;
      const events = await eventsOf(next.submit(typed(`On ${marker("text", { usage: own })}`)));
      used.push(...ofType(events, "budget.warning").map(({ usedTokens }) => usedTokens));
    }
    // 862, then the agent's 203 and 38 that were never sent before, then 12 and 12.
    expect(used).toEqual([1127, 1127]);
  });

  test("that cannot be kept is not started; one that cannot be kept any more ends, and says why", async () => {
    const full = () => new StoreError("full", "The disk is full.", "Free some space.");
    let agentIsKept = false;
    const kept = openMemoryStore(fail);
    const store: SessionStore = {
      ...kept,
      saveConversation(conversation) {
        if (conversation.parentId !== undefined && !agentIsKept) throw full();
        kept.saveConversation(conversation);
      },
      appendMessage(conversationId, message, along) {
        if (kept.loadConversation(conversationId)?.parentId !== undefined) throw full();
        kept.appendMessage(conversationId, message, along);
      },
    };
    const { told, rig } = await withSubagents(
      async (agents) => {
        let refused = "";
        try {
          agents.spawn("First");
        } catch (error) {
          refused = String(error);
        }
        agentIsKept = true;
        return `${refused} / ${await report(agents, agents.spawn("Second"))}`;
      },
      { store },
    );
    expect(await told()).toMatch(/The disk is full\. \/ failed after 0: \[Incomplete: The disk is full\.\]/);
    expect(rig.server.requests).toHaveLength(2);
    expect(rig.faults.splice(0)).toMatchObject([{ code: "full" }]);
  });
});

describe("what the user stops alone", () => {
  test("a sub-agent that is stopped has failed, its run goes on, and it can be asked for more", async () => {
    const slow = gatedTool("slow", {
      run: (_, { signal }) => once(signal, "abort").then(() => ({ text: "ended" })),
    });
    const { conversation, told } = await withSubagents(
      async (agents) => {
        const id = agents.spawn(`Wait ${marker("tools", { calls: [{ name: "slow" }] })}`);
        await nextEvent(conversation, ({ type }) => type === "subagent.step");
        conversation.stopPart({ agentId: id });
        const first = await report(agents, id);
        agents.sendInput(id, "Then say this");
        return `${first.split(":")[0]}; ${await report(agents, id)}`;
      },
      { tools: [slow] },
    );
    expect(await told()).toBe("Results: failed after 1; completed after 2: Then say this");
    expect(() => conversation.stopPart({ agentId: "nobody" })).toThrow("has ended already");
  });

  test("a command that is stopped says what it has so far, and the model goes on with that", async () => {
    const rig = await makeRig({ clock: systemClock });
    const conversation = rig.conversations.create();
    const calls = [{ name: "shell", input: { command: "echo begun; sleep 600" } }];
    const submission = conversation.submit(typed(marker("tools", { calls })));
    const shown = await nextEvent(conversation, ({ type }) => type === "tool.output");
    const toolUseId = shown.type === "tool.output" ? shown.toolUseId : "";
    conversation.stopPart({ toolUseId });
    const events = await eventsOf(submission);
    expect(ofType(events, "run.ended")[0]?.stopReason).toBe("end_turn");
    expect(replyIn(events)).toContain("begun");
    expect(replyIn(events)).toContain("interrupted by the user");
    expect(() => conversation.stopPart({ toolUseId })).toThrow("has ended already");
  });
});
