import { describe, expect, test } from "vitest";
import type { Conversation } from "../../../electron/agent/conversation/conversation.ts";
import { systemClock } from "../../../electron/agent/conversation/system-clock.ts";
import { exportSession, importSession } from "../../../electron/store/exchange/session-exchange.ts";
import { openMemoryStore } from "../../../electron/store/memory-store.ts";
import type { Task, TaskState } from "../../../shared/conversation/tasks.ts";
import type { RecordedRequest } from "../../fakes/model-server/model-server.ts";
import {
  conversationForEachTest,
  eventsOf,
  ofType,
  replyIn,
  rigForEachTest,
  say,
  typed,
} from "../agent/agent-rig.ts";

const setUp = conversationForEachTest();
const makeRig = rigForEachTest();

const list = (...states: TaskState[]): Task[] =>
  states.map((state, place) => ({ text: `Step ${place + 1}`, state }));
const update = (tasks: readonly unknown[]) => ({ name: "update_tasks", input: { tasks } });
const prompt = (words: string, calls: readonly object[], more: object = {}) =>
  `${words} [[script:tools ${JSON.stringify({ calls, ...more })}]]`;
const isForSummary = ({ body }: RecordedRequest) => (body.tools ?? []).length === 0;
/** Of a rig that goes on with the store of another. */
const laterIds = () => {
  let count = 0;
  return () => `later-${`${++count}`.padStart(6, "0")}`;
};
const rowOf = (conversations: { list(): { sessions: readonly { tasks?: unknown }[] } }) =>
  conversations.list().sessions[0]?.tasks;

describe("the list of tasks", () => {
  test("is told to everybody, counted in the row of the list while something is open, and asks nobody", async () => {
    const { conversation, rig, server } = await setUp();
    const events = await say(
      conversation,
      prompt("Plan", [update(list("done", "in_progress", "cancelled"))]),
    );
    expect(ofType(events, "tasks.changed")).toMatchObject([
      { tasks: list("done", "in_progress", "cancelled") },
    ]);
    expect(replyIn(events)).toContain("1 of 2 tasks done.");
    expect(conversation.view().tasks).toEqual(list("done", "in_progress", "cancelled"));
    expect(rowOf(rig.conversations)).toEqual({ done: 1, total: 2 });
    expect(ofType(events, "approval.requested")).toEqual([]);
    expect(JSON.stringify(server.requests[0]?.body.system)).toContain("keep a list with update_tasks");

    await say(conversation, prompt("Go on", [update(list("done", "done", "cancelled"))]));
    expect(conversation.tasks).toEqual(list("done", "done", "cancelled"));
    expect(rowOf(rig.conversations)).toBeUndefined();
  });

  test.each([
    ["more than 50 tasks", Array.from({ length: 51 }, () => ({ text: "x", state: "pending" }))],
    ["a task of more than 300 characters", [{ text: "x".repeat(301), state: "pending" }]],
    ["a state that there is not", [{ text: "x", state: "maybe" }]],
    ["two tasks in progress while no sub-agent runs", list("in_progress", "in_progress")],
  ])("refuses %s in words, and stays as it was", async (_, tasks) => {
    const { conversation } = await setUp();
    await say(conversation, prompt("Plan", [update(list("pending"))]));
    const events = await say(conversation, prompt("Go on", [update(tasks)]));
    expect(ofType(events, "tool.ended")).toMatchObject([{ isError: true }]);
    expect(ofType(events, "tasks.changed")).toEqual([]);
    expect(conversation.tasks).toEqual(list("pending"));
  });

  test("may have several tasks in progress while a sub-agent runs, who has no list and is told of none", async () => {
    const { conversation, server } = await setUp({ clock: systemClock });
    const submission = conversation.submit(
      typed(
        prompt("Plan", [
          { name: "spawn_agent", input: { task: "Count the sheep" } },
          update(list("in_progress", "in_progress")),
        ]),
      ),
    );
    expect(ofType(await eventsOf(submission), "tasks.changed")).toHaveLength(1);
    const ofAgent = server.requests.find(({ body }) =>
      JSON.stringify(body.system).includes("You are a sub-agent"),
    )?.body;
    expect(ofAgent?.tools?.map(({ name }) => name)).not.toContain("update_tasks");
    expect(JSON.stringify(ofAgent?.system)).not.toContain("update_tasks");
  });

  test("is that of the path: after an edit, on another branch, back again, and after a restart", async () => {
    const store = openMemoryStore(() => {});
    const { conversation } = await setUp({ store });
    await say(conversation, prompt("Plan", [update(list("pending", "pending"))]));
    const first = conversation.history.at(-1)?.id ?? "";
    await say(conversation, prompt("Go on", [update(list("done", "in_progress"))]));
    const second = conversation.history.at(-4)?.id ?? "";
    const edited = conversation.editPrompt(second, "Stop here");
    expect(conversation.tasks).toEqual(list("pending", "pending"));
    await eventsOf(edited);
    expect(conversation.view().tasks).toEqual(list("pending", "pending"));
    conversation.showBranch(second);
    expect(conversation.view().tasks).toEqual(list("done", "in_progress"));
    await conversation.rewind({ messageId: second }, { part: "conversation", overwrite: false });
    expect(conversation.view().tasks).toEqual(list("pending", "pending"));
    expect(conversation.history.at(-1)?.id).toBe(first);

    const again = await makeRig({ store });
    expect(again.conversations.open(conversation.id).view().tasks).toEqual(list("pending", "pending"));
  });

  test("goes along with a fork, and with an export that is imported", async () => {
    const { conversation, rig, store } = await setUp();
    await say(conversation, prompt("Plan", [update(list("done", "pending"))]));
    expect(rig.conversations.fork(conversation.id).tasks).toEqual(list("done", "pending"));
    const file = await exportSession(store, conversation.id);
    const newId = () => crypto.randomUUID();
    const imported = await importSession({ store, newId, now: () => 1 }, file);
    expect(store.loadTasks(imported)).toEqual(list("done", "pending"));
  });
});

