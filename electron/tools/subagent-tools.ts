import { isAbsolute, relative } from "node:path";
import { z } from "zod";
import { startedText } from "../../shared/conversation/subagents.ts";
import type { ExecutionEnvironment, SubagentReport, Tool } from "../agent/ports/ports.ts";
import { counted } from "./environment/text-content.ts";
import { touchedPath } from "./environment/touched-path.ts";

const maxWaitMs = 600_000;
const agentId = z.string().min(1).describe("The id that spawn_agent returned.");

const spawnInput = z.object({
  task: z
    .string()
    .trim()
    .min(1)
    .describe("The task, with everything the agent has to know. It sees nothing of this conversation."),
  working_dir: z
    .string()
    .min(1)
    .optional()
    .describe("The folder in which its relative paths and commands start. Default: yours."),
  model: z
    .string()
    .trim()
    .min(1)
    .optional()
    .describe(
      "The model that works on it: opus, sonnet, haiku, from the most able to the fastest, or a full id. Default: yours.",
    ),
  max_turns: z.number().int().min(1).optional().describe("The most replies it may make. Default: no limit."),
});
const spawn: Tool<z.infer<typeof spawnInput>> = {
  name: "spawn_agent",
  description:
    "Start a sub-agent on a task of its own. It works beside you with the same tools, and you get its report with wait. Start several for independent tasks. A sub-agent that still runs when you finish is stopped.",
  input: spawnInput,
  effect: "read",
  withPaths: (call, of, folder) => ({
    ...call,
    working_dir: call.working_dir === undefined ? folder : of(call.working_dir),
  }),
  async run({ task, working_dir, model, max_turns }, { subagents, environment }) {
    if (model !== undefined) await subagents.checkModel(model);
    const folder = working_dir === undefined ? undefined : await folderIn(environment, working_dir);
    const id = subagents.spawn(task, { maxTurns: max_turns, model, folder });
    return { text: startedText(id) };
  },
};

/** @returns relative to the working folder; undefined for the working folder itself @throws EnvironmentError, Error */
async function folderIn(environment: ExecutionEnvironment, path: string): Promise<string | undefined> {
  const { kind } = await environment.stat(path);
  if (kind !== "directory") throw new Error(`${path} is not a folder.`);
  if (path.startsWith("~"))
    throw new Error("Give a path relative to the working folder, or an absolute one.");
  const way = touchedPath(isAbsolute(path) ? relative(environment.workingDirectory, path) : path);
  return way === "." || way === "" ? undefined : way;
}

const sendInputInput = z.object({
  agent_id: agentId,
  message: z.string().trim().min(1).describe("What it should know or do."),
});
const sendInput: Tool<z.infer<typeof sendInputInput>> = {
  name: "send_input",
  description: "Send a message to a sub-agent: while it works, or to give one that has finished more to do.",
  input: sendInputInput,
  effect: "read",
  async run({ agent_id, message }, { subagents }) {
    subagents.sendInput(agent_id, message);
    return { text: `Sent to ${agent_id}.` };
  },
};

const waitInput = z.object({
  agent_id: agentId,
  timeout_ms: z
    .number()
    .int()
    .min(0)
    .max(maxWaitMs)
    .default(120_000)
    .describe("How long to wait, in milliseconds, up to 600000."),
});
const wait: Tool<z.infer<typeof waitInput>> = {
  name: "wait",
  description: "Wait until a sub-agent has finished, and get its report.",
  input: waitInput,
  effect: "read",
  async run({ agent_id, timeout_ms }, { subagents }) {
    return report(agent_id, await subagents.wait(agent_id, timeout_ms));
  },
};

function report(id: string, { status, output, turns }: SubagentReport): { text: string; isError?: boolean } {
  if (status === "running") {
    return {
      text: `${id} is still working, after ${counted(turns, "turn")}. Wait again, or close it.\n${output}`.trim(),
    };
  }
  const text = `${id} ${status} after ${counted(turns, "turn")}.\n${output}`.trim();
  return status === "failed" ? { text, isError: true } : { text };
}

const closeInput = z.object({ agent_id: agentId });
const close: Tool<z.infer<typeof closeInput>> = {
  name: "close_agent",
  description: "Stop a sub-agent that you no longer need. What it has done stays done.",
  input: closeInput,
  effect: "read",
  async run({ agent_id }, { subagents }) {
    await subagents.close(agent_id);
    return { text: `Closed ${agent_id}.` };
  },
};

/** What they start asks for approval by itself, tool by tool: starting an agent changes nothing. */
export const subagentTools: readonly Tool[] = [spawn, sendInput, wait, close];
