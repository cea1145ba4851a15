import type { Command } from "../commands/registry.ts";

export interface FolderCommandOptions {
  conversation(conversationId: string): {
    readonly workingFolder: string;
    /** @throws Error while something runs, or when it is not there */
    changeFolder(folder: string): Promise<void>;
  };
  /** An absolute path from what was typed: relative ones start at `folder`, `~` is the home folder. */
  resolvePath(path: string, folder: string): string;
}

/** `/cd`: where this conversation works. */
export function folderCommand({ conversation, resolvePath }: FolderCommandOptions): Command {
  return {
    name: "cd",
    usage: "/cd [PATH]",
    description: "Show or change the folder this conversation works in",
    run: async (words, { conversationId }) => {
      const target = conversation(conversationId);
      const typed = words.join(" ").trim();
      if (typed !== "") await target.changeFolder(resolvePath(typed, target.workingFolder));
      const verb = typed === "" ? "works" : "now works";
      return { output: `This conversation ${verb} in \`${target.workingFolder}\`.` };
    },
  };
}
