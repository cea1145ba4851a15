import type { Profile } from "../agent/ports/ports.ts";

/** Tools that every model is offered. */
const common = [
  "read_file",
  "write_file",
  "list_directory",
  "shell",
  "grep",
  "glob",
  "web_fetch",
  "ask_user",
  "read_tool_output",
  "spawn_agent",
  "send_input",
  "wait",
  "close_agent",
  "current_time",
  "calculate",
  "new_session",
  "stop_listening",
];

/** Exact replacement is how Claude edits best. */
export const anthropicProfile: Profile = {
  toolNames: [...common, "edit_file"],
  notes:
    "To change a file, read it first, then use edit_file with enough of the lines around the place that they occur only once. write_file is for new files and whole rewrites.",
  projectDocuments: ["CLAUDE.md"],
};

/** OpenAI's models are trained on the patch format. */
export const openaiProfile: Profile = {
  toolNames: [...common, "apply_patch"],
  notes:
    "To change files, read them first, then use apply_patch; one patch may change several files. Lines of context and removed lines must be in the file as they stand, without line numbers. write_file is for new files and whole rewrites.",
  projectDocuments: [".codex/instructions.md"],
};

/** A long context: several files at once are cheaper than one round each. */
export const geminiProfile: Profile = {
  toolNames: [...common, "edit_file", "read_many_files"],
  notes:
    "To look at several files, use read_many_files once instead of read_file for each. To change a file, read it first, then use edit_file with enough of the lines around the place that they occur only once.",
  projectDocuments: ["GEMINI.md"],
};

/** What the offline assistant's patterns lead to. */
export const offlineProfile: Profile = {
  toolNames: [
    "read_file",
    "list_directory",
    "shell",
    "grep",
    "glob",
    "current_time",
    "calculate",
    "new_session",
    "stop_listening",
  ],
  notes: "",
  projectDocuments: [],
};

/** What any of them reads of a project beside AGENTS.md. */
export const projectDocumentNames: readonly string[] = [
  ...new Set(
    [anthropicProfile, openaiProfile, geminiProfile, offlineProfile].flatMap((one) => one.projectDocuments),
  ),
];
