import type { ExecutionEnvironment } from "../../agent/ports/ports.ts";
import { readEditable } from "./editable-file.ts";
import type { PatchStep } from "./patch-stage.ts";
import { additions, fileDiff } from "./unified-diff.ts";

/** What a patch will do, file by file, as unified diffs. Nothing is written. */
export async function patchPreview(
  steps: readonly PatchStep[],
  environment: ExecutionEnvironment,
): Promise<string> {
  /** By path as it will be: the text so far. */
  const texts = new Map<string, string>();
  const before = async (path: string) => texts.get(path) ?? (await readEditable(path, environment)).text;
  const parts: string[] = [];
  for (const step of steps) {
    if (step.type === "move") {
      texts.set(step.to, await before(step.path));
      parts.push(`rename from ${step.path}\nrename to ${step.to}`);
    } else if (step.type === "delete") {
      parts.push(fileDiff(step.path, await before(step.path), "", "/dev/null"));
      texts.delete(step.path);
    } else {
      parts.push(
        step.isNew
          ? additions(step.path, step.text)
          : fileDiff(step.path, await before(step.path), step.text),
      );
      texts.set(step.path, step.text);
    }
  }
  return parts.join("\n");
}
