import { existsSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import type { Conversation } from "../../../electron/agent/conversation/conversation.ts";
import { systemClock } from "../../../electron/agent/conversation/system-clock.ts";
import { createPolicy } from "../../../electron/permissions/policy.ts";
import {
  type OpenCheckpoints,
  openCheckpoints,
} from "../../../electron/store/checkpoints/thread/open-checkpoints.ts";
import { openSqliteStore } from "../../../electron/store/sqlite-store.ts";
import type { LevelName, PermissionRule } from "../../../shared/safety/permissions.ts";
import { defaultSettings } from "../../../shared/settings.ts";
import { whyNoFence } from "../../fixtures/fence-there.ts";
import { type FenceRig, fenceRig } from "../../fixtures/fences.ts";
import { createRig, eventsOf, nextEvent, ofType, type Rig, typed } from "./agent-rig.ts";

/** Commands outside of the fence, in the agent with its real policy, checkpoints and fence. */
const entry = join(
  import.meta.dirname,
  "../../../electron/store/checkpoints/thread/checkpoint-thread-source.mjs",
);
const withoutFence = (await whyNoFence()) !== null;

let base: string;
let store: ReturnType<typeof openSqliteStore>;
let checkpoints: OpenCheckpoints;
let fenced: FenceRig;
let rig: Rig;
let rules: PermissionRule[];
let isFenced: boolean;
const faults: unknown[] = [];

beforeEach(() => {
  base = mkdtempSync(join(tmpdir(), "parley-outside-"));
  faults.length = 0;
  rules = [];
  const file = join(base, "parley.db");
  const reportError = (error: unknown) => void faults.push(error);
  store = openSqliteStore(file, reportError);
  checkpoints = openCheckpoints({ file, entry, settings: () => defaultSettings, reportError });
  fenced = fenceRig();
});
afterEach(async () => {
  await rig.close();
  await checkpoints.close();
  await fenced.fences.dispose();
  store.close();
  rmSync(base, { recursive: true });
  expect(faults).toEqual([]);
});

async function setUp(level: LevelName, hasFence = true, fenceKnown = async () => {}): Promise<Conversation> {
  isFenced = hasFence;
  const permissions = createPolicy({
    chosenMode: () => level,
    settings: () => ({ permissionMode: level, permissionRules: rules, fence: "on" }),
    fence: () => (isFenced ? { isThere: true } : { isThere: false, why: "", mend: null }),
    addRules: (added) => rules.push(...added),
  });
  const fence = (id: string, folder: string) => (isFenced ? fenced.fences.of(id, folder) : null);
  rig = await createRig({ store, checkpoints, permissions, fence, fenceKnown, clock: systemClock });
  return rig.conversations.create();
}

const calling = (...calls: { name: string; input: object }[]) =>
  typed(`Please [[script:tools ${JSON.stringify({ calls })}]]`);
const shell = (command: string) => calling({ name: "shell", input: { command } });
const writing = (path: string, content: string) => calling({ name: "write_file", input: { path, content } });

async function asked(conversation: Conversation) {
  const event = await nextEvent(conversation, ({ type }) => type === "approval.requested");
  if (event.type !== "approval.requested") throw new Error("Nothing was asked for.");
  return event;
}

/** Runs a command outside by its card. @returns what the card said of changed files */
async function outside(conversation: Conversation, command: string) {
  const submission = conversation.submit(shell(command));
  const { approvalId, changedToolFiles } = await asked(conversation);
  conversation.answerApproval(approvalId, true, undefined, undefined, true);
  await eventsOf(submission);
  return changedToolFiles;
}

/** @returns what no card asked for */
async function unasked(conversation: Conversation, prompt: ReturnType<typeof shell>) {
  const events = await eventsOf(conversation.submit(prompt));
  expect(ofType(events, "approval.requested")).toEqual([]);
  return events;
}

test("a card says where a yes lets a command run without a fence", async () => {
  const conversation = await setUp("ask");
  const submission = conversation.submit(shell("mkdir made"));
  const { approvalId, mayRunOutside, runsOutside } = await asked(conversation);
  expect(runsOutside === true).toBe(mayRunOutside !== true);
  conversation.answerApproval(approvalId, false);
  await eventsOf(submission);
});

// Bug: a fence that was installed while Parley ran was not there before the next start.
test.skipIf(withoutFence)("a fence that was missing holds the next command once it is there", async () => {
  const looks = [false, true];
  const conversation = await setUp("work", false, async () => {
    isFenced = looks.shift() ?? true;
  });
  const submission = conversation.submit(shell("touch first"));
  conversation.answerApproval((await asked(conversation)).approvalId, false);
  await eventsOf(submission);
  await unasked(conversation, shell("touch second"));
  expect(existsSync(join(rig.folder, "second"))).toBe(true);
});

describe.skipIf(withoutFence)("the card of a command that may run outside", () => {
  test("names what the user's tools run and the conversation changed: nothing at first", async () => {
    const conversation = await setUp("ask");
    writeFileSync(join(rig.folder, "package.json"), "{}");
    expect(await outside(conversation, "mkdir made")).toBeUndefined();
    expect(existsSync(join(rig.folder, "made"))).toBe(true);
  });

  test("whatever changed it, until the user has let a command run with it as it is", async () => {
    const conversation = await setUp("accept-edits");
    await unasked(conversation, writing("package.json", "{}"));
    await unasked(conversation, writing("src/main.ts", "1"));
    const submission = conversation.submit(shell("mkdir -p sub; touch sub/Makefile sub/other"));
    const first = await asked(conversation);
    expect(first.changedToolFiles).toEqual(["package.json"]);
    conversation.answerApproval(first.approvalId, true);
    await eventsOf(submission);
    // Allowed, but fenced: the user has still not let anything run with them.
    expect(await outside(conversation, "touch one")).toEqual(["package.json", "sub/Makefile"]);
    expect(await outside(conversation, "touch two")).toBeUndefined();
    await unasked(conversation, writing("package.json", '{"scripts": {}}'));
    expect(await outside(conversation, "touch three")).toEqual(["package.json"]);
    // What it is again is what the user saw then; what it was in the beginning is no change.
    await unasked(conversation, writing("package.json", "{}"));
    expect(await outside(conversation, "rm package.json")).toEqual(["package.json"]);
    expect(await outside(conversation, "touch four")).toBeUndefined();
  });

  test("comes again where another of them changed while it was there", async () => {
    const conversation = await setUp("accept-edits");
    await unasked(conversation, writing("Makefile", "all:"));
    const submission = conversation.submit(shell("touch outside"));
    const first = await asked(conversation);
    await checkpoints.before(callOf(conversation));
    writeFileSync(join(rig.folder, "build.sh"), "true");
    await checkpoints.after(callOf(conversation));
    conversation.answerApproval(first.approvalId, true, undefined, undefined, true);
    const second = await asked(conversation);
    expect(second.changedToolFiles).toEqual(["Makefile", "build.sh"]);
    expect(existsSync(join(rig.folder, "outside"))).toBe(false);
    conversation.answerApproval(second.approvalId, true, undefined, undefined, true);
    await eventsOf(submission);
    expect(existsSync(join(rig.folder, "outside"))).toBe(true);
  });

  function callOf(conversation: Conversation) {
    const { id: conversationId } = conversation;
    const made = rig.logged.find(({ type }) => type === "checkpoint.created");
    const messageId = made?.type === "checkpoint.created" ? (made.messageId ?? "") : "";
    const place = { messageId, runId: "beside", label: "", paths: null, workingFolder: rig.folder };
    return { ...place, conversationId, toolUseId: "beside", signal: new AbortController().signal };
  }
});

describe.skipIf(withoutFence)("a rule that lets a command run outside", () => {
  test("asks once more where what it runs changed, and is fenced where only that is allowed", async () => {
    const conversation = await setUp("accept-edits");
    const command = `bash run.sh ${join(base, "beside")}`;
    rules.push({ verdict: "allow", command, exact: true, folder: rig.folder, outside: true });
    writeFileSync(join(rig.folder, "run.sh"), "touch $1");
    await unasked(conversation, shell(command));
    expect(existsSync(join(base, "beside"))).toBe(true);
    await unasked(conversation, writing("run.sh", "touch $1-again"));
    const submission = conversation.submit(shell(command));
    const card = await asked(conversation);
    expect(card).toMatchObject({ mayRunOutside: true, changedToolFiles: ["run.sh"] });
    conversation.answerApproval(card.approvalId, true);
    await eventsOf(submission);
    expect(existsSync(join(base, "beside-again"))).toBe(false);
    expect(await outside(conversation, command)).toEqual(["run.sh"]);
    expect(existsSync(join(base, "beside-again"))).toBe(true);
    await unasked(conversation, shell(command));
  });
});

describe("where there is no fence", () => {
  test("a rule's command asks where what it runs changed, and every card names it", async () => {
    const conversation = await setUp("accept-edits", false);
    rules.push({ verdict: "allow", command: "sh run.sh", exact: true, folder: rig.folder });
    writeFileSync(join(rig.folder, "run.sh"), "touch before");
    await unasked(conversation, shell("sh run.sh"));
    await unasked(conversation, writing("run.sh", "touch after"));
    const submission = conversation.submit(shell("sh run.sh"));
    const card = await asked(conversation);
    expect(card.changedToolFiles).toEqual(["run.sh"]);
    expect(card.mayRunOutside).toBeUndefined();
    expect(existsSync(join(rig.folder, "after"))).toBe(false);
    conversation.answerApproval(card.approvalId, true);
    await eventsOf(submission);
    expect(existsSync(join(rig.folder, "after"))).toBe(true);
    await unasked(conversation, shell("sh run.sh"));
  });
});
