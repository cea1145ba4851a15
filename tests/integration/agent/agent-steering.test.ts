import { mkdirSync, readdirSync, rmdirSync, symlinkSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { z } from "zod";
import { sendNow } from "../../../electron/agent/conversation/send-now.ts";
import type { Permissions, Tool } from "../../../electron/agent/ports/ports.ts";
import type { AgentEvent } from "../../../shared/conversation/events.ts";
import { gatedTool } from "../../fakes/gated-tool.ts";
import { conversationForEachTest, eventsOf, nextEvent, ofType, replyIn, typed } from "./agent-rig.ts";

const setUp = conversationForEachTest();
const script = (name: string, args: object = {}) =>
  typed(`Please [[script:${name} ${JSON.stringify(args)}]]`);
const texts = (content: readonly { text?: string | undefined }[] = []) =>
  content.flatMap(({ text }) => text ?? []);
const states = (events: readonly AgentEvent[]) => ofType(events, "state.changed").map(({ state }) => state);

describe("steering", () => {
  test("enters the running turn behind the results of its tools, as a message of its own", async () => {
    const slow = gatedTool("slow");
    const { conversation, server } = await setUp({ tools: [slow] });
    const submission = conversation.submit(script("tools", { calls: [{ name: "slow" }] }));
    await slow.started;
    const { steeringId } = conversation.steer({ text: "Only the north side", source: null });
    expect(conversation.view().steering).toEqual([{ steeringId, text: "Only the north side" }]);
    slow.release();
    const events = await eventsOf(submission);

    expect(server.requests[1]?.body.messages.at(-1)?.content.map(({ type }) => type)).toEqual([
      "tool_result",
      "text",
    ]);
    expect(texts(server.requests[1]?.body.messages.at(-1)?.content)).toEqual(["Only the north side"]);
    expect(conversation.history.find(({ id }) => id === steeringId)).toMatchObject({
      role: "user",
      origin: "steering",
    });
    expect(conversation.view().steering).toEqual([]);
    expect(ofType(events, "steering.received")).toHaveLength(1);
    expect(ofType(events, "run.ended")).toHaveLength(1);
  });

  test("that comes during the last reply starts one more round of the same run", async () => {
    const { conversation, server } = await setUp();
    const submission = conversation.submit(script("text", { words: 3, hold: "half" }));
    await server.held("half");
    conversation.steer({ text: "And in French", source: null });
    server.release("half");
    const events = await eventsOf(submission);
    expect(replyIn(events)).toBe("And in French");
    expect(ofType(events, "run.started")).toHaveLength(1);
    expect(server.requests).toHaveLength(2);
  });

  test("with nothing running goes before the next prompt", async () => {
    const { conversation, server } = await setUp();
    conversation.steer({ text: "Be brief", source: null });
    expect(conversation.history).toEqual([]);
    await eventsOf(conversation.submit(typed("Hello")));
    expect(texts(server.requests[0]?.body.messages[0]?.content)).toEqual(["Be brief", "Hello"]);
    expect(conversation.history.map(({ origin }) => origin)).toEqual(["steering", "typed", null]);
  });

  test("outlives an abort: it goes before the next prompt", async () => {
    const { conversation, server } = await setUp();
    const submission = conversation.submit(script("text", { words: 3, hold: "half" }));
    await server.held("half");
    conversation.steer({ text: "Not like this", source: null });
    conversation.abort();
    expect(ofType(await eventsOf(submission), "run.ended")[0]?.stopReason).toBe("interrupted");
    await eventsOf(conversation.submit(typed("Again")));
    const last = texts(server.requests[1]?.body.messages.at(-1)?.content);
    expect(last.slice(-2)).toEqual(["Not like this", "Again"]);
  });

  // Bug: spoken words went into a run as if they had been typed, and the model did not hear of what was unsure.
  test("that was spoken says so to the model, with what it may have been", async () => {
    const slow = gatedTool("slow");
    const { conversation, server } = await setUp({ tools: [slow] });
    const submission = conversation.submit(script("tools", { calls: [{ name: "slow" }] }));
    await slow.started;
    const readings = ["only the north sight"];
    conversation.steer({ text: "Only the north side", source: "microphone", readings });
    slow.release();
    await eventsOf(submission);
    const [note, words] = texts(server.requests[1]?.body.messages.at(-1)?.content);
    expect(note).toContain("was spoken");
    expect(note).toContain("only the north sight");
    expect(words).toBe("Only the north side");
    expect(conversation.history.at(-2)).toMatchObject({ origin: "steering", source: "microphone" });
  });

  describe("by “Send now” on a prompt that waits", () => {
    const waitingBehind = async () => {
      const slow = gatedTool("slow");
      const { conversation, server, rig } = await setUp({ tools: [slow] });
      const first = conversation.submit(script("tools", { calls: [{ name: "slow" }] }));
      await slow.started;
      const attachments = [{ from: "notes.md", text: "north is left" }];
      const { inputId } = conversation.submit({ ...typed("Only the north side"), attachments });
      return { conversation, server, rig, slow, first, inputId: inputId ?? "" };
    };

    // Bug: what was attached to it vanished.
    test("takes all that came with it into the turn, and it runs no more by itself", async () => {
      const { conversation, server, slow, first, inputId } = await waitingBehind();
      sendNow(conversation, inputId);
      expect(conversation.view()).toMatchObject({ queue: [], steering: [{ steeringId: inputId }] });
      slow.release();
      await eventsOf(first);
      const sent = texts(server.requests[1]?.body.messages.at(-1)?.content).join("\n");
      expect(sent).toMatch(/north is left[\s\S]*Only the north side/);
      expect(conversation.state).toBe("idle");
      expect(server.requests).toHaveLength(2);
    });

    // Bug: it was taken from the store before it was anywhere else.
    test("leaves it in the store until it is part of the conversation", async () => {
      const { conversation, rig, slow, first, inputId } = await waitingBehind();
      sendNow(conversation, inputId);
      expect(rig.store.loadInputs(conversation.id)).toMatchObject([{ inputId, attachments: [{}] }]);
      slow.release();
      await eventsOf(first);
      expect(rig.store.loadInputs(conversation.id)).toEqual([]);
      expect(conversation.history.filter(({ id }) => id === inputId)).toHaveLength(1);
    });

    // Bug: it ran at the level of the run before it, which may be a looser one.
    test("lets one with a level of its own wait for its turn", async () => {
      const { conversation, slow, first } = await waitingBehind();
      const own = conversation.submit({ ...typed("Look around"), forOneRun: { level: "look" } });
      expect(() => sendNow(conversation, own.inputId ?? "")).toThrow("needs a turn of its own");
      expect(conversation.view().queue).toHaveLength(2);
      slow.release();
      await eventsOf(first);
      await eventsOf(own);
    });
  });

  test("is kept when the conversation closes before it could enter, and blank words are ignored", async () => {
    const { conversation, rig } = await setUp();
    expect(conversation.steer({ text: "  \n", source: null }).steeringId).toBeNull();
    const { steeringId } = conversation.steer({ text: "For tomorrow", source: null });
    await conversation.dispose();
    expect(rig.store.loadMessages(conversation.id)).toMatchObject([{ id: steeringId, origin: "steering" }]);
    expect(() => conversation.steer({ text: "too late", source: null })).toThrow("closed");
  });
});

const changes: Tool = {
  name: "change",
  description: "Changes something.",
  input: z.object({ to: z.string() }),
  effect: "write",
  run: async (input) => ({ text: `changed ${JSON.stringify(input)}` }),
};
const asking: Permissions = {
  decide: ({ input }) => ({ verdict: "ask", detail: `Will change: ${JSON.stringify(input)}` }),
};
const isRequest = (event: AgentEvent) => event.type === "approval.requested";
const change = (to: string) => script("tools", { calls: [{ name: "change", input: { to } }] });

describe("an approval", () => {
  test("shows what will run, holds the run in awaiting_input, and lets the call through", async () => {
    const { conversation } = await setUp({ tools: [changes], permissions: asking });
    const submission = conversation.submit(change("blue"));
    const asked = await nextEvent(conversation, isRequest);
    if (asked.type !== "approval.requested") throw new Error("no approval");
    expect(asked).toMatchObject({ name: "change", effect: "write", detail: 'Will change: {"to":"blue"}' });
    expect(conversation.state).toBe("awaiting_input");
    conversation.answerApproval(asked.approvalId, true);
    expect(conversation.state).toBe("processing");
    const events = await eventsOf(submission);
    expect(replyIn(events)).toBe('Results: changed {"to":"blue"}');
    expect(states(events)).toEqual(["processing", "awaiting_input", "processing"]);
    expect(conversation.state).toBe("idle");
    expect(() => conversation.answerApproval(asked.approvalId, true)).toThrow("no longer waiting");
    expect(() => conversation.answerApproval("nobody", true)).toThrow("no longer waiting");
  });

  test("that is denied tells the model why, and nothing ran", async () => {
    const { conversation } = await setUp({ tools: [changes], permissions: asking });
    const submission = conversation.submit(change("red"));
    const asked = await nextEvent(conversation, isRequest);
    if (asked.type === "approval.requested") conversation.answerApproval(asked.approvalId, false, "not red");
    expect(replyIn(await eventsOf(submission))).toBe(
      "Results: error: The user did not allow change. They said: not red",
    );
  });

  test("is settled as denied by an abort, and the history stays valid", async () => {
    const { conversation } = await setUp({ tools: [changes], permissions: asking });
    const submission = conversation.submit(change("red"));
    await nextEvent(conversation, isRequest);
    conversation.abort();
    const events = await eventsOf(submission);
    expect(ofType(events, "approval.resolved")).toMatchObject([{ allowed: false }]);
    expect(ofType(events, "run.ended")[0]?.stopReason).toBe("interrupted");
    expect(conversation.state).toBe("idle");
    expect(replyIn(await eventsOf(conversation.submit(typed("Next"))))).toBe("Next");
  });

  test("two of one reply wait side by side; the state changes with the last answer only", async () => {
    const { conversation } = await setUp({ tools: [changes], permissions: asking });
    const ids: string[] = [];
    conversation.subscribe((event) => {
      if (event.type === "approval.requested") ids.push(event.approvalId);
    });
    const calls = ["a", "b"].map((to) => ({ name: "change", input: { to } }));
    const submission = conversation.submit(script("tools", { calls }));
    await nextEvent(conversation, (event) => isRequest(event) && ids.length === 2);
    conversation.answerApproval(ids[1] ?? "", true);
    expect(conversation.state).toBe("awaiting_input");
    conversation.answerApproval(ids[0] ?? "", false);
    expect(replyIn(await eventsOf(submission))).toBe(
      'Results: error: The user did not allow change. | changed {"to":"b"}',
    );
  });

  test("is not asked for what the rules deny or cannot judge: the call is refused", async () => {
    const permissions: Permissions = {
      decide: ({ input }) => {
        if (JSON.stringify(input).includes("boom")) throw new Error("rules are broken");
        return { verdict: "deny", reason: "Plan mode: nothing is changed." };
      },
    };
    const { conversation } = await setUp({ tools: [changes], permissions });
    const calls = ["a", "boom"].map((to) => ({ name: "change", input: { to } }));
    const events = await eventsOf(conversation.submit(script("tools", { calls })));
    expect(replyIn(events)).toBe(
      "Results: error: Plan mode: nothing is changed. | error: change failed: rules are broken",
    );
    expect(ofType(events, "approval.requested")).toEqual([]);
  });
});

test("what was decided about a path holds for the call: a link that is put there meanwhile is not followed", async () => {
  let folder = "";
  const permissions: Permissions = {
    decide({ context: { environment } }) {
      expect(environment.leadsTo?.("d/x")).toBe("d/x");
      rmdirSync(join(folder, "d"));
      symlinkSync("kept", join(folder, "d"));
      return { verdict: "allow" };
    },
  };
  const { conversation, rig } = await setUp({ permissions });
  folder = rig.folder;
  for (const name of ["d", "kept"]) mkdirSync(join(folder, name));
  const calls = [{ name: "write_file", input: { path: "d/x", content: "x" } }];
  const events = await eventsOf(conversation.submit(script("tools", { calls })));
  expect(replyIn(events)).toContain("replaced while it was being opened");
  expect(readdirSync(join(folder, "kept"))).toEqual([]);
});

describe("a question of the model", () => {
  const options = [{ label: "Oslo" }, { label: "Bergen", description: "It rains" }];
  const ask: Tool = {
    name: "ask",
    description: "Asks.",
    input: z.object({}),
    effect: "read",
    run: async (_, context) => ({
      text: `They said ${await context.ask({ question: "Where to?", options })}`,
    }),
  };
  const isQuestion = (event: AgentEvent) => event.type === "question.asked";

  test("waits in awaiting_input for its answer", async () => {
    const { conversation } = await setUp({ tools: [ask] });
    const submission = conversation.submit(script("tools", { calls: [{ name: "ask" }] }));
    const asked = await nextEvent(conversation, isQuestion);
    if (asked.type !== "question.asked") throw new Error("no question");
    expect(asked).toMatchObject({ question: "Where to?", options });
    expect(conversation.state).toBe("awaiting_input");
    conversation.answerQuestion(asked.questionId, "Bergen");
    const events = await eventsOf(submission);
    expect(replyIn(events)).toBe("Results: They said Bergen");
    expect(ofType(events, "question.answered")).toMatchObject([{ answer: "Bergen" }]);
    expect(() => conversation.answerQuestion(asked.questionId, "Oslo")).toThrow("no longer waiting");
  });

  test("is answered with null when the conversation closes, so nothing hangs", async () => {
    const { conversation } = await setUp({ tools: [ask] });
    const submission = conversation.submit(script("tools", { calls: [{ name: "ask" }] }));
    await nextEvent(conversation, isQuestion);
    await conversation.dispose();
    const events = await eventsOf(submission);
    expect(ofType(events, "question.answered")).toMatchObject([{ answer: null }]);
    expect(conversation.state).toBe("closed");
  });
});
