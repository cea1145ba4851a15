import { isAboutMeeting, type MeetingRange, meetingPrompts } from "../../../shared/conversation/meeting.ts";
import type { TranscriptItem } from "../../../shared/conversation/transcript.ts";

/** What was asked during or after a meeting, and what came of it so far. */
export interface MeetingAnswer {
  /** The prompt's. */
  key: string;
  question: string;
  /** Markdown; empty before the first word. */
  answer: string;
  isGoingOn: boolean;
  /** Milliseconds since the epoch. */
  at: number;
}

export interface MeetingTalk {
  /** The newest one. */
  summary: MeetingAnswer | null;
  /** Oldest first. */
  asked: MeetingAnswer[];
}

/** @param range where the meeting stands among the others @param isRunning whether a run goes on */
export function meetingTalk(
  items: readonly TranscriptItem[],
  range: MeetingRange,
  isRunning: boolean,
): MeetingTalk {
  const answers: MeetingAnswer[] = [];
  let isAbout = false;
  let newest: string | undefined;
  for (const item of items) {
    if (item.kind === "user" && item.origin !== "steering") {
      isAbout = isAboutMeeting({ at: item.at, upTo: item.meeting?.upTo }, range);
      newest = item.key;
      if (!isAbout) continue;
      answers.push({ key: item.key, question: item.text, answer: "", isGoingOn: false, at: item.at });
    }
    const last = answers.at(-1);
    if (item.kind !== "assistant" || !isAbout || !last || item.text === "") continue;
    last.answer = last.answer === "" ? item.text : `${last.answer}\n\n${item.text}`;
  }
  const last = answers.at(-1);
  if (last) last.isGoingOn = isRunning && last.key === newest;
  const isSummary = ({ question }: MeetingAnswer) => question === meetingPrompts.summary;
  return {
    summary: answers.findLast(isSummary) ?? null,
    asked: answers.filter((one) => !isSummary(one)),
  };
}
