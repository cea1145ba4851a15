/** What the window shows of the MCP servers. */

export type McpServerState = "starting" | "ready" | "failed" | "stopped" | "needs_sign_in" | "needs_approval";

export interface McpToolView {
  name: string;
  description: string;
  /** Whether the model is offered it. */
  isOn: boolean;
}

/** A prompt of a server, as a command. */
export interface McpPromptView {
  /** `server:prompt`. */
  name: string;
  /** As it is typed. */
  usage: string;
  description: string;
}

/** All that counts of an entry, with its variables filled in, and what a yes to it is given for. */
export interface McpProposal {
  fingerprint: string;
  lines: readonly { label: string; text: string }[];
}

/** Files that appeared in the folder while a fenced server ran, and that were taken out. */
export interface McpPutAsideFiles {
  id: string;
  /** Where they were, and where they are now. */
  folder: string;
  place: string;
  paths: readonly string[];
  /** What is in them. */
  detail: string;
}

export interface McpServerView {
  name: string;
  state: McpServerState;
  /** Why it is not ready, in words. */
  why: string | null;
  /** What is started, or where it is: a command or an address. */
  what: string;
  /** Where its entry stands. `project`: the file of the conversation's working folder, `settings`: settings.json. */
  source: "settings" | "user" | "project";
  /** What an entry of a folder's file does as it stands now; null for one of the user's, and where it cannot be told. */
  proposal: McpProposal | null;
  /** Whether its program runs in the fence, and whether the user may switch that; null: it is no program here. */
  fence: { isOn: boolean; canSwitch: boolean } | null;
  /** What it waits for the user to let it reach, as `host:port`. */
  asksForHosts: readonly string[];
  /** What waits for the user to say whether it goes back. */
  left: readonly McpPutAsideFiles[];
  /** The last lines of one that failed. */
  log: readonly string[];
  restarts: number;
  tools: McpToolView[];
  /** Tools that no model can be offered, each with why. */
  leftOut: readonly string[];
  prompts: McpPromptView[];
}

export interface McpView {
  servers: McpServerView[];
  /** Entries that cannot be read, in words. */
  problems: string[];
}

/** What can be done about one server. `restart` also tries again, starts what was stopped, and signs in. */
export const mcpActions = [
  "restart",
  "stop",
  "allow",
  "remove",
  "fence",
  "unfence",
  "allow-host",
  "deny-host",
  "put-back",
  "leave-out",
] as const;
export type McpAction = (typeof mcpActions)[number];
