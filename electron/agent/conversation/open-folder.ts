import type { UserError } from "../../../shared/conversation/events.ts";
import { anotherFolder } from "../loop/user-error.ts";
import type { AgentOptions } from "../ports/agent-options.ts";
import { EnvironmentError, type ExecutionEnvironment } from "../ports/ports.ts";

/**
 * Opens a conversation's folder or, where that is gone, the one that new conversations work in, or else Parley's own.
 * @param folder absolute, and free of links
 * @param onGone told of the other folder, and of why
 * @throws EnvironmentError when none of them can be had
 */
export async function openFolder(
  {
    openEnvironment,
    workingFolder,
    ownFolder,
  }: Pick<AgentOptions, "openEnvironment" | "workingFolder" | "ownFolder">,
  folder: string,
  onGone: (fallback: string, problem: UserError) => void,
): Promise<ExecutionEnvironment> {
  try {
    const environment = await openEnvironment(folder);
    if (environment.workingDirectory === folder) return environment;
    // Commands of a conversation above it may put one there: only the user says where another one works.
    throw new EnvironmentError(`${folder} is a link to another folder now.`);
  } catch (error) {
    const why = error instanceof Error ? error.message : String(error);
    for (const other of [workingFolder(), ownFolder?.()]) {
      if (other === undefined || other === folder) continue;
      const environment = await openEnvironment(other).catch(() => null);
      if (environment?.workingDirectory !== other) continue;
      const message = `${why} This conversation continues in ${other}.`;
      onGone(other, { code: "working_folder", message, hint: anotherFolder });
      return environment;
    }
    throw error;
  }
}
