import { beforeEach, describe, expect, it } from "vitest";
import { SessionList } from "../../../../../renderer/state/sessions/session-list.ts";
import type { ListQuery, SessionSummary } from "../../../../../shared/conversation/sessions.ts";
import type { SessionPage } from "../../../../../shared/ipc/conversation-routes.ts";
import { settled } from "../scripted-main.ts";
import { summaryOf } from "../summaries.ts";

let asked: { query: ListQuery; answer: (page: SessionPage | null) => void }[];
let list: SessionList;

beforeEach(() => {
  asked = [];
  list = new SessionList(false, (query) => new Promise((answer) => asked.push({ query, answer })));
});

const ids = () => list.sessions.get().map(({ conversationId }) => conversationId);
const answer = async (sessions: SessionSummary[], next: SessionPage["next"] = null) => {
  asked.shift()?.answer({ sessions, next });
  await settled();
};
const cursor = (session: SessionSummary) => ({
  isPinned: session.isPinned,
  updatedAt: session.updatedAt,
  conversationId: session.conversationId,
});

describe("the list of conversations", () => {
  it("has its first page at once, and the others follow from where it ended", async () => {
    void list.load();
    const [c, b, a] = [summaryOf("c", { updatedAt: 3 }), summaryOf("b", { updatedAt: 2 }), summaryOf("a")];
    await answer([c, b], cursor(b));
    expect(ids()).toEqual(["c", "b"]);
    expect(asked[0]?.query.after).toEqual(cursor(b));
    await answer([a]);
    expect(ids()).toEqual(["c", "b", "a"]);
    expect(asked).toEqual([]);
  });

  // Bug: a page that was asked for before a change came back after it, and undid it.
  it("keeps what main told meanwhile over an older page", async () => {
    void list.load();
    list.receive(summaryOf("a", { title: "renamed", updatedAt: 9 }));
    list.remove("b");
    await answer([summaryOf("b", { updatedAt: 5 }), summaryOf("a", { title: "old" })]);
    expect(list.sessions.get()).toEqual([summaryOf("a", { title: "renamed", updatedAt: 9 })]);
  });

  it("moves a row that was used to the front, behind the pinned ones", async () => {
    void list.load();
    const pinned = summaryOf("p", { isPinned: true });
    await answer([pinned, summaryOf("b", { updatedAt: 3 }), summaryOf("a", { updatedAt: 2 })]);
    list.receive(summaryOf("a", { updatedAt: 8 }));
    expect(ids()).toEqual(["p", "a", "b"]);
  });

  it("lets a row go that was archived", async () => {
    void list.load();
    await answer([summaryOf("a")]);
    list.receive(summaryOf("a", { isArchived: true }));
    expect(ids()).toEqual([]);
  });

  it("is the newest one asked for, even when an older answer comes later", async () => {
    void list.load();
    void list.load();
    const [older, newer] = asked;
    newer?.answer({ sessions: [summaryOf("new")], next: null });
    await settled();
    older?.answer({ sessions: [summaryOf("old")], next: null });
    await settled();
    expect(ids()).toEqual(["new"]);
  });
});
