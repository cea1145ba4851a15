import { stripVTControlCharacters } from "node:util";
import type { AgentEvent } from "../../../shared/conversation/events.ts";
import { visibleText } from "../../../shared/safety/visible-text.ts";

/** How a prompt of the command line ended. */
export const exitCodes = { done: 0, failed: 1, usage: 2, needsApproval: 3, interrupted: 130 } as const;
export type ExitCode = (typeof exitCodes)[keyof typeof exitCodes];

/** What comes of a prompt, in its order; `ended` once, at its end. */
export type PromptNews =
  | { type: "event"; event: AgentEvent }
  | { type: "ended"; code: ExitCode; said: string | null };

export interface Terminal {
  /** The standard output. */
  print(text: string): void;
  /** The standard error. */
  say(text: string): void;
  /** Whether the standard output is one: what a model writes must not move its cursor, nor set its title. */
  isTerminal: boolean;
}

/** Shows what comes: the words of the replies, or events. @returns what takes the news */
export function promptPrinter(
  { print, say, isTerminal }: Terminal,
  json: boolean,
): (news: PromptNews) => void {
  return (news) => {
    if (news.type === "ended") {
      if (news.said !== null) say(`parley: ${plainText(news.said)}\n`);
    } else if (json) print(`${plainJson(news.event)}\n`);
    else {
      const words = wordsOf(news.event);
      if (words !== "") print(`${isTerminal ? plainText(words) : words}\n`);
    }
  };
}

function wordsOf(event: AgentEvent): string {
  if (event.type !== "message.added" || event.message.role !== "assistant") return "";
  return event.message.content
    .map((block) => (block.type === "text" ? block.text : ""))
    .join("")
    .trim();
}

/**
 * What a terminal would take for an order is taken out; what turns the direction of reading, joins or splits words unseen, or is
 * text that nobody sees stands there by name (`⟨U+202E⟩`). Lines and tabs stay, and what emoji and Persian are joined by.
 */
export const plainText = (text: string): string =>
  stripVTControlCharacters(text)
    // biome-ignore lint/suspicious/noControlCharactersInRegex: they are what is taken out
    .replaceAll(/[\u0000-\u0008\u000b-\u001f\u007f-\u009f]/g, "")
    .replaceAll(unseen, visibleText);

/** Formats but the two joiners, line ends that are none to a terminal, and variants that can spell text. */
const unseen = /(?![\u200c\u200d])[\p{Cf}\p{Zl}\p{Zp}]|[\u{e0100}-\u{e01ef}]/gu;

/** The same value on any terminal: JSON leaves some of what it would take for an order, or hide, as it is. */
const plainJson = (value: unknown): string =>
  JSON.stringify(value).replaceAll(/[\u007f-\u009f\p{Cf}\p{Zl}\p{Zp}]|[\u{e0100}-\u{e01ef}]/gu, (char) =>
    // Of a character in two halves each is named.
    char
      .split("")
      .map((unit) => `\\u${unit.charCodeAt(0).toString(16).padStart(4, "0")}`)
      .join(""),
  );
