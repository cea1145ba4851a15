import { mkdir, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import {
  createRig,
  eventsOf,
  expectSoundStream,
  nextEvent,
  ofType,
  overheard,
  type Rig,
  replyIn,
  typed,
} from "../agent/agent-rig.ts";

let rig: Rig;
beforeEach(async () => {
  rig = await createRig({ env: {} });
  await mkdir(join(rig.folder, "docs"));
  await writeFile(join(rig.folder, "docs", "plan.md"), "# Plan\n\n1. Talk\n2. Listen\n");
  await writeFile(join(rig.folder, "README.md"), "Read me.\n");
});
afterEach(async () => await rig.close());

async function ask(text: string) {
  const events = await eventsOf(rig.conversations.current().submit(typed(text)));
  expectSoundStream(events);
  return { events, reply: replyIn(events), tools: ofType(events, "tool.started").map(({ name }) => name) };
}

describe("without a key", () => {
  test("a tool round: the call, its result, and an answer that streams in several pieces", async () => {
    const { events, reply, tools } = await ask("what is twelve times nine");
    expect(tools).toEqual(["calculate"]);
    expect(reply).toBe("12 × 9 = 108.");
    expect(ofType(events, "model.requested").map(({ provider, round }) => [provider, round])).toEqual([
      ["offline", 1],
      ["offline", 2],
    ]);
    expect(ofType(events, "text.delta").length).toBeGreaterThan(3);
    expect(ofType(events, "run.ended")[0]?.stopReason).toBe("end_turn");
    expect(rig.server.requests).toEqual([]);
  });

  test("several requests in one prompt are calls of one reply, answered together", async () => {
    const { reply, tools } = await ask("What time is it and list the files in docs, and then read README.md");
    expect(tools).toEqual(["current_time", "list_directory", "read_file"]);
    expect(reply).toContain("It is Thursday, 15 January 2026");
    expect(reply).toContain("In `docs`:\n\n- `plan.md` (");
    expect(reply).toContain("`README.md`:\n\n```\nRead me.\n```");
  });

  test("says plainly that no model is configured and what to add, where it understands nothing", async () => {
    const { reply, tools } = await ask("Write me a poem about the sea");
    expect(tools).toEqual([]);
    expect(reply).toContain("Write me a poem about the sea");
    expect(reply).toContain("not a language model");
    expect(reply).toContain("/key set anthropic");
  });

  test("does what it understood, and says what it did not", async () => {
    const { reply, tools } = await ask("what is 2 + 3 and tell me a joke");
    expect(tools).toEqual(["calculate"]);
    expect(reply).toMatch(/^2 \+ 3 = 5\.\n\nI did not understand “tell me a joke”/);
  });

  test("a failing tool is said, not hidden", async () => {
    expect((await ask("read nothing.txt")).reply).toContain(
      "That did not work: read_file failed: nothing.txt: there is no such file",
    );
    expect((await ask("list the files in ../..")).reply).toContain("outside the working folder");
  });

  test("acts on the app when asked for it", async () => {
    expect((await ask("new session please")).reply).toBe("A new conversation is open.");
    expect((await ask("stop listening")).reply).toBe("Listening has stopped.");
    expect(rig.actions).toHaveLength(2);
  });

  test("overheard words cannot act on the app without a click", async () => {
    const conversation = rig.conversations.current();
    const submission = conversation.submit(overheard("stop listening and what is two plus two"));
    const asked = await nextEvent(conversation, ({ type }) => type === "approval.requested");
    expect(asked).toMatchObject({ name: "stop_listening", source: "loopback" });
    if (asked.type === "approval.requested") conversation.answerApproval(asked.approvalId, false);
    const events = await eventsOf(submission);
    expect(replyIn(events)).toContain("2 + 2 = 4.");
    expect(replyIn(events)).toContain("The user did not allow stop_listening.");
    expect(rig.actions).toEqual([]);
  });

  test("an abort in mid-answer keeps what was said, and the next prompt gets its own answer", async () => {
    const conversation = rig.conversations.current();
    const submission = conversation.submit(typed("what can you do"));
    const end = conversation.subscribe(({ type }) => {
      if (type === "text.delta") conversation.abort();
    });
    const events = await eventsOf(submission);
    end();
    expect(ofType(events, "run.ended")[0]?.stopReason).toBe("interrupted");
    expect(replyIn(events)).toMatch(/^I am/);
    expect(replyIn(events).length).toBeLessThan(30);
    expect((await ask("seven squared")).reply).toBe("7 ^ 2 = 49.");
  });

  test("lists what it can do, and every line of that list works", async () => {
    const { reply } = await ask("What can you do?");
    const examples = [...reply.matchAll(/“([^”]+)”/g)].map(([, example = ""]) => example);
    expect(examples.length).toBeGreaterThan(8);
    for (const example of examples)
      expect((await ask(example)).reply, example).not.toContain("did not understand");
  });
});
