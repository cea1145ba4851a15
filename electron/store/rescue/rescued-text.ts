import { counted } from "../backup/restored-text.ts";
import type { Rescued } from "./rescue.ts";

/** What a rescue came to, for people. */
export function rescuedText(rescued: Rescued): string {
  const { conversations, messages, lostTitles, lostConversations, lostMessages, lostTexts, lostPages } = rescued;
  if (conversations + messages === 0)
    return "Parley's database was damaged, and nothing in it could be read. A new one was made.";
  const lost = [
    ...(lostTitles > 0 ? [`the title of ${counted(lostTitles, "conversation")}`] : []),
    ...(lostConversations > 0 ? [counted(lostConversations, "conversation")] : []),
    ...(lostMessages > 0 ? [counted(lostMessages, "message")] : []),
    ...(lostTexts > 0 ? [`the text of ${counted(lostTexts, "message")}`] : []),
    ...(lostPages > 0 ? [counted(lostPages, "damaged page")] : []),
  ];
  const saved = `Parley's database was damaged. ${counted(conversations, "conversation")} with ${counted(
    messages,
    "message",
  )} could be read and ${conversations === 1 ? "is" : "are"} in a new database.`;
  return lost.length === 0 ? saved : `${saved} Lost: ${lost.join(", ")}.`;
}
