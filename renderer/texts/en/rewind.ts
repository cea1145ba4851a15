import { counted, plural } from "../plural.ts";

/** Ways back in a conversation. */
export const rewind = {
  parts: {
    both: "Both",
    files: "Files",
    conversation: "Conversation",
  },
  title: "Rewind to before this prompt?",
  titleOfFiles: "Rewind all that was changed here?",
  titleOfFile: (path: string) => `Rewind what was changed in ${path}?`,
  done: "Rewound",
  before: "Before",
  whatGoesBack: "What to rewind",
  conflicts: (count: number) =>
    `${plural(count, "One file has", `${count} files have`)} changed since Parley touched ${plural(count, "it", "them")}`,
  leave: (count: number) => `Leave ${plural(count, "it as it is", "them as they are")}`,
  overwrite: "Overwrite",
  rewind: "Rewind",
  promptsLeft: (count: number) =>
    `${counted(count, "prompt", "prompts")} left the conversation; the branch is kept.`,
  noFileChanged: "No files changed.",
  results: {
    restored: "restored",
    removed: "removed",
    skipped: "skipped",
    failed: "failed",
  },
  resultWhy: (result: string, why: string) => `${result}: ${why}`,
  actions: {
    restore: "will be restored",
    remove: "will be removed",
    same: "stays",
  },
  changedSince: "Changed since",
  canBeTakenBack: "You can take it back with Redo.",
  tooLarge: "too large to compare",
  showDiff: "Show the changes (Enter)",
  cannotRestore: (count: number) => `${plural(count, "One path", `${count} paths`)} can't be restored`,
  noFileGoesBack: "No file goes back.",
  filesGoBack: (count: number) => `${counted(count, "file goes", "files go")} back.`,
  noFileSince: "No files have changed since.",
  noPrompts: "No prompts leave the conversation.",
  prompts: (count: number) =>
    `${counted(count, "prompt leaves", "prompts leave")} the conversation; the branch is kept.`,
};
