import { chmodSync, existsSync, mkdirSync, mkdtempSync, rmSync, statSync, writeFileSync } from "node:fs";
import { connect } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, expect, test } from "vitest";
import { QuickConversation } from "../../../electron/agent/conversation/quick-conversation.ts";
import { composePrompts } from "../../../electron/compose/prompts.ts";
import type { PromptNews } from "../../../electron/desktop/launch/prompt-output.ts";
import type { PromptRequest } from "../../../electron/desktop/launch/prompt-request.ts";
import { askRunning, promptSocket, servePrompts } from "../../../electron/desktop/launch/prompt-socket.ts";
import { createPolicy } from "../../../electron/permissions/policy.ts";
import { createRig, eventsOf, type Rig, typed } from "./agent-rig.ts";

/** Prompts of the command line by the real socket, in front of the real agent. */
let rig: Rig;
let userData: string;
let warnings: string[];
let end: () => void;

beforeEach(async () => {
  const permissions = createPolicy({
    chosenMode: (id) => rig.conversations.get(id)?.permissionMode ?? null,
    settings: () => ({ permissionMode: "ask", permissionRules: [], fence: "on" }),
    fence: () => ({ isThere: false, why: "there is none here", mend: null }),
    addRules: () => {},
  });
  rig = await createRig({ permissions });
  userData = mkdtempSync(join(tmpdir(), "parley-prompts-"));
  warnings = [];
  end = await serving();
});
afterEach(async () => {
  end();
  await rig.close();
  rmSync(userData, { recursive: true });
});

async function serving(): Promise<() => void> {
  const warn = (message: string) => void warnings.push(message);
  const served = servePrompts(userData, {
    run: composePrompts({ ...rig, serversReady: async () => {} }),
    isApp: true,
    warn,
  });
  while (warnings.length === 0 && !existsSync(socket())) await new Promise((done) => setImmediate(done));
  return served.end;
}

const socket = () => promptSocket(userData)?.path ?? "";
const request = (text: string, more: Partial<PromptRequest> = {}): PromptRequest => ({
  text,
  level: null,
  folder: null,
  reference: null,
  input: "",
  ...more,
});

async function ask(asked: PromptRequest, stop = new AbortController()) {
  const news: PromptNews[] = [];
  const code = await askRunning(userData, asked, (told) => news.push(told), stop.signal);
  const events = news.flatMap((told) => (told.type === "event" ? [told.event] : []));
  const ended = news.at(-1);
  return { code, events, said: ended?.type === "ended" ? ended.said : null };
}

const lastAsked = () => JSON.stringify(rig.server.requests.at(-1)?.body.messages);
const write = `[[script:tools ${JSON.stringify({ calls: [{ name: "write_file", input: { path: "a.txt", content: "1" } }] })}]]`;

test("events come as they are, the standard input goes beside the prompt, and what is current stays so", async () => {
  const shown = rig.conversations.create();
  const { code, events } = await ask(request("Good morning", { input: "from the pipe" }));
  expect(code).toBe(0);
  const types = events.map(({ type }) => type);
  expect(types).toEqual(expect.arrayContaining(["run.started", "text.delta", "message.added", "run.ended"]));
  expect(lastAsked()).toContain("from the pipe");
  expect(rig.conversations.current().id).toBe(shown.id);
  const [first] = events;
  expect(first?.conversationId).not.toBe(shown.id);
  await ask(request("And now?", { reference: first?.conversationId ?? "" }));
  expect(lastAsked()).toContain("Good morning");
  expect(await ask(request("Hello", { reference: "no such one" }))).toMatchObject({ code: 1, events: [] });
});

test("what nobody can allow ends the run with code 3; the level decides what has to be asked", async () => {
  const file = join(rig.folder, "a.txt");
  const asked = await ask(request(write));
  expect(asked).toMatchObject({ code: 3, said: expect.stringContaining("write_file needs your approval") });
  expect(await ask(request(write, { level: "look" }))).toMatchObject({ code: 0 });
  expect(existsSync(file)).toBe(false);
  expect(await ask(request(write, { level: "work", folder: rig.folder }))).toMatchObject({ code: 0 });
  expect(existsSync(file)).toBe(true);
  const question = { calls: [{ name: "ask_user", input: { question: "Which one?" } }] };
  const ending = await ask(request(`[[script:tools ${JSON.stringify(question)}]]`));
  expect(ending).toMatchObject({ code: 3, said: "The model asks: Which one?" });
});