describe("the list of tasks, where the call that said it is no longer sent", () => {
  const long = (name: string) => `${name} ${"x".repeat(1000)}`;
  const settings = { contextWindow: 10_000, protectedTailMessages: 2 } as const;
  const tasks = list("done", "in_progress", "pending");
  const full = '[[script:text {"usage":{"input":8100,"cacheRead":0,"cacheWrite":0}}]]';
  const lastRequest = (server: { requests: readonly RecordedRequest[] }) =>
    JSON.stringify(server.requests.findLast((request) => !isForSummary(request))?.body.messages);

  async function compacted(conversation: Conversation): Promise<void> {
    await say(conversation, long("one"));
    await say(conversation, prompt(long("two"), [update(tasks)]));
    await say(conversation, long("three"));
    await say(conversation, `Now ${full}`);
    await say(conversation, "And then?");
  }

  test("is told again after a summary, once, and after a restart and a second summary as well", async () => {
    const store = openMemoryStore(() => {});
    const { conversation, server } = await setUp({ settings, store });
    await compacted(conversation);
    expect(server.requests.filter(isForSummary)).toHaveLength(1);
    expect(lastRequest(server)).not.toContain("tool_use");
    expect(lastRequest(server)).toContain("- [in_progress] Step 2\\n- [pending] Step 3");
    await say(conversation, "Next");
    expect(lastRequest(server).split("[YOUR TASKS]")).toHaveLength(2);

    const again = await makeRig({ settings, store, newId: laterIds() });
    const opened = again.conversations.open(conversation.id);
    await say(opened, "Hello again");
    expect(lastRequest(again.server).split("[YOUR TASKS]")).toHaveLength(2);
    await say(opened, long("four"));
    await say(opened, `Now ${full}`);
    await say(opened, "And then?");
    expect(again.server.requests.filter(isForSummary)).toHaveLength(1);
    expect(lastRequest(again.server)).toContain("- [in_progress] Step 2");
  });

  test("is told again after messages were left out, with what is newest", async () => {
    const { conversation, server } = await setUp({
      settings: { compactionStrategy: "none", maxConversationMessages: 6 },
    });
    await say(conversation, prompt("Plan", [update(list("pending", "pending"))]));
    await say(conversation, prompt("Go on", [update(list("done", "pending"))]));
    for (const words of ["one", "two", "three"]) await say(conversation, words);
    expect(lastRequest(server)).not.toContain("tool_use");
    expect(lastRequest(server)).toContain("- [done] Step 1\\n- [pending] Step 2");
  });

  test("is not told again where all of it is done", async () => {
    const { conversation, server } = await setUp({
      settings: { compactionStrategy: "none", maxConversationMessages: 6 },
    });
    await say(conversation, prompt("Plan", [update(list("done", "cancelled"))]));
    for (const words of ["one", "two", "three"]) await say(conversation, words);
    expect(lastRequest(server)).not.toContain("YOUR TASKS");
  });
});
