import { visibleText } from "../../shared/safety/visible-text.ts";
import type { McpProposal, McpServerView, McpView } from "../../shared/servers/mcp.ts";
import type { ServerConfig } from "./config/config-schema.ts";
import type { McpManager } from "./manager.ts";
import type { McpServer } from "./server.ts";
import { promptsOf } from "./tools/resources.ts";

/** The servers of a working folder as the window shows them. What a server says of itself is shown with what would hide in it. */
export function serversView(manager: McpManager, folder: string, redact: (text: string) => string): McpView {
  return {
    servers: manager.serversIn(folder).map((server) => serverView(manager, server, redact)),
    problems: manager.problemsIn(folder).map(({ message }) => redact(message)),
  };
}

const maxDescription = 300;

/** Not redacted: what a folder brings is trusted as it stands there. The user's secrets are not in it. */
function proposalOf(server: McpServer): McpProposal | null {
  try {
    return server.proposal();
  } catch {
    // A variable is missing: that is said where it was to start.
    return null;
  }
}

/** Of what somebody else put into a folder all counts that says what runs: it is shown before it is trusted. */
function whatOf({ entry, source }: ServerConfig): string {
  const { command = "", args, env, cwd, url, headers } = entry;
  const main = url ?? [command, ...args].join(" ");
  if (source !== "project") return main;
  const variables = Object.entries(env).map(([name, value]) => `${name}=${value}`);
  const sent = Object.entries(headers).map(([name, value]) => `, ${name}: ${value}`);
  return [...variables, `${main}${sent.join("")}`, ...(cwd === undefined ? [] : [`(in ${cwd})`])].join(" ");
}

function serverView(manager: McpManager, server: McpServer, redact: (text: string) => string): McpServerView {
  const { connection, config, status } = server;
  const { source } = config;
  return {
    ...status,
    why: status.why === null ? null : visibleText(redact(status.why)),
    log: status.log.map((line) => visibleText(redact(line))),
    source,
    proposal: proposalOf(server),
    fence:
      config.entry.command === undefined ? null : { isOn: server.isFenced, canSwitch: source !== "project" },
    asksForHosts: server.pendingHosts.waiting.map(visibleText),
    left: server.pendingFiles.waiting.map(({ folder, place, paths, detail }) => ({
      id: place,
      folder: visibleText(folder),
      place: visibleText(place),
      paths: paths.map(visibleText),
      detail: visibleText(redact(detail)),
    })),
    // As it is configured: what its variables stand for may be secret.
    what: visibleText(redact(whatOf(config))),
    tools: (connection?.tools ?? []).map(({ name, title, description }) => ({
      name: visibleText(name),
      description: visibleText((description ?? title ?? "").slice(0, maxDescription)),
      isOn: manager.isToolOn(server, name),
    })),
    leftOut: (connection?.leftOut ?? []).map((why) => visibleText(why.slice(0, maxDescription))),
    prompts: promptsOf(server).map(({ name, usage, description }) => ({
      name: visibleText(name),
      usage: visibleText(usage),
      description: visibleText(description.slice(0, maxDescription)),
    })),
  };
}