test("the level and the folder of a prompt count for its run alone, in a conversation that was there before", async () => {
  const [first] = (await ask(request("Good morning"))).events;
  const id = first?.conversationId ?? "";
  const conversation = rig.conversations.get(id);
  if (!conversation) throw new Error("it is not open");
  const standing = () => ({ level: conversation.permissionMode, folder: conversation.workingFolder });
  const own = standing();
  const elsewhere = mkdtempSync(join(tmpdir(), "parley-elsewhere-"));
  const queued = new Promise<void>((done) => {
    conversation.subscribe(({ type }) => type === "followup.received" && done());
  });
  conversation.submit({
    ...{ text: 'Long [[script:text {"words":9,"hold":"half","at":3}]]', origin: "typed", source: null },
  });
  await rig.server.held("half");
  const asked = ask(request(write, { reference: id, level: "work", folder: elsewhere }));
  await queued;
  // Somebody at the window answers what the run before it asks: it keeps its level.
  expect(standing()).toEqual(own);
  rig.server.release("half");
  const { code, events } = await asked;
  expect(code).toBe(0);
  expect(existsSync(join(elsewhere, "a.txt"))).toBe(true);
  const told = events.flatMap((event) => (event.type === "permission.mode" ? [event.mode] : []));
  expect(told).toEqual(["work", null]);
  const folders = events.flatMap((event) => (event.type === "session.changed" ? [event.workingFolder] : []));
  expect(folders).toEqual([elsewhere, own.folder]);
  expect(standing()).toEqual(own);
  expect(rig.store.loadSession(id)).toMatchObject({ permissionMode: null, workingFolder: own.folder });
  expect(await ask(request(write, { reference: id }))).toMatchObject({ code: 3 });
  rmSync(elsewhere, { recursive: true });
});

test("a level that the user chooses while such a run goes on stays", async () => {
  const [first] = (await ask(request("Good morning"))).events;
  const id = first?.conversationId ?? "";
  const asked = ask(
    request('Long [[script:text {"words":9,"hold":"half","at":3}]]', { reference: id, level: "work" }),
  );
  await rig.server.held("half");
  expect(rig.conversations.get(id)?.permissionMode).toBe("work");
  rig.conversations.get(id)?.changeMode("look");
  expect(rig.conversations.get(id)?.permissionMode).toBe("look");
  rig.server.release("half");
  expect((await asked).code).toBe(0);
  expect(rig.conversations.get(id)?.permissionMode).toBe("look");
});

// Bug: sent or tried again at the window, it ran with the level and in the folder of its conversation.
test("a prompt that was held, and one that is tried again, keep the level and the folder they were given", async () => {
  const conversation = rig.conversations.create();
  const elsewhere = mkdtempSync(join(tmpdir(), "parley-elsewhere-"));
  const forOneRun = { level: "look", folder: elsewhere } as const;
  const modes = () => rig.logged.flatMap((event) => (event.type === "permission.mode" ? [event.mode] : []));
  conversation.changeMode("work");
  const long = conversation.submit(typed('Long [[script:text {"words":9,"hold":"half","at":3}]]'));
  await rig.server.held("half");
  const { inputId } = conversation.submit({ ...typed(write), forOneRun });
  conversation.stop();
  await eventsOf(long);
  conversation.editInput(inputId ?? "", `${write} now`);
  await eventsOf(conversation.sendInput(inputId ?? ""));
  expect(modes()).toEqual(["work", "look", "work"]);

  await eventsOf(conversation.submit({ ...typed('[[script:status {"code":401}]]'), forOneRun }));
  await eventsOf(conversation.retry());
  expect(modes()).toEqual(["work", "look", "work", "look", "work", "look", "work"]);
  for (const folder of [elsewhere, rig.folder]) expect(existsSync(join(folder, "a.txt"))).toBe(false);
  rmSync(elsewhere, { recursive: true });
});

test("prompts that come at the same time have a conversation each, in the folder each was asked for", async () => {
  const elsewhere = ["one", "two", "three"].map((name) => {
    const folder = join(rig.folder, name);
    mkdirSync(folder);
    return folder;
  });
  const shown = rig.conversations.create();
  const asked = [...elsewhere, null].map((folder) => ask(request(write, { folder, level: "work" })));
  const answered = await Promise.all(asked);
  expect(answered.map(({ code }) => code)).toEqual([0, 0, 0, 0]);
  const ids = answered.map(({ events }) => events[0]?.conversationId ?? "");
  expect(new Set([...ids, shown.id]).size).toBe(5);
  const folders = ids.map((id) => rig.conversations.get(id)?.workingFolder);
  expect(folders).toEqual([...elsewhere, rig.folder]);
  for (const folder of [...elsewhere, rig.folder]) expect(existsSync(join(folder, "a.txt"))).toBe(true);
});

test("the quick prompt keeps the conversation that it took before its first prompt", async () => {
  const shown = rig.conversations.create();
  const quick = new QuickConversation(rig.conversations, { now: () => 0 });
  // As its model list or its microphone does.
  const taken = quick.take();
  const [first] = (await ask(request("Good morning"))).events;
  expect(first?.conversationId).not.toBe(taken.id);
  expect(quick.take()).toBe(taken);
  expect(rig.conversations.current()).toBe(shown);
});

