import { posix } from "node:path";
import { draftName } from "../../../shared/conversation/draft-file.ts";
import { EnvironmentError, type ExecutionEnvironment } from "../../agent/ports/ports.ts";
import { bytesOf, encodingOf } from "../environment/text-content.ts";
import type { PatchStep } from "./patch-stage.ts";

/**
 * Does the steps in order. When one fails, those before it are undone: all or nothing.
 * @throws EnvironmentError of the step that failed; it names what could not be undone
 */
export async function commitSteps(
  steps: readonly PatchStep[],
  environment: ExecutionEnvironment,
): Promise<void> {
  const undo: { path: string; run(): Promise<void> }[] = [];
  const aside: string[] = [];
  try {
    for (const step of steps) {
      undo.push({ path: step.path, run: await doStep(step, environment, aside) });
    }
  } catch (error) {
    const lost: string[] = [];
    for (const { path, run } of undo.reverse()) await run().catch(() => lost.push(path));
    const message = error instanceof Error ? error.message : String(error);
    const state =
      lost.length === 0
        ? "Nothing was changed."
        : `What was done before could not be undone in: ${lost.join(", ")}.`;
    throw new EnvironmentError(`${message} ${state}`, { cause: error });
  }
  // Only now is there no way back.
  for (const path of aside) await environment.deleteFile(path);
}

/** @param aside paths of what goes for good when all is done @returns what undoes it */
async function doStep(
  step: PatchStep,
  environment: ExecutionEnvironment,
  aside: string[],
): Promise<() => Promise<void>> {
  if (step.type === "write") return await write(step, environment);
  const { path } = step;
  const to = step.type === "move" ? step.to : posix.join(posix.dirname(path), draftName());
  // A deleted file is put aside first: moved back, it is the same file with the same mode.
  await environment.moveFile(path, to);
  if (step.type === "delete") aside.push(to);
  return async () => await environment.moveFile(to, path);
}

async function write(
  { path, text, isNew }: Extract<PatchStep, { type: "write" }>,
  environment: ExecutionEnvironment,
): Promise<() => Promise<void>> {
  const before = isNew ? undefined : await environment.readFile(path, { maxBytes: Number.MAX_SAFE_INTEGER });
  await environment.writeFile(path, bytesOf(text, before ? encodingOf(before.bytes) : "utf-8"));
  return async () => {
    if (before) await environment.writeFile(path, before.bytes);
    else await environment.deleteFile(path);
  };
}
