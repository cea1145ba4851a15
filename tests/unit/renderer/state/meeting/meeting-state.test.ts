import { expect, test } from "vitest";
import { joinedLines, saidIn } from "../../../../../renderer/state/meeting/joined-lines.ts";
import {
  laneTicks,
  lineOf,
  meetingLanes,
  minutesAndSeconds,
} from "../../../../../renderer/state/meeting/meeting-lanes.ts";
import { cutAt, linesWith } from "../../../../../renderer/state/meeting/meeting-search.ts";
import { MeetingState } from "../../../../../renderer/state/meeting/meeting-state.ts";
import { meetingTalk } from "../../../../../renderer/state/meeting/meeting-talk.ts";
import { MeetingTimes } from "../../../../../renderer/state/meeting/meeting-times.ts";
import {
  linesPerPage,
  type MeetingLine,
  meetingPrompts,
} from "../../../../../shared/conversation/meeting.ts";
import type { TranscriptItem } from "../../../../../shared/conversation/transcript.ts";

const minute = 60_000;
const line = (id: string, at: number, endedAt = at, who: "me" | "them" = "me"): MeetingLine => ({
  id,
  who,
  text: `words of ${id}`,
  at,
  endedAt,
});

test("lanes say who spoke when, and for how long", () => {
  expect(meetingLanes([line("a", 1000, 3000), line("b", 3000, 5000, "them")])).toMatchObject({
    startedAt: 1000,
    endedAt: 5000,
    me: { spokenMs: 2000, bars: [{ id: "a", from: 0, width: 0.5 }] },
    them: { spokenMs: 2000, bars: [{ id: "b", from: 0.5, width: 0.5 }] },
  });
  expect(meetingLanes([])).toBeNull();
});

test("a meeting of three hours has no more bars than can be told apart", () => {
  const lines = Array.from({ length: 6000 }, (_, place) =>
    line(`${place}`, place * 1800, place * 1800 + 1700),
  );
  const lanes = meetingLanes(lines);
  expect(lanes?.me.bars.length).toBeLessThan(600);
  expect(lanes?.me.bars.length).toBeGreaterThan(40);
  expect(lanes?.me.spokenMs).toBe(6000 * 1700);
  const [first] = lanes?.me.bars ?? [];
  expect(first?.starts.length).toBeGreaterThan(10);
  expect(first && [lineOf(first, 0), lineOf(first, 1799), lineOf(first, 1800), lineOf(first, -1)]).toEqual([
    "0",
    "0",
    "1",
    "0",
  ]);
});

test("times below the lanes are the ends and some at round distances, with room between", () => {
  const ticks = (minutes: number) =>
    laneTicks({ startedAt: 0, endedAt: minutes * minute }).map(({ at }) => at / minute);
  expect(ticks(14.5)).toEqual([0, 4, 8, 12, 14.5]);
  expect(ticks(13.9)).toEqual([0, 4, 8, 13.9]);
  expect(ticks(16)).toEqual([0, 5, 10, 16]);
  expect(ticks(0.5)).toEqual([0, 0.5]);
  expect(ticks(180)).toEqual([0, 60, 120, 180]);
  expect(ticks(6000)).toHaveLength(5);
});

test("time that was spoken has hours once there are some", () => {
  expect(minutesAndSeconds(252_900)).toBe("4:12");
  expect(minutesAndSeconds(3_852_000)).toBe("1:04:12");
});

const clock = (hours: number, minutes: number, seconds = 0) =>
  new Date(2026, 10, 24, hours, minutes, seconds).getTime();
const times = new MeetingTimes([
  line("a", clock(9, 43, 5)),
  line("b", clock(9, 43, 40)),
  line("c", clock(14, 0)),
]);
const cited = (text: string) => [...times.citedIn(text)];

test("times in an answer lead to the lines that began then: to the second, or all of a minute", () => {
  expect(cited("Sample it [09:43:05].")).toEqual(["a"]);
  expect(cited("Sample it (9:43).")).toEqual(["a", "b"]);
  expect(cited("09:43:41 and 14:00")).toEqual(["a", "b", "c"]);
  expect(times.partsOf("Sample it [09:43:05] today")).toMatchObject([
    "Sample it ",
    { said: "09:43:05", lines: [{ id: "a" }] },
    " today",
  ]);
});

test("what only looks like a time, or at which nothing was said, stays text", () => {
  for (const text of ["ratio 19:43:05:1", "at 10:15", "v1.9:43", "9:43.5", "99:43"]) {
    expect(times.partsOf(text), text).toEqual([text]);
  }
  expect(times.partsOf("")).toEqual([]);
});

const user = (key: string, text: string, at: number): TranscriptItem => ({
  kind: "user",
  key,
  text,
  at,
  origin: "typed",
  source: null,
});
const reply = (key: string, text: string, at: number): TranscriptItem => ({
  kind: "assistant",
  key,
  text,
  at,
  streaming: false,
  interrupted: false,
});

