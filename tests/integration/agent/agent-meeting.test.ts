import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import fc from "fast-check";
import { afterEach, beforeEach, expect, test } from "vitest";
import type { Conversation } from "../../../electron/agent/conversation/conversation.ts";
import type { SessionStore } from "../../../electron/agent/ports/session-store.ts";
import { openSqliteStore } from "../../../electron/store/sqlite-store.ts";
import { ulids } from "../../../shared/ulids.ts";
import { createRig, eventsOf, nextEvent, overheard, type Rig, say, typed } from "./agent-rig.ts";

let folder: string;
let rig: Rig;
let store: SessionStore;
const newId = ulids();

beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), "parley-meeting-"));
});
afterEach(async () => {
  await shut();
  rmSync(folder, { recursive: true, maxRetries: 3 });
});

async function start(file = "parley.db") {
  store = openSqliteStore(join(folder, file), (error) => {
    throw error;
  });
  rig = await createRig({ store, newId });
}

async function shut() {
  await rig.close();
  store.close();
}

const script = (name: string, args: object = {}) => `Please [[script:${name} ${JSON.stringify(args)}]]`;

let clock = 0;
const hear = (conversation: Conversation, text: string, who: "me" | "them" = "them") => {
  clock += 1000;
  return conversation.noteLine({ who, text, at: clock, endedAt: clock + 500 });
};

/** Lines that the path's prompts brought, prompt by prompt. */
const asked = (conversation: Conversation) =>
  conversation.history.flatMap(({ content }) =>
    content.flatMap((block) =>
      block.type === "text" && block.meeting ? [block.meeting.map(({ text }) => text)] : [],
    ),
  );

test("what was heard outlives the end of Parley, is shown again, and goes with the next prompt", async () => {
  await start();
  const before = rig.conversations.create();
  hear(before, "We ship on Friday");
  hear(before, "Fine with me", "me");
  await shut();
  await start();
  const conversation = rig.conversations.open(before.id);
  expect(conversation.view().items).toMatchObject([
    { kind: "said", who: "them", text: "We ship on Friday" },
    { kind: "said", who: "me", text: "Fine with me" },
  ]);
  expect(conversation.meetingCounts()).toEqual({ lines: 2, unasked: 2, goes: 2 });
  await say(conversation, "When do we ship?");
  const sent = JSON.stringify(rig.server.requests[0]?.body.messages);
  expect(sent).toMatch(/them: \[\d\d:\d\d:\d\d\] We ship on Friday.*me: \[\d\d:\d\d:\d\d\] Fine with me/s);
  expect(conversation.view().items.find(({ kind }) => kind === "user")).toMatchObject({
    meeting: { lines: 2, left: 0 },
  });
  expect(conversation.meetingCounts()).toEqual({ lines: 2, unasked: 0, goes: 0 });
  await say(conversation, "And now?");
  expect(asked(conversation)).toEqual([["We ship on Friday", "Fine with me"]]);
});

// Bug: the window said that lines go along, and the words went alone.
test("the user's words into a running turn bring the lines, once", async () => {
  await start();
  const conversation = rig.conversations.create();
  const running = conversation.submit(typed(script("text", { words: 3, hold: "running" })));
  await rig.server.held("running");
  hear(conversation, "We ship on Friday");
  conversation.steer({ text: "What did they say?", source: null });
  conversation.steer({ text: "And when?", source: null });
  rig.server.release("running");
  await eventsOf(running);
  expect(asked(conversation)).toEqual([["We ship on Friday"]]);
  expect(conversation.meetingCounts()).toMatchObject({ unasked: 0 });
});

test("what the computer plays brings no lines: the user's next prompt does", async () => {
  await start();
  const conversation = rig.conversations.create();
  hear(conversation, "We ship on Friday");
  await eventsOf(conversation.submit(overheard("something that was played")));
  expect(asked(conversation)).toEqual([]);
  await eventsOf(conversation.submit(typed("When?")));
  expect(asked(conversation)).toEqual([["We ship on Friday"]]);
});

