import { z } from "zod";
import { stoppedMark } from "../../shared/conversation/unfinished-call.ts";
import type { Tool } from "../agent/ports/ports.ts";
import { fencedRun, fenceNotes } from "./process/fenced-shell.ts";

const maxTimeoutMs = 600_000;
/** UTF-16 units that are shown while a command runs; the result has the rest. */
const maxLive = 200_000;

const input = z.object({
  command: z.string().min(1).describe("The command, for bash."),
  working_directory: z.string().optional().describe("The folder to run it in. Default: the working folder."),
  timeout_ms: z
    .number()
    .int()
    .min(1)
    .max(maxTimeoutMs)
    .optional()
    .describe("End the command after so many milliseconds, up to 600000."),
});

export const shellTool: Tool<z.infer<typeof input>> = {
  name: "shell",
  description:
    "Run a shell command and get its output and exit code. It has no terminal and no input, so a command that asks questions or opens an editor or a pager fails: use its non-interactive options. Each call is a new shell: cd and variables do not last. Processes that it leaves in the background end with it.",
  input,
  effect: "execute",
  withPaths: (call, of, folder) => ({
    ...call,
    working_directory: call.working_directory === undefined ? folder : of(call.working_directory),
  }),
  describe: ({ command, working_directory, timeout_ms }) =>
    [
      command,
      ...(working_directory === undefined ? [] : [`(in ${working_directory})`]),
      ...(timeout_ms === undefined ? [] : [`(for at most ${timeout_ms} ms)`]),
    ].join("\n"),
  async run({ command, working_directory, timeout_ms }, context) {
    const { environment, settings, signal, progress } = context;
    const timeoutMs = timeout_ms ?? settings.shellTimeoutMs;
    const result = await environment.execCommand(command, {
      timeoutMs,
      signal,
      workingDirectory: working_directory,
      environmentPolicy: settings.environmentPolicy,
      fence: fencedRun(context),
      onOutput: bounded(progress),
    });
    const said = result.output === "" || result.output.endsWith("\n") ? result.output : `${result.output}\n`;
    const notes = await fenceNotes(result.fenced, context);
    if (result.aborted) {
      return { text: `${said}${stoppedMark}${notes}`, isError: true };
    }
    if (result.fenced?.ended) {
      return { text: `${said}[ended: ${result.fenced.ended}; the output ends here]${notes}`, isError: true };
    }
    if (result.timedOut) {
      return {
        text: `${said}[ended after ${timeoutMs} ms, before it had finished; the output ends here. A longer time: timeout_ms, up to ${maxTimeoutMs}]${notes}`,
        isError: true,
      };
    }
    const how = result.exitCode === null ? "ended by a signal" : `exit code ${result.exitCode}`;
    return { text: `${said}[${how}]${notes}`, ...(result.exitCode !== 0 && { isError: true }) };
  },
};

/** A command that floods its output must not flood whoever watches. */
function bounded(progress: (text: string) => void): (text: string) => void {
  let left = maxLive;
  return (text) => {
    if (left <= 0) return;
    left -= text.length;
    progress(left > 0 ? text : `${text}\n… (more output is not shown while the command runs)\n`);
  };
}
