import type { CommandSummary } from "../../shared/ipc.ts";

/** `/help`: every command with its usage. */
export function helpCommand(list: (conversationId: string) => readonly CommandSummary[]) {
  return {
    name: "help",
    usage: "/help",
    description: "What can be typed here",
    run: (_: string[], { conversationId }: { conversationId: string }) => ({
      output: [
        ...list(conversationId).map((command) => `- \`${command.usage}\`: ${command.description}`),
        "",
        "Anything else is a prompt. **Enter** sends, **Shift+Enter** starts a new line, **Esc** stops the run.",
      ].join("\n"),
    }),
  };
}
