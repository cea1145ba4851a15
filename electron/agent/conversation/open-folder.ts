import type { UserError } from "../../../shared/conversation/events.ts";
import type { AgentOptions } from "../ports/agent-options.ts";
import { EnvironmentError, type ExecutionEnvironment } from "../ports/ports.ts";

/**
 * Opens a conversation's folder or, where that is gone, the one that new conversations work in.
 * @param folder absolute, and free of links
 * @param onGone told of the other folder, and of why
 * @throws EnvironmentError when the other one cannot be had either
 */
export async function openFolder(
  { openEnvironment, workingFolder }: Pick<AgentOptions, "openEnvironment" | "workingFolder">,
  folder: string,
  onGone: (fallback: string, problem: UserError) => void,
): Promise<ExecutionEnvironment> {
  const fallback = workingFolder();
  try {
    const environment = await openEnvironment(folder);
    if (environment.workingDirectory === folder) return environment;
    // Commands of a conversation above it may put one there: only the user says where another one works.
    throw new EnvironmentError(`${folder} is a link to another folder now.`);
  } catch (error) {
    if (folder === fallback) throw error;
    const why = error instanceof Error ? error.message : String(error);
    onGone(fallback, {
      code: "working_folder",
      message: `${why} This conversation continues in ${fallback}.`,
      hint: "`/cd PATH` chooses another folder.",
    });
    return await openEnvironment(fallback);
  }
}
