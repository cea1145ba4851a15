import type { Command, CommandRegistry } from "./registry.ts";

/** `/help`: every command with its usage. */
export function helpCommand(registry: () => CommandRegistry): Command {
  return {
    name: "help",
    usage: "/help",
    description: "What can be typed here",
    run: (_, { conversationId }) => ({
      output: [
        ...registry()
          .list(conversationId)
          .map((command) => `- \`${command.usage}\`: ${command.description}`),
        "",
        "Anything else is a prompt. **Enter** sends, **Shift+Enter** starts a new line, **Esc** stops the run.",
      ].join("\n"),
    }),
  };
}
