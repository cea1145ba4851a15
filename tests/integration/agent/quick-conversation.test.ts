import { expect, test } from "vitest";
import { followUpMs, QuickConversation } from "../../../electron/agent/conversation/quick-conversation.ts";
import { rigForEachTest, say } from "./agent-rig.ts";

const makeRig = rigForEachTest();

async function setUp() {
  const { conversations } = await makeRig();
  const clock = { at: 1_000_000, now: () => clock.at };
  return { conversations, clock, quick: new QuickConversation(conversations, clock) };
}

test("quick prompts follow on in one conversation, which is never the one that the window shows", async () => {
  const { conversations, clock, quick } = await setUp();
  const shown = conversations.create();
  const first = quick.take();
  expect(first).not.toBe(shown);
  expect(conversations.current()).toBe(shown);
  await say(first, "capital of France?");
  clock.at += followUpMs;
  expect(quick.take()).toBe(first);
  expect(quick.current()).toEqual({ conversation: first, usedAt: clock.at });
});

test("some time later, or when a new one is asked for, another one begins; the last can be gone on with", async () => {
  const { clock, quick } = await setUp();
  const first = quick.take();
  await say(first, "capital of France?");
  clock.at += followUpMs + 1;
  expect(quick.current()).toBeNull();
  expect(quick.last()?.conversation).toBe(first);
  expect(quick.goOn()).toBe(first);
  expect(quick.take()).toBe(first);

  quick.forget();
  expect(quick.current()).toBeNull();
  const second = quick.take();
  expect(second).not.toBe(first);
  // Unused so far: it is the one that the next prompt goes to, however often another one is asked for.
  quick.forget();
  expect(quick.take()).toBe(second);
});

test("a conversation that is gone is not gone on with", async () => {
  const { conversations, quick } = await setUp();
  const first = quick.take();
  await say(first, "capital of France?");
  await conversations.delete(first.id);
  expect(quick.current()).toBeNull();
  expect(quick.goOn()).toBeNull();
  expect(quick.take()).not.toBe(first);
});
