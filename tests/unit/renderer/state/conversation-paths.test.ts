import { beforeEach, describe, expect, it } from "vitest";
import { ConversationFeed } from "../../../../renderer/state/conversation/conversation-feed.ts";
import type { AgentEventBody } from "../../../../shared/conversation/events.ts";
import type { ConversationView, TranscriptItem } from "../../../../shared/conversation/transcript.ts";
import { ScriptedMain, settled } from "./scripted-main.ts";

let main: ScriptedMain;
let feed: ConversationFeed;
let shown: ConversationView[];

beforeEach(async () => {
  main = new ScriptedMain();
  shown = [];
  feed = new ConversationFeed(
    main.bridge,
    (view) => shown.push(view),
    () => {},
  );
});

const prompt = (key: string): TranscriptItem => ({
  kind: "user",
  key,
  text: key,
  origin: "typed",
  source: null,
  at: 1,
});
const open = async (keys: string[], hasEarlier = false) => {
  void feed.open("a");
  await main.answer("conversation.attach", { ...main.view("a"), items: keys.map(prompt), hasEarlier });
};
const moved: AgentEventBody = { type: "head.moved", headMessageId: "1", reason: "edit" };
const added = (id: string): AgentEventBody => ({
  type: "message.added",
  message: {
    id,
    role: "user",
    origin: "typed",
    source: null,
    content: [{ type: "text", text: id }],
    createdAt: 1,
  },
});
const keys = (view = shown.at(-1)) => view?.items.map(({ key }) => key);

describe("what stands before the first item", () => {
  it("is not added to another path that is shown by the time it comes", async () => {
    await open(["3", "4"], true);
    const loading = feed.earlier();
    await open(["8", "9"], true);
    await main.answer("conversation.earlier", { items: ["1", "2"].map(prompt), hasEarlier: false });
    await loading;
    expect(keys()).toEqual(["8", "9"]);
  });
});

describe("a path that moved", () => {
  // Bug: the edited prompt stood for a moment behind the reply that it replaces.
  it("is fetched anew: what was shown stays until then, and nothing is added to it", async () => {
    await open(["1", "2"]);
    feed.receive([main.emit("a", moved)]);
    feed.receive([main.emit("a", added("3"))]);
    expect(keys()).toEqual(["1", "2"]);
    await main.answer("conversation.attach", { ...main.view("a"), items: ["1", "3"].map(prompt) });
    expect(shown.map((view) => keys(view))).toEqual([
      ["1", "2"],
      ["1", "3"],
    ]);
  });

  it("has the events that came while it was fetched, each once", async () => {
    await open(["1", "2"]);
    feed.receive([main.emit("a", moved)]);
    const snapshot = { ...main.view("a"), items: [prompt("1")] };
    feed.receive([main.emit("a", added("3"))]);
    await main.answer("conversation.attach", snapshot);
    feed.receive([main.emit("a", added("4"))]);
    expect(keys()).toEqual(["1", "3", "4"]);
  });

  it("that moves again while it is fetched is fetched once more", async () => {
    await open(["1", "2"]);
    feed.receive([main.emit("a", moved)]);
    const early = main.view("a");
    feed.receive([main.emit("a", moved)]);
    await main.answer("conversation.attach", { ...early, items: [prompt("1")] });
    await main.answer("conversation.attach", { ...main.view("a"), items: [prompt("9")] });
    expect(keys()).toEqual(["9"]);
  });

  it("is not fetched once more when the answer knows of it", async () => {
    void feed.open("a");
    feed.receive([main.emit("a", moved)]);
    await main.answer("conversation.attach", { ...main.view("a"), items: [prompt("1")] });
    expect(keys()).toEqual(["1"]);
    expect(main.calls).toEqual([]);
  });

  it("keeps what was loaded before the place where the new view begins", async () => {
    await open(["2", "3"], true);
    const loading = feed.earlier();
    await main.answer("conversation.earlier", { items: [prompt("1")], hasEarlier: false });
    await loading;
    feed.receive([main.emit("a", moved)]);
    await main.answer("conversation.attach", {
      ...main.view("a"),
      items: ["2", "4"].map(prompt),
      hasEarlier: true,
    });
    expect(keys()).toEqual(["1", "2", "4"]);
    expect(shown.at(-1)?.hasEarlier).toBe(false);
  });
});

describe("what stands earlier", () => {
  it("is asked for once at a time, by the first item that is shown", async () => {
    await open(["2"], true);
    const [first, second] = [feed.earlier(), feed.earlier()];
    expect(main.take("conversation.earlier").input).toEqual({ conversationId: "a", before: "2" });
    expect(main.calls).toEqual([]);
    expect(first).toBe(second);
  });

  it("is not asked for where nothing is", async () => {
    await open(["1"]);
    await feed.earlier();
    expect(main.calls).toEqual([]);
  });

  // Bug: a page of the conversation before was put on top of the next one.
  it("is dropped when another conversation is shown by then", async () => {
    await open(["2"], true);
    void feed.earlier();
    void feed.open("b");
    await main.answer("conversation.attach", { ...main.view("b"), items: [prompt("b1")] });
    await main.answer("conversation.earlier", { items: [prompt("1")], hasEarlier: false });
    await settled();
    expect(keys()).toEqual(["b1"]);
  });
});
