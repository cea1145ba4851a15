import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type {
  ExecutionEnvironment,
  Tool,
  ToolContext,
  ToolOutput,
} from "../../../electron/agent/ports/ports.ts";
import { openLocalEnvironment } from "../../../electron/tools/environment/local-environment.ts";
import { builtInTools } from "../../../electron/tools/registry.ts";
import { defaultSettings, type Settings } from "../../../shared/settings.ts";
import { InstantClock } from "../../fakes/clock.ts";
import { pageThread } from "../../fixtures/page-thread.ts";

/** The built-in tools on a temporary folder: `work` inside `base`, which is the home folder. */
export interface ToolRig {
  base: string;
  environment: ExecutionEnvironment;
  tools: readonly Tool[];
  /** What tools said while they ran. */
  progress: string[];
  at(...path: string[]): string;
  call(name: string, input: object, changes?: ContextChanges): Promise<ToolOutput>;
  /** The result's text; throws what the tool throws. */
  run(name: string, input: object, changes?: ContextChanges): Promise<string>;
  close(): Promise<void>;
}

export type ContextChanges = Partial<Omit<ToolContext, "settings">> & { settings?: Partial<Settings> };

export async function createToolRig(
  wrap: (environment: ExecutionEnvironment) => ExecutionEnvironment = (environment) => environment,
): Promise<ToolRig> {
  const base = await mkdtemp(join(tmpdir(), "parley-tools-"));
  const local = await openLocalEnvironment("~/work", { home: base });
  const environment = wrap(local);
  const tools = builtInTools({
    clock: new InstantClock(),
    pageThread,
    actions: { newSession: async () => {}, stopListening: async () => false },
  });
  const progress: string[] = [];
  const call = async (name: string, input: object, { settings, ...changes }: ContextChanges = {}) => {
    const tool = tools.find((candidate) => candidate.name === name);
    if (!tool) throw new Error(`no tool ${name}`);
    const context = { ...contextOf(environment, progress), ...changes };
    return await tool.run(tool.input.parse(input), {
      ...context,
      settings: { ...defaultSettings, ...settings },
    });
  };
  return {
    base,
    environment,
    tools,
    progress,
    at: (...path) => join(base, "work", ...path),
    call,
    run: async (...args) => (await call(...args)).text,
    async close() {
      await local.cleanup();
      await rm(base, { recursive: true });
    },
  };
}

function contextOf(environment: ExecutionEnvironment, progress: string[]): ToolContext {
  const nobody = () => {
    throw new Error("nobody is there");
  };
  return {
    conversationId: "c",
    toolUseId: "t",
    source: null,
    settings: defaultSettings,
    environment,
    signal: new AbortController().signal,
    progress: (text) => progress.push(text),
    ask: async () => nobody(),
    subagents: {
      running: 0,
      checkModel: async () => nobody(),
      spawn: nobody,
      sendInput: nobody,
      wait: async () => nobody(),
      close: async () => nobody(),
    },
    approve: async () => ({ allowed: false }),
    fullOutput: () => undefined,
  };
}