test("what was asked since a meeting began stands with its answer; the newest summary stands apart", () => {
  const items = [
    user("0", "before", 1),
    reply("0r", "no", 2),
    user("1", meetingPrompts.summary, 10),
    reply("1r", "old", 11),
    user("2", "What did I promise?", 12),
    reply("2r", "Two things:", 13),
    reply("2s", "a and b", 14),
    user("3", meetingPrompts.summary, 15),
  ];
  expect(meetingTalk(items, { from: 10, before: 1000 }, true)).toMatchObject({
    summary: { key: "3", answer: "", isGoingOn: true },
    asked: [
      { key: "2", question: "What did I promise?", answer: "Two things:\n\na and b", isGoingOn: false },
    ],
  });
  expect(meetingTalk(items, { from: 100, before: 1000 }, false)).toEqual({ summary: null, asked: [] });
});

test("what was asked of an earlier meeting stands with it, whenever that was", () => {
  const about = (key: string, at: number, upTo: number): TranscriptItem => ({
    kind: "user",
    key,
    text: key,
    origin: "typed",
    source: null,
    at,
    meeting: { lines: 1, left: 0, upTo },
  });
  const items: TranscriptItem[] = [
    user("soon", "soon", 15),
    about("of the second", 120, 110),
    reply("r1", "second", 121),
    about("of the first", 130, 12),
    reply("r2", "first", 131),
  ];
  const talk = (from: number, before: number) =>
    meetingTalk(items, { from, before }, true).asked.map((one) => [one.key, one.answer, one.isGoingOn]);
  expect(talk(10, 100)).toEqual([
    ["soon", "", false],
    ["of the first", "first", true],
  ]);
  expect(talk(100, Number.POSITIVE_INFINITY)).toEqual([["of the second", "second", false]]);
});

test("words are found large or small, and cut out where they stand", () => {
  expect(linesWith([line("a", 0), line("B", 1)], " OF b ").map(({ id }) => id)).toEqual(["B"]);
  expect(linesWith([line("a", 0)], " ")).toEqual([]);
  expect(cutAt("The check, the Check", "check")).toEqual(["The ", "check", ", the ", "Check", ""]);
  expect(cutAt("İstanbul", "stan")).toEqual(["İstanbul"]);
  expect(cutAt("as it is", "")).toEqual(["as it is"]);
});

test("stored and heard lines are one meeting, each once, in the order in which they began", () => {
  const said: TranscriptItem[] = [
    { kind: "said", key: "said-b", who: "me", text: "words of b", at: 2000, endedAt: 2500 },
    { kind: "said", key: "said-d", who: "me", text: "d", at: 4000, endedAt: 4500 },
  ];
  const found = saidIn([user("0", "x", 1), ...said]);
  const lines = joinedLines([line("a", 1000), line("b", 2000, 2500), line("c", 3000)], found);
  expect(lines.map(({ id }) => id)).toEqual(["said-a", "said-b", "said-c", "said-d"]);
  expect(joinedLines([line("a", 1000)], found, 4000).map(({ id }) => id)).toEqual(["said-a", "said-b"]);
  expect(saidIn([...said, reply("r", "y", 5)], found)).toBe(found);
  expect(saidIn(said.slice(1), found)).not.toBe(found);
});

/** A store of lines, asked as main is. */
function stateOver(lines: readonly MeetingLine[]) {
  const asked: (number | undefined)[] = [];
  const report = (_route: string, { before, known = 0 }: { before?: number; known?: number }) => {
    asked.push(before);
    const older = lines.filter(({ at }) => before === undefined || at < before);
    return Promise.resolve(older.slice(-(linesPerPage + known)));
  };
  return { state: new MeetingState(report as ConstructorParameters<typeof MeetingState>[0]), asked };
}

test("a long meeting is read page by page from its end, each line once, and not beyond its beginning", async () => {
  const early = Array.from({ length: 1500 }, (_, place) => line(`early-${place}`, place));
  const late = Array.from({ length: 2500 }, (_, place) =>
    line(`late-${place}`, 10 * 60 * minute + Math.floor(place / 7)),
  );
  const { state, asked } = stateOver([...early, ...late]);
  const pages: number[] = [];
  let last: MeetingLine[] = [];
  await state.load(
    "c",
    (read) => {
      pages.push(read.length);
      last = read;
    },
    () => true,
  );
  expect(pages).toEqual([1000, 2000, 2500]);
  expect(last).toEqual(late);
  expect(asked).toHaveLength(3);
});

test("nobody waits for a page that is no longer wanted", async () => {
  const { state, asked } = stateOver(Array.from({ length: 2500 }, (_, place) => line(`${place}`, place)));
  await state.load(
    "c",
    () => {
      throw new Error("not wanted");
    },
    () => false,
  );
  expect(asked).toEqual([undefined]);
});
