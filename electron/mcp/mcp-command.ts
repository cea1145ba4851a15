import { whoseTheyAre, whyTakenOut } from "../../shared/safety/left-files.ts";
import { visibleText } from "../../shared/safety/visible-text.ts";
import type { Command, CommandAnswer } from "../commands/registry.ts";
import type { ProposalLine } from "./config/proposal.ts";
import type { McpManager } from "./manager.ts";
import type { McpServer, ServerState } from "./server.ts";
import { type ServerActions, sourceName } from "./server-actions.ts";

const usage =
  "/mcp [list] · status NAME · restart NAME · stop NAME · logs NAME · tools NAME · on NAME TOOL · off NAME TOOL · allow NAME [yes] · fence NAME on | off · host NAME HOST:PORT allow | deny · left NAME [back | out] · add JSON · add NAME COMMAND… · add NAME URL · remove NAME · import";

/** Where it was typed: with the servers that the conversation has. */
interface Here {
  actions: ServerActions;
  manager: McpManager;
  folder: string | undefined;
  conversationId: string;
  redact(text: string): string;
  /** What `allow` showed, by conversation, folder and name: a yes is for that. */
  shown: Map<string, string>;
}

type Action = (
  here: Here,
  args: string[],
  typed: string | undefined,
) => CommandAnswer | Promise<CommandAnswer>;

/**
 * `/mcp`: the servers and what they do. It answers at once; a start goes on by itself.
 * @param folderOf the working folder of a conversation; without it, that of new ones counts
 * @param redact takes secrets out of what is shown, as is done to every answer
 */
export function mcpCommand(
  actions: ServerActions,
  folderOf?: (conversationId: string) => string,
  redact: (text: string) => string = (text) => text,
): Command {
  const shown = new Map<string, string>();
  return {
    name: "mcp",
    usage,
    description: "MCP servers: list, add, remove, restart, read their logs",
    run: ([action = "list", ...args], { typed, conversationId }) => {
      const act = Object.hasOwn(ways, action) ? ways[action] : undefined;
      const folder = folderOf?.(conversationId);
      const here = { actions, manager: actions.manager, folder, conversationId, redact, shown };
      return act ? act(here, args, typed?.replace(/^\S+\s*/, "")) : wrong(`\`/mcp ${action}\` is not known.`);
    },
  };
}

const ways: Readonly<Record<string, Action>> = {
  list,
  status: (here, [name]) => (name === undefined ? list(here) : status(serverAt(here, name))),
  restart: (here, [name]) =>
    withName(name, async (known) => {
      const server = serverAt(here, known);
      await server.restart();
      return { output: `\`${known}\` is restarting. \`/mcp status ${known}\` shows how it went.` };
    }),
  stop: (here, [name]) =>
    withName(name, async (known) => {
      await serverAt(here, known).stop();
      return { output: `\`${known}\` is stopped. \`/mcp restart ${known}\` starts it again.` };
    }),
  logs: (here, [name]) =>
    withName(name, (known) => {
      const lines = serverAt(here, known).log.tail(50);
      return { output: lines.length > 0 ? fenced(lines) : `\`${known}\` has written nothing.` };
    }),
  allow: (here, [name, word]) => withName(name, (known) => allow(here, known, word)),
  fence: ({ manager, folder }, [name, word]) =>
    withName(name, async (known) => {
      if (word !== "on" && word !== "off") return wrong("`on` or `off` is missing.");
      await manager.switchFence(known, word === "on", folder);
      return {
        output: `From now on \`${known}\` runs ${word === "on" ? "in the fence" : "without a fence"}.`,
      };
    }),
  host: (here, [name, host, word]) =>
    withName(name, (known) => {
      if (host === undefined || (word !== "allow" && word !== "deny"))
        return wrong("Name a host, and `allow` or `deny`.");
      serverAt(here, known).pendingHosts.answer(host, word === "allow");
      return { output: `\`${known}\` ${word === "allow" ? "may" : "may not"} reach \`${host}\`.` };
    }),
  left: (here, [name, word]) => withName(name, (known) => left(serverAt(here, known), word, here.redact)),
  tools: (here, [name]) => withName(name, (known) => tools(here.manager, serverAt(here, known))),
  on: (here, args) => switched(here, args, true),
  off: (here, args) => switched(here, args, false),
  add: async ({ actions }, args, typed = "") => {
    try {
      const names = (await actions.add(args, typed)).map((name) => `\`${name}\``);
      return { output: `Added ${names.join(", ")}. \`/mcp\` shows how it starts.` };
    } catch (error) {
      return wrong(error instanceof Error ? error.message : String(error));
    }
  },
  remove: ({ actions, folder }, [name]) =>
    withName(name, async (known) => {
      await actions.remove(known, folder);
      return { output: `\`${known}\` is removed.` };
    }),
  import: async ({ actions }) => {
    const lines = await actions.import();
    return { output: lines.join("\n") || "No configuration of Claude Desktop or VS Code was found." };
  },
};

const serverAt = ({ manager, folder }: Here, name: string) => manager.server(name, folder);

/** Files that appeared while it ran in the fence, and were taken out: which, or what becomes of all of them. */
async function left(
  { config, pendingFiles: leftDesk }: McpServer,
  word: string | undefined,
  redact: (text: string) => string,
): Promise<CommandAnswer> {
  const { waiting } = leftDesk;
  if (waiting.length === 0) return { output: `\`${config.name}\` left no files that wait for you.` };
  if (word === "back" || word === "out") {
    for (const { place } of waiting) await leftDesk.answer(place, word === "back");
    const places = waiting.map(({ place }) => `\`${place}\``).join(", ");
    return { output: word === "back" ? "They are back in the folder." : `They stay in ${places}.` };
  }
  const lines = waiting.map(({ folder, place, detail }) =>
    [`From \`${folder}\`, now in \`${place}\`:`, fenced(visibleText(redact(detail)).split("\n"))].join(
      "\n\n",
    ),
  );
  const how = `\`/mcp left ${config.name} back\` puts them back, \`out\` leaves them out.`;
  return { output: [...lines, `${whyTakenOut} ${whoseTheyAre} ${how}`].join("\n\n") };
}

