import type { ReactNode } from "react";
import { whoseTheyAre, whyTakenOut } from "../../../shared/safety/left-files.ts";
import { plural } from "../plural.ts";
import type { RichText } from "../rich.ts";

/** MCP servers. */
export const servers = {
  title: "MCP servers",
  buttonTitle: (key: string) => `MCP servers: see which are running, and choose their tools (${key})`,
  needYou: (count: number) => ` · ${count} ${plural(count, "needs you", "need you")}`,
  import: "Import",
  importTitle: "Import servers from Claude Desktop and VS Code on this computer",
  closeTitle: "Close (Esc)",
  none: "No servers yet. Paste the configuration from a server's README, or import the ones you use elsewhere.",
  problem: (what: string) => `✕ ${what}`,
  add: "Add",
  addServer: "Add a server",
  addTitle: "Add and start (Ctrl/Cmd+Enter)",
  addPlaceholder: '{ "mcpServers": { … } } from its README, or NAME COMMAND…, or NAME https://…',
  added: (names: string) => `Added ${names}.`,
  nothingToImport: "No Claude Desktop or VS Code configuration found.",
  states: {
    ready: "Running",
    starting: "Starting",
    failed: "Failed",
    stopped: "Stopped",
    needs_sign_in: "Sign-in needed",
    needs_approval: "Trust needed",
  },
  sources: {
    settings: "settings.json",
    project: "this folder's .mcp.json",
  },
  restarted: (count: number) => ` · restarted ${count}×`,
  from: (source: string) => ` · ${source}`,
  tools: (on: number, all: number) =>
    on === all ? `${all} ${plural(all, "tool", "tools")}` : `${on} of ${all} tools`,
  actions: {
    start: "Start",
    signIn: "Sign in",
    trust: "Trust and start",
    restart: "Restart",
    allow: "Allow",
    putBack: "Put back",
    leaveOut: "Leave out",
  },
  actOn: (action: string, name: string) => `${action} ${name}`,
  fence: "Fence",
  fenceTitle:
    "In the fence, it can write only to its folder and its own data, and asks before it reaches a host",
  fenceAlwaysTitle: "Servers that a folder brings always run in the fence where there is one",
  wantsHost: (host: ReactNode): RichText => ["Wants to connect to ", host],
  beforeTrust: "Nothing of it runs before you trust it. If any of this changes, you are asked again.",
  left: (paths: ReactNode, folder: ReactNode, place: ReactNode): RichText => [
    "Left ",
    paths,
    " in ",
    folder,
    `. ${whyTakenOut} ${whoseTheyAre} They were taken out, to `,
    place,
    ".",
  ],
  leftOut: (tools: readonly string[]) => `Tools that can't be used: ${tools.join("; ")}`,
  prompts: (usages: string) => `Prompts: ${usages}`,
};
