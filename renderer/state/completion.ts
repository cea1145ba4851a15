import type { CommandSummary } from "../../shared/ipc/setting-routes.ts";

/** Command names as typed, with their slash, whichever way the list has them. */
export const slashed = (name: string): string => (name.startsWith("/") ? name : `/${name}`);

/**
 * The commands that the text in the composer may be the beginning of: while the first word is being typed, those
 * whose name starts with it, then those that contain it.
 */
export function completionsFor(text: string, commands: readonly CommandSummary[]): CommandSummary[] {
  if (!/^\/\S*$/.test(text)) return [];
  const typed = text.slice(1).toLowerCase();
  const name = (command: CommandSummary) => slashed(command.name).slice(1).toLowerCase();
  const starting = commands.filter((command) => name(command).startsWith(typed));
  const containing = commands.filter(
    (command) => !starting.includes(command) && name(command).includes(typed),
  );
  return [...starting, ...containing];
}

/** Whether Enter sends: the word is a whole command already, so there is nothing left to complete. */
export function isWholeCommand(text: string, commands: readonly CommandSummary[]): boolean {
  const typed = text.trim().toLowerCase();
  return commands.some((command) => slashed(command.name).toLowerCase() === typed);
}

/** How the command at the start of the text is used, once its arguments are being typed. */
export function usageFor(text: string, commands: readonly CommandSummary[]): CommandSummary | null {
  const word = /^(\/\S+)\s/.exec(text)?.[1]?.toLowerCase();
  return commands.find((command) => slashed(command.name).toLowerCase() === word) ?? null;
}

/** The next selected row, around both ends. */
export const moveSelection = (index: number, by: 1 | -1, count: number): number =>
  count === 0 ? 0 : (index + by + count) % count;

/** What is typed after the `@` that ends at the caret: the beginning of a word, so that no address is one. */
export const attachmentWords = (text: string, caret: number): string | null =>
  text.startsWith("/") ? null : (/(?:^|\s)@(\S*)$/.exec(text.slice(0, caret))?.[1] ?? null);
