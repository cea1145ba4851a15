import { homedir } from "node:os";
import { app } from "electron";
import type { Attachment } from "../../../shared/conversation/attachments.ts";
import { textOf } from "../../../shared/conversation/messages.ts";
import type { Settings } from "../../../shared/settings.ts";
import { systemClock } from "../../agent/conversation/system-clock.ts";
import type { Fences } from "../../agent/ports/ports.ts";
import type { Command } from "../../commands/registry.ts";
import { putBackAgain } from "../../fence/watch/take-away.ts";
import { askInRun, type ServerModel } from "../../mcp/asking/asking.ts";
import { ConfigFiles } from "../../mcp/config/config-files.ts";
import type { VariableSources } from "../../mcp/config/expand.ts";
import { isProgram } from "../../mcp/config/is-program.ts";
import { loginShellPath } from "../../mcp/config/login-shell.ts";
import { McpManager } from "../../mcp/manager.ts";
import { mcpCommand } from "../../mcp/mcp-command.ts";
import type { SecretStore } from "../../mcp/ports.ts";
import { ServerActions } from "../../mcp/server-actions.ts";
import { listPrompts, promptContent } from "../../mcp/tools/resources.ts";
import { childEnvironment } from "../../tools/process/child-environment.ts";
import type { GroupRecord } from "../../tools/process/group-record.ts";
import { startInGroup } from "../../tools/process/process-group.ts";
import { spawnServer } from "../../tools/process/spawn-server.ts";
import { isPublicHost } from "../../tools/web/web-address.ts";
import { openLink } from "../shell/security.ts";
import { serverFence } from "./server-fence.ts";

export interface McpServersOptions {
  settings(): Settings;
  /** @param folder whose `.env` counts beside the user's own; null: none */
  variables(folder: string | null): VariableSources;
  /** Resolves when it is known whether there is a fence. */
  fenceKnown: Promise<unknown>;
  /** Whether a fence can be counted on now. */
  hasFence(): boolean;
  fences: Pick<Fences, "of" | "forget">;
  /** Whether a file of a folder counts at all; its entries are allowed one by one. */
  isTrusted(path: string): boolean;
  userData: string;
  /** Of new conversations. */
  workingFolder: string;
  /** The one of a conversation. */
  folderOf(conversationId: string): string;
  /** Where what is started is on record while it lives. */
  record: GroupRecord;
  secrets: SecretStore;
  fetch: typeof fetch;
  model: ServerModel;
  /** Puts a prompt into a conversation. */
  submit(conversationId: string, text: string, attachments: readonly Attachment[]): void;
  log(line: string): void;
  /** A server's state or lists are new. */
  onChange(): void;
  redact(text: string): string;
  /** What a server was started with: secrets among it are to be kept out of all that is written. */
  know(variables: Readonly<Record<string, string>>): void;
  /** A server's end and its next start. */
  warn(line: string): void;
}

export interface McpServers {
  manager: McpManager;
  actions: ServerActions;
  command: Command;
  /** `/server:prompt`, as the servers of a conversation have them now. */
  promptCommands(conversationId: string): Command[];
}

/** The MCP servers of the app. Nothing runs before the manager's `load`. */
export function createMcpServers(options: McpServersOptions): McpServers {
  const { settings, userData, workingFolder, secrets, fetch, model, submit, log } = options;
  const home = homedir();
  const { record } = options;
  const start = spawnServer((file, args, place) => startInGroup(file, args, { ...place, record }));
  const spawn: typeof start = (command, args, place) => {
    options.know(place.env);
    return start(command, args, place);
  };
  const files = new ConfigFiles({
    settings: () => settings().mcpServers,
    userData,
    isTrusted: options.isTrusted,
  });
  const asking = askInRun(model, (secret) => options.know({ FORM_SECRET: secret }));
  // Asked for once, by the first program that is started.
  let path: Promise<string | null> | undefined;
  const serverEnvironment = async (): Promise<Record<string, string>> => {
    path ??= loginShellPath({
      env: childEnvironment("filtered", process.env),
      platform: process.platform,
      home,
      spawn,
      clock: systemClock,
      onProblem: log,
    });
    const env = childEnvironment(settings().environmentPolicy, process.env);
    const shellPath = await path;
    return shellPath === null ? env : { ...env, PATH: shellPath };
  };
  const manager = new McpManager({
    files,
    fenceKnown: options.fenceKnown,
    onCall: asking.onCall,
    context: {
      clock: systemClock,
      spawn,
      fetch,
      secrets,
      isPublicHost: (host) => isPublicHost(host),
      openExternal: openLink,
      childEnvironment: serverEnvironment,
      variables: options.variables,
      isFenceThere: options.hasFence,
      fenceFor: (config, folder) => serverFence(options.fences, config, { folder, userData }),
      putBack: putBackAgain,
      workingFolder,
      home,
      version: app.getVersion(),
      sampling: asking.sampling,
      elicitation: asking.elicitation,
    },
    onLog: (server, line) => {
      const tell = line.startsWith("(Parley)") ? options.warn : log;
      tell(`mcp ${server}: ${line}`);
    },
  });
  const places = { platform: process.platform, home, env: process.env };
  const actions = new ServerActions({
    ...{ manager, files, places },
    hasProgram: async (command) => isProgram(command, await serverEnvironment()),
  });
  manager.onChange(options.onChange);
  return {
    manager,
    actions,
    command: mcpCommand(actions, options.folderOf, options.redact),
    promptCommands: (conversationId) => {
      const folder = options.folderOf(conversationId);
      return listPrompts(manager, folder).map((prompt) => ({
        ...prompt,
        run: async (words) => {
          const signal = AbortSignal.timeout(promptTimeoutMs);
          const content = await promptContent(manager, prompt.name, words, signal, folder);
          const images = content.filter((block) => block.type === "image");
          const text = images.map(({ source }) => source.media_type).join(", ");
          submit(
            conversationId,
            textOf(content),
            images.length > 0 ? [{ from: `/${prompt.name}`, text, images }] : [],
          );
          return { output: `\`/${prompt.name}\` is sent.` };
        },
      }));
    },
  };
}

/** Longest that a prompt may take to come, in milliseconds. */
const promptTimeoutMs = 30_000;