/** Shows what would run; the second time, with `yes`, what was shown may. */
function allow(here: Here, name: string, word: string | undefined): CommandAnswer {
  const { manager, folder, conversationId, redact, shown } = here;
  const proposal = serverAt(here, name).proposal();
  if (!proposal) return { output: `You configured \`${name}\` yourself, so it needs no permission to run.` };
  const key = JSON.stringify([conversationId, folder, name]);
  if (word === "yes" && shown.get(key) === proposal.fingerprint) {
    manager.allow(name, proposal.fingerprint, folder);
    return { output: `\`${name}\` may run as shown, and is starting.` };
  }
  const lines = proposal.lines.map(({ label, text }: ProposalLine) => `${label}: ${text}`);
  const output = `The working folder's \`.mcp.json\` has \`${name}\` do this:\n\n${fenced(lines)}\n\n`;
  if (redact(output) !== output) {
    // Who says yes has seen all of it.
    return {
      output: `${output}Parts that look like secrets are left out here. The list of MCP servers shows all of it, and can start it.`,
    };
  }
  shown.set(key, proposal.fingerprint);
  return { output: `${output}\`/mcp allow ${name} yes\` lets it run, for as long as it stays exactly this.` };
}

function tools(manager: McpManager, server: McpServer): CommandAnswer {
  const { name } = server.config;
  const lines = (server.connection?.tools ?? []).map(
    (tool) => `- ${manager.isToolOn(server, tool.name) ? "●" : "○"} \`${tool.name}\``,
  );
  return { output: lines.join("\n") || `\`${name}\` offers no tools right now.` };
}

function switched(
  { actions, folder }: Here,
  [name, tool]: string[],
  isOn: boolean,
): CommandAnswer | Promise<CommandAnswer> {
  return withName(name, (known) => {
    if (tool === undefined) return wrong("Name a tool.");
    actions.switchTool(known, tool, isOn, folder);
    return { output: `\`${tool}\` of \`${known}\` is ${isOn ? "offered" : "no longer offered"}.` };
  });
}

const mark: Record<ServerState, string> = {
  ready: "●",
  starting: "…",
  failed: "✗",
  stopped: "○",
  needs_sign_in: "!",
  needs_approval: "!",
};

function list({ manager, folder }: Here): CommandAnswer {
  const lines = manager.serversIn(folder).map((server) => {
    const { name, state, why, restarts } = server.status;
    const tools = server.connection ? `, ${server.connection.tools.length} tools` : "";
    const again = restarts > 0 ? `, restarts: ${restarts}` : "";
    const hosts = server.pendingHosts.waiting.map((host) => `. It wants to reach \`${host}\``).join("");
    return `- ${mark[state]} \`${name}\`: ${words(state)}${tools}${again}${why ? `. ${why}` : ""}${hosts}`;
  });
  for (const { message } of manager.problemsIn(folder)) lines.push(`- ✗ ${message}`);
  if (lines.length === 0)
    return {
      output: `No MCP servers are configured. Add one with \`/mcp add\` and the configuration from its README.`,
    };
  return { output: lines.join("\n") };
}

function status(server: McpServer): CommandAnswer {
  const { name, state, why, log, restarts } = server.status;
  const { connection, config } = server;
  const info = connection?.client.getServerVersion();
  const lines = [
    `\`${name}\` is **${words(state)}**.${why ? ` ${why}` : ""}`,
    `- from: ${sourceName[config.source]}`,
    info ? `- server: ${info.name} ${info.version}` : "",
    restarts > 0 ? `- restarts: ${restarts}` : "",
    connection ? `- tools: ${connection.tools.map((tool) => `\`${tool.name}\``).join(", ") || "none"}` : "",
    connection && connection.leftOut.length > 0
      ? `- tools that can't be used: ${visibleText(connection.leftOut.join("; "))}`
      : "",
    connection && connection.prompts.length > 0
      ? `- prompts: ${connection.prompts.map((prompt) => `\`/${name}:${prompt.name}\``).join(", ")}`
      : "",
    log.length > 0 ? `\nIts last lines:\n${fenced(log)}` : "",
    state === "failed" ? `\n\`/mcp restart ${name}\` tries again.` : "",
  ];
  return { output: lines.filter((line) => line !== "").join("\n") };
}

const words = (state: ServerState) => state.replaceAll("_", " ");

/** With more marks than any line has: what a server wrote must stay in its block. */
function fenced(lines: readonly string[]): string {
  const longest =
    lines
      .join("\n")
      .match(/`+/g)
      ?.reduce((most, run) => Math.max(most, run.length), 0) ?? 0;
  const fence = "`".repeat(Math.max(3, longest + 1));
  return `${fence}\n${lines.join("\n")}\n${fence}`;
}

function withName(
  name: string | undefined,
  act: (name: string) => CommandAnswer | Promise<CommandAnswer>,
): CommandAnswer | Promise<CommandAnswer> {
  return name === undefined ? wrong("Name a server.") : act(name);
}

const wrong = (what: string): CommandAnswer => ({ output: `${what} Usage: \`${usage}\``, isError: true });