test("the buttons ask and sum up, and say where there is nothing to ask about", async () => {
  await start();
  const conversation = rig.conversations.create();
  expect(() => conversation.askMeeting("ask")).toThrow("There has been no meeting in this conversation.");
  hear(conversation, "We ship on Friday");
  await eventsOf(conversation.askMeeting("ask"));
  expect(() => conversation.askMeeting("ask")).toThrow("Nothing has been said since you last asked.");
  await eventsOf(conversation.askMeeting("summary"));
  expect(asked(conversation)).toEqual([["We ship on Friday"]]);
  expect(conversation.view().items.filter(({ kind }) => kind === "user")).toHaveLength(2);
});

test("of a long meeting the newest part goes first, the model is told, and the rest goes with the next prompt", async () => {
  await start();
  const conversation = rig.conversations.create();
  for (let place = 0; place < 5; place++) hear(conversation, `${place} ${"x".repeat(30_000)}`);
  await say(conversation, "What was that?");
  await say(conversation, "And before?");
  expect(asked(conversation).map((lines) => lines.map((text) => text[0]))).toEqual([
    ["2", "3", "4"],
    ["0", "1"],
  ]);
  expect(JSON.stringify(rig.server.requests[0]?.body.messages)).toContain(
    "2 older lines of the meeting are not here",
  );
  expect(conversation.view().items.find(({ kind }) => kind === "user")).toMatchObject({
    meeting: { lines: 3, left: 2 },
  });
});

test("an edited prompt has the lines of the one before it, once", async () => {
  await start();
  const conversation = rig.conversations.create();
  hear(conversation, "We ship on Friday");
  await say(conversation, "When?");
  const [prompt] = conversation.history;
  hear(conversation, "Or on Monday");
  await eventsOf(conversation.editPrompt(prompt?.id ?? "", "When exactly?"));
  expect(asked(conversation)).toEqual([["We ship on Friday", "Or on Monday"]]);
});

test("a line that was an echo goes with nothing", async () => {
  await start();
  const conversation = rig.conversations.create();
  const echo = hear(conversation, "We ship on Friday", "me");
  hear(conversation, "We ship on Friday");
  conversation.forgetLine(echo);
  await say(conversation, "When?");
  expect(asked(conversation)).toEqual([["We ship on Friday"]]);
});

const step = fc.oneof(
  { weight: 4, arbitrary: fc.constant("note" as const) },
  { weight: 2, arbitrary: fc.constant("ask" as const) },
  fc.constantFrom("hold" as const, "send" as const, "drop" as const, "restart" as const),
);

test("whatever is noted, asked, held, dropped and restarted, each line goes with exactly one prompt, in order", async () => {
  let count = 0;
  await fc.assert(
    fc.asyncProperty(fc.array(step, { maxLength: 14 }), async (steps) => {
      const file = `parley-${++count}.db`;
      await start(file);
      let conversation = rig.conversations.create();
      const noted: string[] = [];
      for (const next of [...steps, "ask" as const]) {
        const held = conversation.view().queue.filter(({ isHeld }) => isHeld);
        if (next === "note") {
          noted.push(`line ${noted.length}`);
          hear(conversation, noted.at(-1) ?? "");
        } else if (next === "ask") await say(conversation, "And?");
        else if (next === "hold") conversation.hold(typed("Later?"));
        else if (next === "send" && held[0]) await eventsOf(conversation.sendInput(held[0].inputId));
        else if (next === "drop" && held[0]) conversation.dropInput(held[0].inputId);
        else if (next === "restart" && conversation.isKept) {
          await shut();
          await start(file);
          conversation = rig.conversations.open(conversation.id);
        }
      }
      const waiting = conversation
        .view()
        .queue.flatMap(({ meeting = [] }) => meeting.map(({ text }) => text));
      const all = [...asked(conversation).flat(), ...waiting];
      expect(all.toSorted(byNumber)).toEqual(noted);
      for (const lines of asked(conversation)) expect(lines).toEqual(lines.toSorted(byNumber));
      await shut();
    }),
    { numRuns: 25 },
  );
  await start("last.db");
}, 120_000);

const byNumber = (a: string, b: string) => Number(a.slice(5)) - Number(b.slice(5));

test("a question about an earlier meeting brings its lines, though they went before, and no others", async () => {
  await start();
  const conversation = rig.conversations.create();
  const hour = 3_600_000;
  const line = (text: string, at: number) =>
    conversation.noteLine({ who: "them", text, at, endedAt: at + 1 });
  line("We ship on Friday", 1000);
  await say(conversation, "And?");
  line("Another day", 3 * hour);
  const [first] = conversation.meetings();
  await eventsOf(conversation.submit({ ...typed("When?"), about: first?.startedAt }));
  expect(asked(conversation)).toEqual([["We ship on Friday"], ["We ship on Friday"]]);
  expect(conversation.meetingCounts()).toEqual({ lines: 2, unasked: 1, goes: 1 });
  expect(() => conversation.askMeeting("summary", 7)).toThrow("no longer there");
});