test("where the folder is not there no conversation is begun", async () => {
  rig.conversations.create();
  const before = rig.conversations.lookedAfter;
  const lost = await ask(request("Hello", { folder: join(rig.folder, "no such") }));
  expect(lost).toMatchObject({ code: 1, said: expect.stringContaining("no such") });
  expect(rig.conversations.lookedAfter).toEqual(before);
});

test("a folder that is not there is said; the conversation stays where it was", async () => {
  const [first] = (await ask(request("Good morning"))).events;
  const id = first?.conversationId ?? "";
  const own = rig.conversations.get(id)?.workingFolder;
  const lost = await ask(request("And now?", { reference: id, folder: join(rig.folder, "no such") }));
  expect(lost).toMatchObject({ code: 1, said: expect.stringContaining("no such") });
  expect(rig.conversations.get(id)?.workingFolder).toBe(own);
});

test("whoever asked and goes away ends the run; a fault of the model's is code 1, in words", async () => {
  const stop = new AbortController();
  const asked = ask(request('Long [[script:text {"words":9,"hold":"half","at":3}]]'), stop);
  await rig.server.held("half");
  stop.abort();
  expect((await asked).code).toBe(130);
  rig.server.release("half");
  const failed = await ask(request('[[script:status {"code":401}]]'));
  expect(failed.code).toBe(1);
  expect(failed.said).toMatch(/\w+/);
});

/** A prompt that waits behind a run that somebody at the window began. */
async function waiting() {
  const [first] = (await ask(request("Good morning"))).events;
  const id = first?.conversationId ?? "";
  const conversation = rig.conversations.get(id);
  if (!conversation) throw new Error("it is not open");
  const queued = new Promise<void>((done) => {
    conversation.subscribe(({ type }) => type === "followup.received" && done());
  });
  conversation.submit({
    ...{ text: 'Long [[script:text {"words":9,"hold":"half","at":3}]]', origin: "typed", source: null },
  });
  await rig.server.held("half");
  const asked = ask(request("And now?", { reference: id }));
  await queued;
  return { conversation, asked };
}

// Bug: it was held for the user at the window to send, and whoever had asked waited for ever.
test("a prompt that waits ends when somebody stops the conversation, and waits there no more", async () => {
  const { conversation, asked } = await waiting();
  conversation.stop();
  expect(await asked).toMatchObject({ code: 130, said: "The prompt was removed before it ran." });
  expect(conversation.heldInputs).toBe(0);
  rig.server.release("half");
});

test("a prompt that waits ends when its conversation is deleted, or when whoever asked goes away", async () => {
  const { conversation, asked } = await waiting();
  const stop = new AbortController();
  const other = ask(request("And then?", { reference: conversation.id }), stop);
  stop.abort();
  expect((await other).code).toBe(130);
  await rig.conversations.delete(conversation.id);
  expect((await asked).code).toBe(130);
  rig.server.release("half");
});

// Bug: the answer of the run before it was printed, too, as if it were its own.
test("a prompt that waits is told of its own run alone", async () => {
  const { asked } = await waiting();
  rig.server.release("half");
  const { code, events } = await asked;
  expect(code).toBe(0);
  const said = events.flatMap((event) =>
    event.type === "message.added" && event.message.role === "assistant" ? event.message.content : [],
  );
  expect(said).toMatchObject([{ type: "text", text: expect.stringContaining("And now?") }]);
});

test("the socket is this user's alone; one of a Parley that died gives way, and a folder that is open is not trusted", async () => {
  const folder = join(userData, "run");
  expect(statSync(folder).mode & 0o777).toBe(0o700);
  expect(statSync(socket()).mode & 0o777).toBe(0o600);
  chmodSync(folder, 0o755);
  expect((await ask(request("Hello"))).code).toBeNull();
  chmodSync(folder, 0o700);
  end();
  expect((await ask(request("Hello"))).code).toBeNull();
  writeFileSync(socket(), "");
  rmSync(socket());
  end = await serving();
  expect((await ask(request("Hello"))).code).toBe(0);
});

test("the largest prompt that is allowed comes over whole, whatever it is of; a larger one is refused in words", async () => {
  // Six characters of JSON each.
  const text = "\u0001".repeat(100_000);
  const input = "\u0001".repeat(200_000);
  const most = await ask(request(text, { input }));
  expect(most).toMatchObject({ code: 0, said: null });
  const asked = rig.server.requests.length;
  const beyond = await ask(request(text, { input: "\u0001".repeat(300_000) }));
  expect(beyond).toEqual({ code: 1, events: [], said: "The prompt is too long for Parley." });
  expect(rig.server.requests).toHaveLength(asked);
});

test.each(["no JSON\n", '{"text":""}\n'])("what is no request is refused in words", async (text) => {
  const client = connect(socket());
  let answer = "";
  client.on("data", (chunk) => {
    answer += String(chunk);
  });
  client.write(text);
  await new Promise((done) => client.on("close", done));
  expect(JSON.parse(answer)).toMatchObject({ type: "ended", code: 1 });
  expect(rig.server.requests).toHaveLength(0);
});
