import type { CommandSummary } from "../../shared/ipc/setting-routes.ts";
import { spokenCommandList } from "../../shared/voice/spoken-commands.ts";

/** `/help`: every command with its usage, and what can be said. */
export function helpCommand(list: (conversationId: string) => readonly CommandSummary[]) {
  return {
    name: "help",
    usage: "/help",
    description: "What you can type here",
    run: (_: string[], { conversationId }: { conversationId: string }) => ({
      output: [
        ...list(conversationId).map((command) => `- \`${command.usage}\`: ${command.description}`),
        "",
        "While Parley listens to the microphone, you can say these on their own:",
        "",
        ...spokenCommandList.map(
          ({ says, does }) => `- ${says.map((words) => `“${words}”`).join(", ")}: ${does}`,
        ),
        "",
        "Anything else is a prompt. **Enter** sends, **Shift+Enter** starts a new line, **Esc** stops the turn.",
      ].join("\n"),
    }),
  };
}
