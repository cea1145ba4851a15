import { mkdirSync, mkdtempSync, realpathSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { z } from "zod";
import type {
  ExecutionEnvironment,
  PermissionDecision,
  Tool,
  ToolContext,
} from "../../../electron/agent/ports/ports.ts";
import { createPolicy, type Policy } from "../../../electron/permissions/policy.ts";
import { editFileTool } from "../../../electron/tools/edit-file.ts";
import { openLocalEnvironment } from "../../../electron/tools/environment/local-environment.ts";
import { applyPatchTool } from "../../../electron/tools/patch/apply-patch.ts";
import { readFileTool } from "../../../electron/tools/read-file.ts";
import { readManyFilesTool } from "../../../electron/tools/read-many-files.ts";
import { shellTool } from "../../../electron/tools/shell.ts";
import { webFetchTool } from "../../../electron/tools/web/web-fetch.ts";
import { writeFileTool } from "../../../electron/tools/write-file.ts";
import type { SpeechSource } from "../../../shared/conversation/messages.ts";
import type { LevelName, PermissionRule } from "../../../shared/safety/permissions.ts";
import { defaultSettings } from "../../../shared/settings.ts";
import { pageThread } from "../../fixtures/page-thread.ts";

export interface PolicyRig {
  /** The working folder, free of links; `../outside` beside it holds a file `secret.txt`. */
  folder: string;
  policy: Policy;
  settings: {
    permissionMode: LevelName;
    permissionRules: PermissionRule[];
    fence: "on" | "off";
  };
  /** Whether commands can be fenced; there is a fence at first. */
  hasFence(is: boolean): void;
  /** What the user trusts, by path. */
  trusted: Map<string, string>;
  /** Folders that fenced commands may read besides. */
  readable: string[];
  environment: ExecutionEnvironment;
  decide(name: string, input: unknown, source?: SpeechSource | null): PermissionDecision;
  /** On a tool that is none of `tools`. */
  decideOn(tool: Tool, input: unknown): PermissionDecision;
  shell(command: string, source?: SpeechSource | null, workingDirectory?: string): PermissionDecision;
  /** On writing this file. */
  write(path: string): PermissionDecision["verdict"];
  /** Puts these in the place of all rules. */
  rules(...given: PermissionRule[]): void;
  close(): void;
}

/** What a server's tools look like; `docs__wipe` says that it destroys. */
const serverTool = (server: string, tool: string, hints?: Tool["hints"]): Tool => ({
  name: `${server}__${tool}`,
  server: { name: server, tool },
  description: "Of a server.",
  input: z.unknown(),
  effect: "execute",
  ...(hints && { hints }),
  async run() {
    throw new Error("A decision runs nothing.");
  },
});

export const tools: Readonly<Record<string, Tool>> = Object.fromEntries(
  [
    shellTool,
    writeFileTool,
    editFileTool,
    applyPatchTool,
    readFileTool(),
    readManyFilesTool,
    webFetchTool(pageThread),
    serverTool("docs", "search", { readOnly: true }),
    serverTool("docs", "save"),
    serverTool("docs", "wipe", { destructive: true }),
    { ...serverTool("docs", "peek", { readOnly: true }), effect: "read" as const },
    {
      ...serverTool("docs", "new"),
      name: "new_session",
      server: undefined,
      effect: "app" as const,
    },
  ].map((tool: Tool) => [tool.name, tool]),
);

/** Rules over a real folder with real links in it. */
export async function createPolicyRig(
  rules: readonly PermissionRule[] = [],
  level: LevelName = "ask",
): Promise<PolicyRig> {
  const home = realpathSync(mkdtempSync(join(tmpdir(), "parley-permissions-")));
  const folder = join(home, "work");
  const outside = join(home, "outside");
  for (const path of [folder, outside, join(folder, "src"), join(folder, "docs"), join(folder, "build")])
    mkdirSync(path);
  writeFileSync(join(outside, "secret.txt"), "x");
  writeFileSync(join(folder, "src/a.ts"), "const a = 1;\n");
  writeFileSync(join(folder, ".env"), "KEY=1\n");
  symlinkSync(outside, join(folder, "way-out"));
  symlinkSync(join(outside, "secret.txt"), join(folder, "innocent.txt"));
  symlinkSync(join(folder, ".env"), join(folder, "notes.txt"));
  symlinkSync(join(folder, "nowhere"), join(folder, "dangling"));
  symlinkSync(join(folder, "src"), join(folder, "way-in"));
  const environment = await openLocalEnvironment(folder);
  const settings: PolicyRig["settings"] = {
    permissionMode: level,
    permissionRules: [...rules],
    fence: "on",
  };
  const trusted = new Map<string, string>();
  const readable: string[] = [];
  const contextOf = (source: SpeechSource | null) => ({
    ...context(environment, source),
    settings: { ...defaultSettings, "fence.readable": readable },
  });
  let isThere = true;
  const policy = createPolicy({
    chosenMode: () => null,
    settings: () => settings,
    isTrusted: (path, text) => trusted.get(path) === text,
    fence: () => (isThere ? { isThere } : { isThere, why: "bubblewrap is missing", mend: null }),
    addRules: (added) => settings.permissionRules.push(...added),
  });
  const decide: PolicyRig["decide"] = (name, input, source = null) => {
    const tool = tools[name];
    if (!tool) throw new Error(`There is no tool ${name}.`);
    return policy.decide({ tool, input: tool.input.parse(input), context: contextOf(source) });
  };
  return {
    folder,
    policy,
    settings,
    trusted,
    readable,
    environment,
    decide,
    decideOn: (tool, input) => policy.decide({ tool, input, context: contextOf(null) }),
    hasFence: (is) => {
      isThere = is;
    },
    shell: (command, source, workingDirectory) =>
      decide("shell", { command, ...(workingDirectory && { working_directory: workingDirectory }) }, source),
    write: (path) => decide("write_file", { path, content: "x" }).verdict,
    rules: (...given) => {
      settings.permissionRules = given;
    },
    close: () => rmSync(home, { recursive: true }),
  };
}

function context(environment: ExecutionEnvironment, source: SpeechSource | null): ToolContext {
  const unused = () => {
    throw new Error("A decision looks at the call, and does nothing.");
  };
  return {
    conversationId: "c",
    toolUseId: "toolu_1",
    source,
    settings: defaultSettings,
    environment,
    signal: new AbortController().signal,
    progress: unused,
    ask: unused,
    approve: unused,
    subagents: {
      running: 0,
      spawn: unused,
      checkModel: unused,
      sendInput: unused,
      wait: unused,
      close: unused,
    },
    fullOutput: unused,
  };
}
