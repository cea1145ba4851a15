import { readFileSync, writeFileSync } from "node:fs";
import { homedir } from "node:os";
import { join, resolve } from "node:path";
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import type { Conversation } from "../../../electron/agent/conversation/conversation.ts";
import { type CommandRegistry, createCommandRegistry } from "../../../electron/commands/registry.ts";
import { folderCommand } from "../../../electron/conversation-commands/folder-command.ts";
import { newCommands } from "../../../electron/conversation-commands/new-command.ts";
import { sessionCommand } from "../../../electron/conversation-commands/session-command.ts";
import { SessionFiles } from "../../../electron/store/exchange/session-files.ts";
import { shortId } from "../../../shared/conversation/sessions.ts";
import { withTilde } from "../../../shared/with-tilde.ts";
import { createRig, eventsOf, type Rig, typed } from "../agent/agent-rig.ts";

let rig: Rig;
let commands: CommandRegistry;
let conversation: Conversation;
let shown: string[];
let isKept: boolean;
beforeEach(async () => {
  rig = await createRig();
  const { conversations, store } = rig;
  shown = [];
  isKept = true;
  let ids = 0;
  const files = new SessionFiles({ store, newId: () => `imported-${++ids}`, now: () => 1 });
  const find = (id: string) => conversations.get(id) ?? conversations.open(id);
  const resolvePath = (path: string, folder: string) => resolve(folder, path);
  commands = createCommandRegistry([
    sessionCommand({
      sessions: conversations,
      store,
      files,
      conversation: find,
      nameOfModel: () => "Opus 5.5",
      show: (id) => shown.push(id),
      isKept: () => isKept,
      resolvePath,
    }),
    folderCommand({ conversation: find, resolvePath }),
  ]);
  conversation = conversations.create();
});
afterEach(async () => await rig.close());

const ask = async (line: string, from = conversation) =>
  await commands.answer(line, { conversationId: from.id });
const say = async (text: string, to = conversation) => await eventsOf(to.submit(typed(text)));

