import { lastMeeting, type MeetingLine } from "../../shared/conversation/meeting.ts";
import { grouped } from "../../shared/grouped.ts";
import type { SessionStore } from "../agent/ports/session-store.ts";
import type { Command, CommandAnswer } from "../commands/registry.ts";

/** What the command needs of the conversation it was typed in. */
export interface MetIn {
  meetingCounts(): { lines: number; unasked: number };
  askMeeting(question: "ask" | "summary"): unknown;
}

export interface MeetingCommandOptions {
  store: Pick<SessionStore, "meetingLines">;
  conversation(conversationId: string): MetIn;
}

const usage = "/meeting · ask · summary · search WORDS";
/** Lines that are searched, and that are shown of what was found. */
const mostSearched = 100_000;
const mostFound = 20;

/** `/meeting`: what was heard in meetings of this conversation. */
export function meetingCommand({ store, conversation }: MeetingCommandOptions): Command {
  return {
    name: "meeting",
    usage,
    description: "What was heard in this conversation's meetings: ask about it, sum it up, search it",
    run: ([action, ...words], { conversationId }) => {
      if (action === "search" && words.length > 0) return search(store, conversationId, words.join(" "));
      const met = conversation(conversationId);
      if (action === undefined) return current(met, store, conversationId);
      if ((action !== "ask" && action !== "summary") || words.length > 0) {
        return { output: `This is not known. Usage: \`${usage}\``, isError: true };
      }
      met.askMeeting(action);
      return { output: action === "ask" ? "Asked about what was said." : "A summary was asked for." };
    },
  };
}

function current(met: MetIn, store: MeetingCommandOptions["store"], conversationId: string): CommandAnswer {
  const { lines, unasked } = met.meetingCounts();
  if (lines === 0) return { output: "No meeting was listened to here. `/voice start both` begins one." };
  const last = lastMeeting(store.meetingLines(conversationId, { limit: mostSearched }));
  const [first] = last;
  return {
    output: [
      `- heard: ${grouped(lines)} lines`,
      `- not asked about yet: ${grouped(unasked)}; they go with your next prompt`,
      ...(first ? [`- last meeting: ${grouped(last.length)} lines since ${timeOf(first.at)}`] : []),
      "- `/session export srt` and `/session export md` write it to a file",
    ].join("\n"),
  };
}

function search(store: MeetingCommandOptions["store"], conversationId: string, typed: string): CommandAnswer {
  const words = typed.toLowerCase().split(/\s+/);
  const found = store
    .meetingLines(conversationId, { limit: mostSearched })
    .filter(({ text }) => words.every((word) => text.toLowerCase().includes(word)));
  if (found.length === 0) return { output: "No line has these words." };
  const more = found.length - mostFound;
  const rows = found.slice(-mostFound).map(rowOf);
  return { output: [...(more > 0 ? [`${grouped(more)} earlier ones, and:`, ""] : []), ...rows].join("\n") };
}

const rowOf = ({ who, text, at }: MeetingLine) =>
  `- ${timeOf(at)} **${who === "me" ? "Me" : "Them"}:** ${text.replaceAll(/\s+/g, " ").replaceAll(/[\\`*_[\]<>#|~]/g, "\\$&")}`;

function timeOf(at: number): string {
  const date = new Date(at);
  const two = (part: number) => String(part).padStart(2, "0");
  return `${date.getFullYear()}-${two(date.getMonth() + 1)}-${two(date.getDate())} ${two(date.getHours())}:${two(date.getMinutes())}`;
}
