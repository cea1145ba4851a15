import fc from "fast-check";
import { beforeEach, describe, expect, it } from "vitest";
import { ConversationFeed } from "../../../../../renderer/state/conversation/conversation-feed.ts";
import type { AgentEvent, UserError } from "../../../../../shared/conversation/events.ts";
import type { ConversationView } from "../../../../../shared/conversation/transcript.ts";
import { ScriptedMain, settled } from "../scripted-main.ts";

let main: ScriptedMain;
let feed: ConversationFeed;
let shown: ConversationView[];
let errors: UserError[];

beforeEach(() => {
  main = new ScriptedMain();
  shown = [];
  errors = [];
  feed = new ConversationFeed(
    main.bridge,
    (view) => shown.push(view),
    (error) => errors.push(error),
  );
});

const say = (conversationId: string, text: string) =>
  main.emit(conversationId, { type: "text.delta", messageId: "m", text });
const said = () => {
  const item = shown.at(-1)?.items[0];
  return item?.kind === "assistant" ? item.text : null;
};

describe("a window that attaches", () => {
  // Bug: events between the subscription and the answer were lost, or shown twice.
  it("applies events that arrive before the answer, each once", async () => {
    const opening = feed.open("a");
    const early = [say("a", "1"), say("a", "2")];
    const snapshot = main.view("a");
    const later = say("a", "3");
    feed.receive([...early, later]);
    main.take("conversation.attach").answer({ ok: true, value: snapshot });
    await opening;
    feed.receive([say("a", "4")]);
    expect(said()).toBe("1234");
  });

  it("goes on from the answer without events", async () => {
    say("a", "1");
    void feed.open("a");
    await main.answer("conversation.attach", main.view("a"));
    feed.receive([say("a", "2")]);
    expect(said()).toBe("12");
  });

  it("does not mix in another conversation's events", async () => {
    void feed.open("a");
    await main.answer("conversation.attach", main.view("a"));
    feed.receive([say("b", "not here"), say("a", "here")]);
    expect(said()).toBe("here");
  });

  it("shows the conversation that was asked for last, whichever answer comes last", async () => {
    void feed.open("a");
    void feed.open("b");
    const first = main.take("conversation.attach");
    await main.answer("conversation.attach", main.view("b"));
    first.answer({ ok: true, value: main.view("a") });
    await settled();
    expect(shown.map((view) => view.conversationId)).toEqual(["b"]);
  });

  it("keeps showing the former conversation, alive, when the next cannot be had", async () => {
    void feed.open("a");
    await main.answer("conversation.attach", main.view("a"));
    void feed.open("gone");
    await main.refuse("conversation.attach", "This conversation is gone.");
    feed.receive([say("a", "still here")]);
    expect(said()).toBe("still here");
    expect(errors).toMatchObject([{ message: "This conversation is gone." }]);
  });

  // Bug: another branch that was shown meanwhile was never seen where the next conversation could not be had.
  it.each([
    ["the next conversation", () => {}],
    ["the next but one", () => void feed.open("gone, too")],
  ])("shows the branch that was chosen meanwhile when %s cannot be had", async (_, openMore) => {
    void feed.open("a");
    await main.answer("conversation.attach", main.view("a"));
    void feed.open("gone");
    feed.receive([main.emit("a", { type: "head.moved", headMessageId: null, reason: "branch" })]);
    openMore();
    const attempts = main.calls.splice(0);
    for (const one of attempts) one.answer({ ok: false, error: { code: "refused", message: "Gone." } });
    await settled();
    expect(main.take("conversation.attach").input).toEqual({ conversationId: "a" });
  });

  // Bug: a hit in the conversation that was opened then was not gone to.
  it("loads what stands before in one conversation while that of another is on its way", async () => {
    const item = (key: string) =>
      ({ kind: "user", key, text: key, origin: "typed", source: null, at: 1 }) as const;
    const page = (id: string) => ({ ...main.view(id), items: [item(`${id}2`)], hasEarlier: true });
    void feed.open("a");
    await main.answer("conversation.attach", page("a"));
    void feed.earlier();
    void feed.earlier();
    const ofA = main.take("conversation.earlier");
    expect(() => main.take("conversation.earlier")).toThrow();
    void feed.open("b");
    await main.answer("conversation.attach", page("b"));
    void feed.earlier();
    expect(main.calls.map(({ input }) => input)).toEqual([{ conversationId: "b", before: "b2" }]);
    ofA.answer({ ok: true, value: { items: [item("a1")], hasEarlier: false } });
    await settled();
    void feed.earlier();
    await main.answer("conversation.earlier", { items: [item("b1")], hasEarlier: false });
    expect(main.calls).toEqual([]);
    expect(shown.at(-1)?.items.map(({ key }) => key)).toEqual(["b1", "b2"]);
  });

  // Bug: a hole in a transcript that nobody notices.
  it("fetches the view anew when events are missing", async () => {
    void feed.open("a");
    await main.answer("conversation.attach", main.view("a"));
    say("a", "lost ");
    feed.receive([say("a", "seen")]);
    expect(said()).toBeNull();
    await main.answer("conversation.attach", main.view("a"));
    expect(said()).toBe("lost seen");
  });

  it("ends with the same text wherever the snapshot falls into the stream, however pushes are batched", async () => {
    await fc.assert(
      fc.asyncProperty(
        fc.array(fc.string({ minLength: 1, maxLength: 3 }), { minLength: 1, maxLength: 12 }),
        fc.nat(12),
        fc.nat(12),
        fc.integer({ min: 1, max: 4 }),
        async (words, asked, answered, batch) => {
          const world = new ScriptedMain();
          let last: ConversationView | null = null;
          const reader = new ConversationFeed(
            world.bridge,
            (view) => {
              last = view;
            },
            () => {},
          );
          const from = Math.min(asked, words.length);
          const until = Math.min(Math.max(asked, answered), words.length);
          const speak = (text: string) => world.emit("a", { type: "text.delta", messageId: "m", text });
          const pushed = (events: AgentEvent[]) => {
            for (let at = 0; at < events.length; at += batch) reader.receive(events.slice(at, at + batch));
          };
          words.slice(0, from).forEach(speak);
          const opening = reader.open("a");
          const snapshotAtAsk = world.view("a");
          pushed(words.slice(from, until).map(speak));
          world.take("conversation.attach").answer({ ok: true, value: snapshotAtAsk });
          await opening;
          pushed(words.slice(until).map(speak));
          expect(last).toEqual(world.view("a"));
        },
      ),
    );
  });
});
