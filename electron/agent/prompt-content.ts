import type { ContentBlock, DoubtfulWord, SaidLine } from "../../shared/messages.ts";
import { overheardTag, spokenTag } from "./ports.ts";

/** What of a prompt its message keeps. */
export interface PromptWords {
  text: string;
  heard?: readonly DoubtfulWord[] | undefined;
  meeting?: readonly SaidLine[] | undefined;
}

/** A prompt as its message keeps it: what was said before it, then its words. */
export function contentOf({ text, heard = [], meeting = [] }: PromptWords): ContentBlock[] {
  return [
    ...(meeting.length > 0 ? [{ type: "text" as const, text: "", meeting: [...meeting] }] : []),
    { type: "text", text, ...(heard.length > 0 && { heard: [...heard] }) },
  ];
}

/** Parley's note that a prompt was spoken, and which of its words may be others. */
export function spokenNote(heard: readonly DoubtfulWord[]): string {
  const doubts = heard.map(({ word, confidence, alternatives }) => {
    const others = alternatives.length > 0 ? `, or ${alternatives.map(quoted).join(" or ")}` : "";
    return `${quoted(word)} (${Math.round(confidence * 100)} % sure${others})`;
  });
  const unsure = doubts.length > 0 ? ` Doubtful words: ${doubts.join("; ")}.` : "";
  return `<${spokenTag}>The next text was spoken and transcribed.${unsure}</${spokenTag}>`;
}

/** What was said in a meeting, a line an utterance, as data. */
export function meetingText(lines: readonly SaidLine[]): string {
  const said = lines.map(({ who, text }) => `${who}: ${withoutTags(text.replaceAll(/\s+/g, " "))}`);
  return `<${overheardTag}>\n${said.join("\n")}\n</${overheardTag}>`;
}

/** A closing tag inside the words would let them step out of their quotation. */
export const withoutTags = (text: string): string => text.replaceAll(ownTag, "‹");

const ownTag = new RegExp(`<(?=/?(?:${overheardTag}|${spokenTag}))`, "gi");

const quoted = (word: string) => `“${withoutTags(word)}”`;
