import { counted, plural } from "../plural.ts";

/** What was heard in meetings. */
export const meeting = {
  title: "Meeting",
  me: "Me",
  them: "Them",
  lane: (who: string, time: string) => `${who} spoke for ${time}`,
  goTo: (time: string, words: string) => `Go to ${time}: ${words}`,
  lines: (count: number) => counted(count, "line", "lines"),
  unasked: (count: number) => `${count} not asked about yet`,
  allAsked: "all asked about",
  noSound: "no sound is kept",
  soundKept: "sound is kept",
  ask: "Ask about this meeting",
  askTitle: "Send everything said since you last asked",
  summary: "Summary",
  summaryTitle: "Ask for the main points, decisions and tasks",
  find: "Find in the meeting",
  found: (count: number) => counted(count, "line found", "lines found"),
  markdown: "Markdown…",
  markdownTitle: "Export the conversation with its meeting as Markdown",
  srt: "Subtitles…",
  srtTitle: "Export the last meeting as subtitles (SRT)",
  went: (lines: number) => `${counted(lines, "line", "lines")} of the meeting`,
  left: (lines: number) =>
    `${counted(lines, "older line", "older lines")} didn't fit and ${plural(lines, "goes", "go")} with your next prompt`,
};
