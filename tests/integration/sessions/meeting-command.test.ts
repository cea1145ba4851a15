import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, expect, test } from "vitest";
import type { SessionStore } from "../../../electron/agent/ports/session-store.ts";
import { type MetIn, meetingCommand } from "../../../electron/conversation-commands/meeting-command.ts";
import { openSqliteStore } from "../../../electron/store/sqlite-store.ts";
import { linesPerPage, meetingGapMs } from "../../../shared/conversation/meeting.ts";

let folder: string;
let store: SessionStore;
let asked: string[];
let shown: string[];

beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), "parley-meeting-command-"));
  store = openSqliteStore(join(folder, "parley.db"), (error) => {
    throw error;
  });
  store.saveConversation({ id: "c", title: "", workingFolder: "/", model: "m", createdAt: 1, updatedAt: 1 });
  asked = [];
  shown = [];
});
afterEach(() => {
  store.close();
  rmSync(folder, { recursive: true, maxRetries: 3 });
});

const met: MetIn = {
  meetingCounts: () => ({ lines: store.countLines("c"), unasked: store.countLines("c") }),
  askMeeting: (question) => asked.push(question),
};
const run = async (...args: string[]) =>
  await meetingCommand({ store, conversation: () => met, showMeeting: (id) => shown.push(id) }).run(args, {
    conversationId: "c",
  } as Parameters<ReturnType<typeof meetingCommand>["run"]>[1]);
const note = (id: string, at: number, text = id) =>
  store.noteLine("c", { id, who: "them", text, at, endedAt: at + 1 });
/** Many lines of which several begin in the same millisecond, also where a page ends. */
const noteMany = (name: string, count: number, from: number) => {
  for (let at = 0; at < count; at += 1) note(`${name}${at}`, from + Math.floor(at / 7), `${name} line ${at}`);
};

test("without a meeting it says how one begins", async () => {
  expect(await run()).toEqual({
    output: "There has been no meeting here. `/voice start both` starts one.",
  });
  expect(shown).toEqual([]);
});

test("counts the lines of the last meeting, over as many pages as it has", async () => {
  noteMany("early", 30, 0);
  const second = meetingGapMs * 3;
  noteMany("late", 2 * linesPerPage + 5, second);
  const { output } = await run();
  expect(output).toContain("- heard: 2,035 lines\n");
  expect(output).toContain("- last meeting: 2,005 lines since ");
  expect(shown).toEqual(["c"]);
});

test("a meeting that begins with a page is whole", async () => {
  note("early", 0);
  noteMany("late", linesPerPage, meetingGapMs * 3);
  expect((await run()).output).toContain("- last meeting: 1,000 lines since ");
});

test("search finds each line once, whatever page it is on, and shows the newest twenty in their order", async () => {
  noteMany("many", 2 * linesPerPage + 5, 0);
  const { output } = await run("search", "LINE", "many");
  const rows = output.split("\n");
  expect(rows.slice(0, 2)).toEqual(["1,985 earlier ones, and:", ""]);
  expect(rows).toHaveLength(22);
  expect(rows[2]).toMatch(/\*\*Them:\*\* many line 1985$/);
  expect(rows.at(-1)).toMatch(/many line 2004$/);
  expect((await run("search", "nowhere")).output).toBe("No line contains these words.");
});

test("what was said is shown as text, on one line", async () => {
  note("a", 0, "see [here](x)\n*now*");
  expect((await run("search", "now")).output).toMatch(/\*\*Them:\*\* see \\\[here\\\]\(x\) \\\*now\\\*$/);
});

test("ask and summary are asked; other words are answered with the usage", async () => {
  await run("ask");
  await run("summary");
  expect(asked).toEqual(["ask", "summary"]);
  expect(await run("ask", "me")).toMatchObject({ isError: true });
  expect(await run("search")).toMatchObject({ isError: true });
});
