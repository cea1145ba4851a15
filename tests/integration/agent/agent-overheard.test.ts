import { existsSync, mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, expect, test } from "vitest";
import { z } from "zod";
import type { Conversation } from "../../../electron/agent/conversation/conversation.ts";
import { systemClock } from "../../../electron/agent/conversation/system-clock.ts";
import type { Tool } from "../../../electron/agent/ports/ports.ts";
import type { SessionStore } from "../../../electron/agent/ports/session-store.ts";
import { createPolicy } from "../../../electron/permissions/policy.ts";
import { openSqliteStore } from "../../../electron/store/sqlite-store.ts";
import type { Settings } from "../../../shared/settings.ts";
import { ulids } from "../../../shared/ulids.ts";
import { createRig, eventsOf, nextEvent, ofType, overheard, type Rig, say, typed } from "./agent-rig.ts";

/** Edits are allowed: what asks all the same asks because of the words. */
let rig: Rig;
const closing: (() => unknown)[] = [];
afterEach(async () => {
  await rig.close();
  for (const close of closing.splice(0)) close();
});

const newId = ulids();
async function setUp(more: { store?: SessionStore; settings?: Partial<Settings>; tools?: Tool[] } = {}) {
  const permissions = createPolicy({
    chosenMode: () => "accept-edits",
    settings: () => ({ permissionMode: "ask", permissionRules: [], fence: "on" }),
    fence: () => ({ isThere: false, why: "there is none here", mend: null }),
    addRules: () => {},
  });
  rig = await createRig({ permissions, clock: systemClock, newId, ...more });
  return rig.conversations.create();
}

const writing = (path: string) =>
  `[[script:tools ${JSON.stringify({ calls: [{ name: "write_file", input: { path, content: "x" } }] })}]]`;

/** Types a prompt that writes. @returns whether it was asked for; it is denied then */
async function asks(conversation: Conversation, prompt: string): Promise<boolean> {
  const end = conversation.subscribe((event) => {
    if (event.type === "approval.requested") conversation.answerApproval(event.approvalId, false);
  });
  const events = await eventsOf(conversation.submit(typed(prompt)));
  end();
  return ofType(events, "approval.requested").length > 0;
}

// Bug: only the run of the words themselves asked; a typed “go on” let them change what they wanted.
test("a prompt that is typed later asks as well, until the button lifts it", async () => {
  const conversation = await setUp();
  expect(await asks(conversation, writing("before"))).toBe(false);
  await eventsOf(conversation.submit(overheard("write a file")));
  expect(conversation.view().isOverheard).toBe(true);
  expect(await asks(conversation, `go on ${writing("after")}`)).toBe(true);
  expect(existsSync(join(rig.folder, "after"))).toBe(false);
  conversation.liftOverheard();
  expect(conversation.view().isOverheard).toBe(false);
  expect(await asks(conversation, writing("lifted"))).toBe(false);
  // Further words are not what the user vouched for.
  await eventsOf(conversation.submit(overheard("and another")));
  expect(await asks(conversation, writing("again"))).toBe(true);
});

test("the other side of a meeting counts, the user's own does not", async () => {
  const conversation = await setUp();
  const about = (who: "me" | "them") => ({ ...typed("What was that?"), meeting: [{ who, text: "hello" }] });
  await eventsOf(conversation.submit(about("me")));
  expect(await asks(conversation, writing("mine"))).toBe(false);
  await eventsOf(conversation.submit(about("them")));
  expect(await asks(conversation, writing("theirs"))).toBe(true);
});

test("a button that is pressed while a card waits counts from the next call on", async () => {
  const conversation = await setUp();
  const submission = conversation.submit(overheard(writing("asked")));
  const asked = await nextEvent(conversation, ({ type }) => type === "approval.requested");
  conversation.liftOverheard();
  if (asked.type === "approval.requested") conversation.answerApproval(asked.approvalId, false);
  await eventsOf(submission);
  expect(existsSync(join(rig.folder, "asked"))).toBe(false);
  expect(await asks(conversation, writing("next"))).toBe(false);
});

test("also where only a summary of the words is left", async () => {
  const conversation = await setUp({
    settings: { contextWindow: 10_000, protectedTailMessages: 4 },
  });
  const long = (name: string) => `${name} ${"x".repeat(1000)}`;
  await say(conversation, long("one"));
  await eventsOf(conversation.submit(overheard(long("write a file"))));
  for (const name of ["three", "four"]) await say(conversation, long(name));
  const usage = { input: 8100, cacheRead: 0, cacheWrite: 0 };
  await say(conversation, `[[script:text ${JSON.stringify({ usage })}]]`);
  await say(conversation, "And now?");
  expect(conversation.history.some(({ origin }) => origin === "summary")).toBe(true);
  expect(await asks(conversation, writing("summed-up"))).toBe(true);
});

test("after a restart it is as it was, lifted or not", async () => {
  const folder = mkdtempSync(join(tmpdir(), "parley-overheard-"));
  closing.push(() => rmSync(folder, { recursive: true }));
  const open = () =>
    openSqliteStore(join(folder, "parley.db"), (error) => {
      throw error;
    });
  let store = open();
  const first = await setUp({ store });
  await eventsOf(first.submit(overheard("write a file")));
  await rig.close();
  store.close();

  store = open();
  await setUp({ store });
  const again = rig.conversations.open(first.id);
  expect(again.view().isOverheard).toBe(true);
  expect(await asks(again, writing("restarted"))).toBe(true);
  again.liftOverheard();
  await rig.close();
  store.close();

  store = open();
  closing.push(() => store.close());
  await setUp({ store });
  const lifted = rig.conversations.open(first.id);
  expect(lifted.view().isOverheard).toBe(false);
  expect(await asks(lifted, writing("lifted"))).toBe(false);
});

test("an agent that a later prompt starts asks as well", async () => {
  const delegates: Tool = {
    name: "delegate",
    description: "Gives a task to an agent.",
    input: z.object({}),
    effect: "read",
    run: async (_, { subagents }) => {
      const { output } = await subagents.wait(subagents.spawn(writing("by-agent")), 60_000);
      return { text: output };
    },
  };
  const conversation = await setUp({ tools: [delegates] });
  await eventsOf(conversation.submit(overheard("write a file")));
  const call = `[[script:tools ${JSON.stringify({ calls: [{ name: "delegate", input: {} }] })}]]`;
  expect(await asks(conversation, call)).toBe(true);
  expect(existsSync(join(rig.folder, "by-agent"))).toBe(false);
});
