import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";
import { systemClock } from "../../../electron/agent/conversation/system-clock.ts";
import type { Clock, ToolContext } from "../../../electron/agent/ports/ports.ts";
import { ConfigFiles } from "../../../electron/mcp/config/config-files.ts";
import { McpManager } from "../../../electron/mcp/manager.ts";
import type { ConnectionContext, SpawnServer } from "../../../electron/mcp/ports.ts";
import type { OnCall } from "../../../electron/mcp/tools/tool-proxy.ts";
import { childEnvironment } from "../../../electron/tools/process/child-environment.ts";
import { startInGroup } from "../../../electron/tools/process/process-group.ts";
import { spawnServer } from "../../../electron/tools/process/spawn-server.ts";
import { defaultSettings } from "../../../shared/settings.ts";
import { MemorySecrets } from "../../fakes/memory-secrets.ts";

/** Servers for real: own processes in their groups, a temporary user-data folder. Only the user is played. */
export interface McpRig {
  manager: McpManager;
  files: ConfigFiles;
  /** The working folder. */
  folder: string;
  userData: string;
  /** Each line of a server's log, with its name before it. */
  lines: string[];
  opened: string[];
  secrets: MemorySecrets;
  /** The user has seen what an entry of the folder's file runs, and says yes. */
  allow(name: string, folder?: string): void;
  close(): Promise<void>;
}

export interface McpRigOptions {
  servers?: Record<string, unknown>;
  clock?: Clock;
  /** The user's variables. */
  env?: Record<string, string>;
  /** What the `.env` of a folder says. */
  folderEnv?: Record<string, string>;
  context?: Partial<ConnectionContext>;
  onCall?: OnCall;
  spawn?: SpawnServer;
  fenceKnown?: Promise<unknown>;
}

export const scripted = (script: object = {}, more: object = {}) => ({
  command: process.execPath,
  args: [resolve(import.meta.dirname, "../../fakes/mcp/scripted-mcp-server.mjs"), JSON.stringify(script)],
  ...more,
});

export const nodeModule = (path: string) => resolve(import.meta.dirname, "../../../node_modules", path);

export function createMcpRig({
  servers = {},
  clock = systemClock,
  env = {},
  folderEnv = {},
  context,
  onCall,
  fenceKnown,
}: McpRigOptions = {}): McpRig {
  const root = mkdtempSync(join(tmpdir(), "parley-mcp-"));
  const userData = join(root, "user");
  const folder = mkdtempSync(join(root, "work-"));
  const lines: string[] = [];
  const opened: string[] = [];
  const secrets = new MemorySecrets();
  const files = new ConfigFiles({ settings: () => servers, userData, isTrusted: () => true });
  const manager = new McpManager({
    files,
    fenceKnown,
    context: {
      clock,
      spawn: spawnServer(startInGroup),
      fetch,
      secrets,
      isPublicHost: async () => true,
      openExternal: async (url) => void opened.push(url),
      childEnvironment: () => childEnvironment("filtered", process.env),
      variables: (folder) => ({ own: env, folder: folder === null ? {} : folderEnv }),
      workingFolder: folder,
      home: root,
      version: "1.0.0",
      ...context,
    },
    ...(onCall && { onCall }),
    onLog: (server, line) => lines.push(`${server}: ${line}`),
  });
  return {
    manager,
    files,
    folder,
    userData,
    lines,
    opened,
    secrets,
    allow: (name, where = folder) => {
      const proposal = manager.server(name, where).proposal();
      manager.allow(name, proposal?.fingerprint ?? "", where);
    },
    async close() {
      await manager.dispose();
      rmSync(root, { recursive: true });
    },
  };
}

/** Resolves when `holds`; asked after every change of a server. */
export async function whenManager(manager: McpManager, holds: () => boolean): Promise<void> {
  if (holds()) return;
  await new Promise<void>((resolve) => {
    const end = manager.onChange(() => {
      if (!holds()) return;
      end();
      resolve();
    });
  });
}

export const stateOf = (manager: McpManager, name: string) => manager.server(name).status.state;

/** What a call of a tool has around it, as far as a server's tool looks at it. */
export function callContext(more: Partial<ToolContext> = {}): ToolContext {
  const unused = () => {
    throw new Error("A server's tool has no business here.");
  };
  return {
    conversationId: "c1",
    toolUseId: "t1",
    source: null,
    settings: defaultSettings,
    get environment() {
      return unused();
    },
    signal: new AbortController().signal,
    progress: () => {},
    ask: unused,
    get subagents() {
      return unused();
    },
    approve: async () => ({ allowed: false }),
    fullOutput: () => undefined,
    ...more,
  };
}

export function writeJson(path: string, value: unknown): void {
  writeFileSync(path, JSON.stringify(value));
}
