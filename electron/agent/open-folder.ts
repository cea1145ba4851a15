import type { UserError } from "../../shared/events.ts";
import type { AgentParts } from "./agent-parts.ts";
import type { ExecutionEnvironment } from "./ports.ts";

/**
 * Opens a conversation's folder or, where that is gone, the one that new conversations work in.
 * @param onGone told of the other folder, and of why
 * @throws EnvironmentError when the other one cannot be had either
 */
export async function openFolder(
  { openEnvironment, workingFolder }: Pick<AgentParts, "openEnvironment" | "workingFolder">,
  folder: string,
  onGone: (fallback: string, problem: UserError) => void,
): Promise<ExecutionEnvironment> {
  const fallback = workingFolder();
  try {
    return await openEnvironment(folder);
  } catch (error) {
    if (folder === fallback) throw error;
    const why = error instanceof Error ? error.message : String(error);
    onGone(fallback, {
      code: "working_folder",
      message: `${why} This conversation goes on in ${fallback}.`,
      hint: "`/cd PATH` chooses another folder.",
    });
    return await openEnvironment(fallback);
  }
}
