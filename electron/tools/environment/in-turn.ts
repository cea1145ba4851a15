import { resolve } from "node:path";
import type { ToolContext } from "../../agent/ports/ports.ts";

/** By absolute path: the end of the change that came last. */
const lastOn = new Map<string, Promise<void>>();

/**
 * Changes files while no other call does, of whatever agent or conversation: what one read must not replace what another
 * has written since.
 * @param paths as the tool names them
 * @throws what `change` throws; the signal's reason when aborted while others are at it
 */
export async function inTurn<T>(
  paths: readonly string[],
  { environment, signal }: Pick<ToolContext, "environment" | "signal">,
  change: () => Promise<T>,
): Promise<T> {
  const { workingDirectory } = environment;
  const files = paths.map((path) => resolve(workingDirectory, environment.leadsTo?.(path) ?? path));
  const turn = Promise.all(files.map((file) => lastOn.get(file))).then(() => {
    signal.throwIfAborted();
    return change();
  });
  const ended = turn.then(
    () => {},
    () => {},
  );
  for (const file of files) lastOn.set(file, ended);
  try {
    return await turn;
  } finally {
    for (const file of files) if (lastOn.get(file) === ended) lastOn.delete(file);
  }
}