describe("/session", () => {
  test("says what this conversation is, and that it is not kept where memory is off", async () => {
    await say("Plan a *trip*");
    const { output } = await ask("/session");
    expect(output).toBe(
      [
        `**Plan a \\*trip\\*** · \`${shortId(conversation.id)}\``,
        "- model: Opus 5.5",
        "- used: 42 tokens, $0.0004",
        `- folder: \`${withTilde(rig.folder, homedir())}\``,
      ].join("\n"),
    );
    isKept = false;
    expect((await ask("/session")).output).toContain("“Keep conversations” is off");
  });

  test("/new and /clear show an empty conversation and leave this one as it is", async () => {
    await say("First trip");
    const registry = createCommandRegistry(
      newCommands({ sessions: rig.conversations, show: (id) => shown.push(id) }),
    );
    const type = (line: string) => registry.answer(line, { conversationId: conversation.id });
    await type("/new");
    await type("/clear");
    await type("/new Second trip");
    const [second = "", ...again] = shown;
    expect(again).toEqual([second, second]);
    expect(second).not.toBe(conversation.id);
    expect(rig.conversations.get(second)?.title).toBe("Second trip");
    expect(conversation.history).toHaveLength(2);
  });

  test("list, new, name and resume, with the candidates where a title can mean several", async () => {
    expect((await ask("/session list")).output).toContain("no conversations yet");
    await say("First trip");
    await ask('/session new "Second trip"');
    const [second = ""] = shown;
    expect(rig.store.loadSession(second)).toMatchObject({ title: "Second trip", hasOwnTitle: true });
    expect((await ask("/session name Third trip to the sea")).output).toContain("Third trip to the sea");
    expect(conversation.title).toBe("Third trip to the sea");
    const { output } = await ask("/session list 5");
    expect(output.split("\n")).toHaveLength(2);
    expect(output).toContain(`\`${shortId(conversation.id)}\` Third trip to the sea`);
    expect(output).toContain("this one");
    expect(await ask("/session list 0")).toMatchObject({ isError: true });

    const several = await ask("/session resume trip");
    expect(several).toMatchObject({ isError: true });
    expect(several.output).toContain("Second trip");
    expect(several.output).toContain("Third trip");
    await ask("/session resume third");
    await ask(`/session resume ${shortId(second)}`);
    expect(shown.slice(1)).toEqual([conversation.id, second]);
    expect(await ask("/session resume nobody")).toMatchObject({ isError: true });
    expect(await ask("/session resume")).toMatchObject({ isError: true });
  });

  test("fork and tree: the branches, and a copy from any message of them", async () => {
    expect((await ask("/session tree")).output).toContain("There are no messages here yet");
    await say("One");
    const old = conversation.history[1]?.id ?? "";
    await eventsOf(conversation.editPrompt(conversation.history[0]?.id ?? "", "Eins"));
    const { output } = await ask("/session tree");
    expect(
      output
        .split("\n")
        .slice(1, -1)
        .map((line) => line.replace(/(?<=[●○]) \S+ /, "")),
    ).toEqual(["○ You: One", "○ Parley: One", "● You: Eins", "● Parley: Eins"]);
    await ask(`/session fork ${old}`);
    expect(rig.store.loadMessages(shown[0] ?? "")[0]?.content).toEqual([{ type: "text", text: "One" }]);
    await ask("/session fork");
    expect(rig.store.loadMessages(shown[1] ?? "")[0]?.content).toEqual([{ type: "text", text: "Eins" }]);
    const prompt = conversation.history[0]?.id ?? "";
    expect((await ask(`/session fork ${prompt}`)).output).toContain(
      "It ends before “Eins”, which is in the text box.",
    );
    const copy = rig.conversations.get(shown[2] ?? "");
    expect(copy?.view().items.at(-1)).toMatchObject({
      output:
        "This is a copy of **One**. It ends before “Eins”, which is in the text box. Nothing you say here changes that one.",
    });
    expect(await ask("/session fork nothing")).toMatchObject({ isError: true });
    expect((await ask("/session fork id-")).output).toContain("several messages");
  });

  test("search finds words, marked in their place", async () => {
    await say("Where do penguins live?");
    const { output } = await ask("/session search penguins");
    expect(output).toContain(`\`${shortId(conversation.id)}\``);
    expect(output).toContain("**penguins**");
    expect((await ask("/session search walrus")).output).toContain("Nothing found");
    expect(await ask("/session search")).toMatchObject({ isError: true });
  });

  test("export writes a file beside the work and replaces none; import brings it back", async () => {
    await say('Hello [[script:tools {"calls":[{"name":"calculate","input":{"expression":"6*7"}}]}]]');
    conversation.change({ title: "Sums: 6/7" });
    expect((await ask("/session export")).output).toContain(join(rig.folder, "Sums 6 7.md"));
    const text = readFileSync(join(rig.folder, "Sums 6 7.md"), "utf8");
    expect(text).toMatch(/^# Sums: 6\/7\n\n/);
    expect(text).toMatch(/## You\n\nHello .*\n\n## Parley\n\n<details><summary>calculate<\/summary>/);
    expect(text.match(/^## /gm)).toHaveLength(2);
    expect(text).toContain("```\n6*7 = 42\n```");
    expect(await ask("/session export")).toMatchObject({
      isError: true,
      output: expect.stringContaining("already exists"),
    });
    await ask("/session export json copy of it.json");
    await ask("/session export other.json");
    expect(readFileSync(join(rig.folder, "other.json"), "utf8")).toBe(
      readFileSync(join(rig.folder, "copy of it.json"), "utf8"),
    );
    await ask("/session import other.json");
    const imported = rig.conversations.open(shown[0] ?? "");
    expect(imported.title).toBe("Sums: 6/7");
    expect(imported.view().items.map(({ kind }) => kind)).toEqual(
      conversation.view().items.map(({ kind }) => kind),
    );
    await say("Go on", imported);
    expect(rig.server.violations).toEqual([]);
  });

  // Bug: a conversation from somebody else chose the folder in which reading runs unasked.
  test("what is imported works where the import was typed, whatever folder the file names", async () => {
    await say("Hello");
    await ask("/session export json theirs.json");
    const path = join(rig.folder, "theirs.json");
    writeFileSync(
      path,
      readFileSync(path, "utf8").replace(/"workingFolder": "[^"]*"/, '"workingFolder": "/"'),
    );
    await ask("/session import theirs.json");
    expect(rig.conversations.open(shown[0] ?? "").workingFolder).toBe(conversation.workingFolder);
  });

  test.each([
    ["not json", "is not valid JSON"],
    ['{"format":"parley-session"}', "version"],
    [
      `{"format":"parley-session","version":1,"title":"x","model":"m","workingFolder":"/","createdAt":1,"updatedAt":1,
      "headMessageId":null,"toolCalls":[],"messages":[{"parentId":"gone","message":
      {"id":"a","role":"user","origin":"typed","source":null,"content":[],"createdAt":1}}]}`,
      "messages.0: its parent gone",
    ],
    [
      `{"format":"parley-session","version":1,"title":"x","model":"m","workingFolder":"/","createdAt":1,"updatedAt":1,
      "headMessageId":null,"toolCalls":[],"messages":[{"parentId":null,"message":
      {"id":"a","role":"robot","origin":"typed","source":null,"content":[],"createdAt":1}}]}`,
      "messages.0.message.role",
    ],
  ])("import of %j is refused: it says what is wrong, and nothing of it is kept", async (text, why) => {
    writeFileSync(join(rig.folder, "broken.json"), text);
    const { output, isError } = await ask("/session import broken.json");
    expect(isError).toBe(true);
    expect(output).toContain(why);
    expect(rig.store.listConversations(9)).toEqual([]);
    expect(await ask("/session import missing.json")).toMatchObject({ isError: true });
  });

  test("an import that fails half-way leaves nothing", async () => {
    await say("Hello");
    await ask("/session export json whole.json");
    const append = rig.store.appendMessage.bind(rig.store);
    let appended = 0;
    rig.store.appendMessage = (...args) => {
      if (++appended === 2) throw new Error("The disk is full.");
      append(...args);
    };
    expect(await ask("/session import whole.json")).toMatchObject({
      isError: true,
      output: "The disk is full.",
    });
    expect(appended).toBe(2);
    rig.store.appendMessage = append;
    expect(rig.store.loadSession("imported-1")).toBeUndefined();
  });

  test("archive and its way back; delete asks, and restore undoes it", async () => {
    await say("Hello");
    expect((await ask("/session archive")).output).toContain("archived");
    expect(rig.conversations.list().sessions).toEqual([]);
    await ask("/session archive");
    expect(rig.conversations.list().sessions).toHaveLength(1);
    expect((await ask("/session delete")).output).toContain("/session delete yes");
    expect(rig.conversations.list().sessions).toHaveLength(1);
    await ask("/session delete yes");
    expect(rig.conversations.list().sessions).toEqual([]);
    const next = rig.conversations.create();
    await ask("/session restore", next);
    expect(shown).toEqual([conversation.id]);
    expect(await ask("/session restore", next)).toMatchObject({ isError: true });
    expect(await ask("/session dance", next)).toMatchObject({ isError: true });
    expect(await ask("/session constructor", next)).toMatchObject({ isError: true });
  });
});

test("/cd says where the conversation works, and takes it elsewhere", async () => {
  expect((await ask("/cd")).output).toContain(rig.folder);
  const { mkdirSync } = await import("node:fs");
  mkdirSync(join(rig.folder, "deep er"));
  expect((await ask("/cd deep er")).output).toContain(join(rig.folder, "deep er"));
  expect(conversation.workingFolder).toBe(join(rig.folder, "deep er"));
  expect(await ask("/cd nowhere")).toMatchObject({ isError: true });
});
