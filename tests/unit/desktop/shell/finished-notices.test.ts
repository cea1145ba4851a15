import { beforeEach, expect, test, vi } from "vitest";
import { FinishedNotices } from "../../../../electron/desktop/shell/finished-notices.ts";
import type { AgentEventBody } from "../../../../shared/conversation/events.ts";

const screen = vi.hoisted(() => ({
  made: [] as { options: { title: string; body: string }; isShown: boolean }[],
}));

vi.mock("electron", async () => {
  const { EventEmitter } = await import("node:events");
  class Notification extends EventEmitter {
    static isSupported = () => true;
    readonly options: { title: string; body: string };
    isShown = false;
    constructor(options: { title: string; body: string }) {
      super();
      this.options = options;
      screen.made.push(this);
    }
    show() {
      this.isShown = true;
    }
    close() {
      this.isShown = false;
    }
  }
  return { app: new EventEmitter(), Notification, BrowserWindow: { getFocusedWindow: () => null } };
});

const shown = () => screen.made.flatMap(({ isShown, options }) => (isShown ? [options] : []));

let isSaid: boolean;
let unread: (readonly string[])[];
let finished: FinishedNotices;
let id: number;

beforeEach(() => {
  screen.made = [];
  isSaid = false;
  unread = [];
  id = 0;
  finished = new FinishedNotices({
    isWanted: () => true,
    kept: [],
    isHeard: () => isSaid,
    isTold: (conversationId) => conversationId === "told",
    shownIn: () => undefined,
    title: (conversationId) => `Trip\u202e ${conversationId}`,
    show: () => {},
    onChange: (now) => unread.push(now),
  });
});

const happen = (conversationId: string, body: AgentEventBody) =>
  finished.observe({ id: ++id, at: 0, conversationId, ...body });

function answer(conversationId: string, text: string): void {
  const content = [{ type: "text" as const, text }];
  const own = { id: "m", role: "assistant" as const, origin: null, source: null, createdAt: 0 };
  happen(conversationId, { type: "message.added", message: { ...own, content } });
  isSaid = false;
  happen(conversationId, { type: "run.ended", runId: "r", stopReason: "end_turn" });
}

// Bug: where voice was on, the answer to a typed prompt, which is not said aloud, was neither told nor marked as unread.
test("an answer that is said aloud is known, any other one is not; where a window tells of it there is no notice", () => {
  isSaid = true;
  answer("one", "Yes.");
  expect([shown(), unread]).toEqual([[], []]);
  answer("one", "No.");
  answer("told", "Perhaps.");
  expect(shown()).toMatchObject([{ body: "No." }]);
  expect(unread.at(-1)).toEqual(["one", "told"]);
});

test("an answer is told on one line, under its conversation's title, in which nothing is hidden", () => {
  answer("one", "It is\n\n done.");
  expect(shown()).toMatchObject([{ title: "Trip⟨U+202E⟩ one", body: "It is done." }]);
  expect(unread).toEqual([["one"]]);
});

// Bug: the number on the app's icon counted the answer of a deleted conversation until the next start.
test("the answer of a conversation that is deleted waits for nobody", () => {
  answer("one", "Yes.");
  answer("two", "No.");
  finished.forget("one");
  expect(unread.at(-1)).toEqual(["two"]);
  expect(shown()).toMatchObject([{ body: "No." }]);
  finished.forget("never answered");
  expect(unread).toHaveLength(3);
});
