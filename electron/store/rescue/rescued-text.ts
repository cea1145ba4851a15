import { counted } from "../backup/restored-text.ts";
import type { Rescued } from "./rescue.ts";

/** What a rescue came to, for people. */
export function rescuedText(rescued: Rescued): string {
  const { conversations, messages, lostTitles, lostConversations, ...rest } = rescued;
  const { lostMessages, lostTexts, lostPages } = rest;
  if (conversations + messages === 0)
    return "Parley's database was damaged, and nothing in it could be read. A new one was made.";
  const lost = [
    ...(lostTitles > 0 ? [ofEach(lostTitles, "title", "conversation")] : []),
    ...(lostConversations > 0 ? [counted(lostConversations, "conversation")] : []),
    ...(lostMessages > 0 ? [counted(lostMessages, "message")] : []),
    ...(lostTexts > 0 ? [ofEach(lostTexts, "text", "message")] : []),
    ...(lostPages > 0 ? [`what else was on ${counted(lostPages, "damaged page")}`] : []),
  ];
  const found = `${counted(conversations, "conversation")} with ${counted(messages, "message")}`;
  const are = conversations === 1 ? "is" : "are";
  const saved = `Parley's database was damaged. ${found} could be read and ${are} in a new database.`;
  return lost.length === 0 ? saved : `${saved} Lost: ${lost.join(", ")}.`;
}

const ofEach = (count: number, part: string, of: string) =>
  `the ${part}${count === 1 ? "" : "s"} of ${counted(count, of)}`;