/** An hour and a bit after the one before it, and a day after that. */
const anotherMeetingAt = 2 * 86_400_000;

test("asking about what is new brings what is left of an earlier meeting where the last one has nothing", async () => {
  await start();
  const conversation = rig.conversations.create();
  hear(conversation, "We ship on Friday");
  const at = clock + anotherMeetingAt;
  conversation.noteLine({ who: "them", text: "The sky is blue", at, endedAt: at + 1 });
  await eventsOf(conversation.askMeeting("ask"));
  expect(asked(conversation)).toEqual([["The sky is blue"]]);
  await eventsOf(conversation.askMeeting("ask"));
  expect(asked(conversation)).toEqual([["The sky is blue"], ["We ship on Friday"]]);
  expect(() => conversation.askMeeting("ask")).toThrow("Nothing has been said since you last asked.");
});

test("a meeting has a title before its first word, and keeps it until a model gives one", async () => {
  await start();
  const conversation = rig.conversations.create();
  const end = conversation.beginMeeting();
  const title = conversation.title;
  expect(title).toMatch(/^Meeting, .*\d/);
  expect(rig.conversations.list().sessions).toMatchObject([{ title, kind: "meeting" }]);
  hear(conversation, "We ship on Friday");
  end();
  expect(store.loadSession(conversation.id)).toMatchObject({ title, hasOwnTitle: false });
  rig.server.answerTitles({ text: "Shipping on Friday" });
  const told = nextEvent(conversation, ({ type }) => type === "session.changed");
  await eventsOf(conversation.askMeeting("ask"));
  expect(await told).toMatchObject({ title: "Shipping on Friday" });
});

test("an empty meeting loses its title at its end, and leaves the list with the user", async () => {
  await start();
  const meeting = rig.conversations.create();
  const end = meeting.beginMeeting();
  end();
  expect(meeting.title).toBe("New conversation");
  const next = rig.conversations.unused();
  expect(next).not.toBe(meeting);
  expect(rig.conversations.list().sessions.map(({ conversationId }) => conversationId)).toEqual([next.id]);
  expect(rig.conversations.get(meeting.id)).toBeUndefined();

  // One with a note, or another use, stays.
  const noted = rig.conversations.create();
  const over = noted.beginMeeting();
  noted.typeNote("Ask about the budget");
  over();
  expect(rig.conversations.unused()).toBe(next);
  expect(rig.conversations.get(noted.id)).toBe(noted);
  expect(noted.title).toMatch(/^Meeting, /);
});

test("beside a meeting that goes on without a word a new conversation is another one, and the meeting stays", async () => {
  await start();
  const meeting = rig.conversations.create();
  const end = meeting.beginMeeting();
  const next = rig.conversations.unused();
  expect(next).not.toBe(meeting);
  expect(next.title).toBe("New conversation");
  const quick = rig.conversations.beside();
  expect([meeting, next]).not.toContain(quick);
  // Begun anew, as when a setting changes, it is the same meeting to its user.
  end();
  const again = meeting.beginMeeting();
  rig.conversations.open(meeting.id);
  rig.conversations.open(next.id);
  expect(rig.conversations.get(meeting.id)).toBe(meeting);
  hear(meeting, "We ship on Friday");
  again();
  expect(meeting.title).toMatch(/^Meeting, /);
});

test("what is heard once the conversation was deleted does not bring it back", async () => {
  await start();
  const conversation = rig.conversations.create();
  await rig.conversations.delete(conversation.id);
  expect(() => hear(conversation, "We ship on Friday")).toThrow("This conversation is closed.");
  expect(rig.conversations.list().sessions).toEqual([]);
});

