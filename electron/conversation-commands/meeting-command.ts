import { setImmediate as nextTurn } from "node:timers/promises";
import { inlineMarkdown } from "../../shared/conversation/inline-markdown.ts";
import {
  lastMeeting,
  linesPerPage,
  type MeetingLine,
  type MeetingQuestion,
} from "../../shared/conversation/meeting.ts";
import { grouped } from "../../shared/grouped.ts";
import { localDay, localTime } from "../../shared/local-time.ts";
import type { SessionStore } from "../agent/ports/session-store.ts";
import type { Command, CommandAnswer } from "../commands/registry.ts";

/** What the command needs of the conversation it was typed in. */
export interface MetIn {
  meetingCounts(): { lines: number; unasked: number };
  askMeeting(question: MeetingQuestion): unknown;
}

export interface MeetingCommandOptions {
  store: Pick<SessionStore, "meetingLines">;
  conversation(conversationId: string): MetIn;
  /** Opens the page of the meeting in the windows that show the conversation. */
  showMeeting(conversationId: string): void;
}

const usage = "/meeting · ask · summary · search WORDS";
/** Found lines that are shown. */
const mostFound = 20;

/** `/meeting`: what was heard in meetings of this conversation. */
export function meetingCommand({ store, conversation, showMeeting }: MeetingCommandOptions): Command {
  return {
    name: "meeting",
    usage,
    description: "The meetings of this conversation: ask about them, sum them up, search them",
    run: ([action, ...words], { conversationId }) => {
      if (action === "search" && words.length > 0) return search(store, conversationId, words.join(" "));
      const met = conversation(conversationId);
      if (action === undefined) {
        if (met.meetingCounts().lines > 0) showMeeting(conversationId);
        return current(met, store, conversationId);
      }
      if ((action !== "ask" && action !== "summary") || words.length > 0) {
        return { output: `That is not known. Usage: \`${usage}\``, isError: true };
      }
      met.askMeeting(action);
      return { output: action === "ask" ? "Asked about what was said." : "Asked for a summary." };
    },
  };
}

async function current(
  met: MetIn,
  store: MeetingCommandOptions["store"],
  conversationId: string,
): Promise<CommandAnswer> {
  const { lines, unasked } = met.meetingCounts();
  if (lines === 0) return { output: "There has been no meeting here. `/voice start both` starts one." };
  let first: MeetingLine | undefined;
  let count = 0;
  for await (const page of newestPages(store, conversationId)) {
    const known: MeetingLine[] = first ? [...page, first] : page;
    const last = lastMeeting(known);
    count += last.length - (first ? 1 : 0);
    first = last[0];
    if (last.length < known.length) break;
  }
  return {
    output: [
      `- heard: ${grouped(lines)} lines`,
      `- not asked about yet: ${grouped(unasked)}; they go with your next prompt`,
      ...(first ? [`- last meeting: ${grouped(count)} lines since ${timeOf(first.at)}`] : []),
      "- `/session export srt` and `/session export md` write it to a file",
    ].join("\n"),
  };
}

async function search(
  store: MeetingCommandOptions["store"],
  conversationId: string,
  typed: string,
): Promise<CommandAnswer> {
  const words = typed.toLowerCase().split(/\s+/);
  const rows: string[] = [];
  let found = 0;
  for await (const page of newestPages(store, conversationId)) {
    for (const line of page.reverse()) {
      const text = line.text.toLowerCase();
      if (!words.every((word) => text.includes(word))) continue;
      found += 1;
      if (found <= mostFound) rows.unshift(rowOf(line));
    }
  }
  if (found === 0) return { output: "No line contains these words." };
  const more = found - rows.length;
  return { output: [...(more > 0 ? [`${grouped(more)} earlier ones, and:`, ""] : []), ...rows].join("\n") };
}

/** Every line once: the newest page first, each of them oldest first. */
async function* newestPages(store: MeetingCommandOptions["store"], conversationId: string) {
  let before = Number.MAX_SAFE_INTEGER;
  let known = new Set<string>();
  while (true) {
    const read = store.meetingLines(conversationId, { before, limit: linesPerPage + known.size });
    const page = read.filter(({ id }) => !known.has(id));
    const oldest = page[0]?.at;
    if (oldest === undefined) return;
    // Several may have begun in the same millisecond, and some of them be on the next page.
    known = new Set(read.filter(({ at }) => at === oldest).map(({ id }) => id));
    before = oldest + 1;
    yield page;
    await nextTurn();
  }
}

const whoSaid = { me: "Me", them: "Them", note: "Note" };

const rowOf = ({ who, text, at }: MeetingLine) =>
  `- ${timeOf(at)} **${whoSaid[who]}:** ${inlineMarkdown(text)}`;

const timeOf = (at: number) => `${localDay(at)} ${localTime(at).slice(0, 5)}`;
