import { stat } from "node:fs/promises";
import { join } from "node:path";

/** Whether `folder` holds an unpacked Vosk model: its settings, and the acoustic model where either layout has it. */
export async function isModelFolder(folder: string): Promise<boolean> {
  const conf = await isFile(join(folder, "conf", "model.conf"));
  return conf && ((await isFile(join(folder, "am", "final.mdl"))) || isFile(join(folder, "final.mdl")));
}

async function isFile(path: string): Promise<boolean> {
  return stat(path).then(
    (found) => found.isFile(),
    () => false,
  );
}
