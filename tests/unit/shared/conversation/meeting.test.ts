import { expect, test } from "vitest";
import { meetingSrt } from "../../../../electron/store/exchange/meeting-srt.ts";
import { lastMeeting, meetingGapMs } from "../../../../shared/conversation/meeting.ts";

const line = (id: string, at: number, endedAt = at, who: "me" | "them" | "note" = "me") => ({
  id,
  who,
  text: `words ---> of\n${id}`,
  at,
  endedAt,
});

test("another meeting begins after an hour without a word", () => {
  const lines = [line("a", 0, 1000), line("b", 1000 + meetingGapMs + 1), line("c", 1000 + 2 * meetingGapMs)];
  expect(lastMeeting(lines).map(({ id }) => id)).toEqual(["b", "c"]);
  expect(lastMeeting([line("a", 0, 1000), line("b", 1000 + meetingGapMs)])).toHaveLength(2);
  // Who speaks long is not silent.
  expect(lastMeeting([line("a", 0, meetingGapMs), line("b", 5), line("c", 2 * meetingGapMs)])).toHaveLength(
    3,
  );
  expect(lastMeeting([])).toEqual([]);
});

test("subtitles begin where something is said, not with a note", () => {
  expect(meetingSrt([line("n", 0, 0, "note"), line("a", 60_000)])).toMatch(/^1\n00:00:00,000 --> /);
  expect(meetingSrt([line("n", 0, 0, "note")])).toBe("");
});

test("subtitles begin with the first line, and no words of theirs look like a time", () => {
  expect(meetingSrt([line("a", 5000, 7500), line("b", 3_671_042 + 5000, 0, "them")])).toBe(
    "1\n00:00:00,000 --> 00:00:02,500\nMe: words -> of a\n\n2\n01:01:11,042 --> 01:01:12,042\nThem: words -> of b\n",
  );
});

// Bug: short words stood over those of who spoke next.
test("subtitles of short words end where the next ones begin", () => {
  const lines = [line("a", 0, 400), line("b", 500, 900, "them"), line("c", 950, 950), line("d", 950, 3000)];
  const times = meetingSrt(lines).match(/,\d+ --> .*/g);
  expect(times).toEqual([
    ",000 --> 00:00:00,500",
    ",500 --> 00:00:00,950",
    ",950 --> 00:00:00,951",
    ",950 --> 00:00:03,000",
  ]);
});