test("the buttons of the last meeting bring its lines alone; those of an earlier one go with the next prompt, each day named", async () => {
  await start();
  const conversation = rig.conversations.create();
  hear(conversation, "We ship on Friday");
  const at = clock + anotherMeetingAt;
  conversation.noteLine({ who: "them", text: "The sky is blue", at, endedAt: at + 1 });
  await eventsOf(conversation.askMeeting("summary"));
  expect(asked(conversation)).toEqual([["The sky is blue"]]);
  conversation.noteLine({ who: "them", text: "And so is the sea", at: at + 1000, endedAt: at + 1001 });
  await say(conversation, "And?");
  expect(asked(conversation).at(-1)).toEqual(["We ship on Friday", "And so is the sea"]);
  const sent = JSON.stringify(rig.server.requests.at(-1)?.body.messages);
  expect(sent).toMatch(/\(1970-01-01\)\\nthem: \[[\d:]+\] We ship on Friday\\n\(1970-01-03\)\\nthem: /);
});

test("of an earlier meeting that is too long for one prompt the next question brings what came before, and the model is told", async () => {
  await start();
  const conversation = rig.conversations.create();
  for (let place = 0; place < 5; place++) hear(conversation, `${place} ${"x".repeat(30_000)}`);
  const [first] = conversation.meetings();
  const at = clock + anotherMeetingAt;
  conversation.noteLine({ who: "them", text: "Another day", at, endedAt: at + 1 });
  const about = first?.startedAt;
  const counts = { lines: 6, unasked: 6 };
  expect(conversation.meetingCounts()).toEqual({ ...counts, goes: 4 });
  expect(conversation.meetingCounts(about)).toEqual({ ...counts, goes: 3 });
  for (const _ of [1, 2, 3]) await eventsOf(conversation.askMeeting("summary", about));
  expect(asked(conversation).map((lines) => lines.map((text) => text[0]))).toEqual([
    ["2", "3", "4"],
    ["0", "1"],
    ["2", "3", "4"],
  ]);
  const prompts = conversation.view().items.filter(({ kind }) => kind === "user");
  expect(prompts).toMatchObject([
    { meeting: { left: 2 } },
    { meeting: { left: 0 } },
    { meeting: { left: 2 } },
  ]);
});

test("an edited question about an earlier meeting brings no lines of another one", async () => {
  await start();
  const conversation = rig.conversations.create();
  hear(conversation, "We ship on Friday");
  const [first] = conversation.meetings();
  const at = clock + anotherMeetingAt;
  conversation.noteLine({ who: "them", text: "Another day", at, endedAt: at + 1 });
  await eventsOf(conversation.submit({ ...typed("When?"), about: first?.startedAt }));
  const [prompt] = conversation.history;
  await eventsOf(conversation.editPrompt(prompt?.id ?? "", "When exactly?"));
  expect(asked(conversation)).toEqual([["We ship on Friday"]]);
  expect(conversation.meetingCounts()).toEqual({ lines: 2, unasked: 1, goes: 1 });
});

test("an edited prompt keeps to the limits, and is still told what did not fit", async () => {
  await start();
  const conversation = rig.conversations.create();
  for (let place = 0; place < 5; place++) hear(conversation, `${place} ${"x".repeat(30_000)}`);
  await say(conversation, "What was that?");
  const [prompt] = conversation.history;
  await eventsOf(conversation.editPrompt(prompt?.id ?? "", "What?"));
  expect(conversation.view().items.find(({ kind }) => kind === "user")).toMatchObject({
    meeting: { lines: 3, left: 2 },
  });
  hear(conversation, `5 ${"x".repeat(30_000)}`);
  const [edited] = conversation.history;
  await eventsOf(conversation.editPrompt(edited?.id ?? "", "What now?"));
  expect(conversation.view().items.find(({ kind }) => kind === "user")).toMatchObject({
    meeting: { lines: 3, left: 3 },
  });
});

test("a note that was typed stands among the lines at its time, outlives the end of Parley, and goes with the next prompt as the user's", async () => {
  await start();
  const before = rig.conversations.create();
  hear(before, "We ship on Friday");
  before.typeNote("Ask for the date in writing");
  expect(before.view().items.at(-1)).toMatchObject({ kind: "said", who: "note" });
  await shut();
  await start();
  const conversation = rig.conversations.open(before.id);
  expect(conversation.meetingLines({ before: undefined, limit: 9 })).toMatchObject([
    { who: "them" },
    { who: "note", text: "Ask for the date in writing" },
  ]);
  await say(conversation, "And?");
  expect(asked(conversation)).toEqual([["We ship on Friday", "Ask for the date in writing"]]);
});
