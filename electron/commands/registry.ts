import { closest, distance } from "fastest-levenshtein";
import type { CommandSummary } from "../../shared/ipc/setting-routes.ts";
import { helpCommand } from "./help.ts";
import { parseCommandLine } from "./parse.ts";

export interface CommandContext {
  conversationId: string;
  /** What was typed after the command's name, as it stands: for what is no list of words, such as JSON. */
  typed?: string;
}

/** What the window shows under the typed line: Markdown. */
export interface CommandAnswer {
  output: string;
  isError?: boolean;
}

export interface Command extends CommandSummary {
  /** May throw: the message is shown as the answer. */
  run(args: string[], context: CommandContext): CommandAnswer | Promise<CommandAnswer>;
}

export interface CommandRegistry {
  /** @param conversationId without it only those that are always there */
  list(conversationId?: string): CommandSummary[];
  /** Answers a typed line that begins with "/". Never rejects. */
  answer(line: string, context: CommandContext): Promise<CommandAnswer>;
}

/**
 * Local commands: typed, never spoken, answered at once, past the queue of prompts.
 * @param others beside `/help`; their names are unique
 * @param further come and go, after those, and are a conversation's; their names are compared in lower case
 */
export function createCommandRegistry(
  others: readonly Command[],
  further: (conversationId: string) => readonly Command[] = () => [],
): CommandRegistry {
  const commands: Command[] = [];
  const all = (conversationId?: string) =>
    conversationId === undefined ? commands : [...commands, ...further(conversationId)];
  const list = (conversationId?: string) =>
    all(conversationId).map(({ name, usage, description }) => ({ name, usage, description }));
  commands.push(helpCommand(list), ...others);
  return {
    list,
    answer: async (line, context) => {
      const parsed = parseCommandLine(line);
      const known = all(context.conversationId);
      const command = parsed && known.find(({ name }) => name.toLowerCase() === parsed.name);
      const names = known.map(({ name }) => name);
      if (!command) return { output: unknownCommand(parsed?.name ?? "", names), isError: true };
      const typed = line.trim().replace(/^\/\S+\s*/, "");
      try {
        return await command.run(parsed.args, { ...context, typed });
      } catch (error) {
        return { output: error instanceof Error ? error.message : String(error), isError: true };
      }
    },
  };
}

function unknownCommand(name: string, names: string[]): string {
  const near = names.length > 0 ? closest(name, names) : "";
  const meant = near !== "" && distance(name, near) <= Math.max(2, near.length / 2) ? near : null;
  return `There is no command \`/${name}\`. ${meant ? `Did you mean \`/${meant}\`?` : "`/help` lists them."}`;
}
