import type { AttachmentChoice } from "../../../shared/conversation/attachments.ts";
import type { CommandSummary } from "../../../shared/ipc/setting-routes.ts";
import { completionsFor, slashed, usageFor } from "../../state/completion.ts";
import { type NamedSession, sessionLines } from "../../state/composer/session-lines.ts";
import { nextWords } from "../../state/composer/subcommands.ts";
import type { CompletionRow } from "./CompletionList.tsx";

export interface PromptRow extends CompletionRow {
  /** Its name, with its slash. */
  command?: string;
  /** The next word of a command's line. */
  word?: string;
  /** The whole of a command's line. */
  line?: string;
  attachment?: AttachmentChoice;
}

/** What else there is to offer. */
interface Offered {
  /** Words that a command takes beside those of its usage, by its name. */
  wordsOf?: ((command: string) => readonly string[]) | undefined;
  sessions?: readonly NamedSession[] | undefined;
}

/** What the text may become: a command, the next word of one, or a text that mentions something. */
export function rowsFor(
  text: string,
  commands: readonly CommandSummary[],
  choices: readonly AttachmentChoice[],
  { wordsOf = () => [], sessions = [] }: Offered = {},
): PromptRow[] {
  const named = completionsFor(text, commands).map((command) => ({
    key: command.name,
    name: slashed(command.name),
    description: command.description,
    command: slashed(command.name),
  }));
  const mentioned = choices.map((attachment) => ({
    key: attachment.reference,
    name: attachment.label,
    description: attachment.detail,
    attachment,
  }));
  const resumed = sessionLines(text, sessions).map((one) => ({ key: one.line, ...one }));
  return [...named, ...wordRows(text, commands, wordsOf), ...resumed, ...mentioned];
}

function wordRows(
  text: string,
  commands: readonly CommandSummary[],
  wordsOf: (command: string) => readonly string[],
): PromptRow[] {
  const command = text.includes("\n") ? null : usageFor(text, commands);
  if (!command) return [];
  const words = [...nextWords(text, command.usage), ...others(text, wordsOf(command.name))];
  return words.map((word) => ({ key: `word ${word}`, name: word, description: "", word }));
}

/** Words of the first place, such as names of models. */
function others(text: string, words: readonly string[]): string[] {
  const typed = text.trimStart().split(/\s+/);
  const start = typed[1]?.toLowerCase();
  if (typed.length !== 2 || start === undefined) return [];
  const fitting = words.filter((word) => word.toLowerCase().includes(start));
  return fitting.some((word) => word.toLowerCase() === start) ? [] : fitting;
}

export const lastWordIsBlank = (text: string): boolean => /\s$/.test(text);

/** The line with its last word made whole. */
export const withWord = (text: string, word: string): string => text.replace(/\S*$/, word);
