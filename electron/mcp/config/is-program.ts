import { accessSync, constants } from "node:fs";
import { delimiter, join } from "node:path";

/** Whether a command is a program that the system finds by its name. A path is left to who runs it. */
export function isProgram(
  command: string,
  env: Readonly<Record<string, string | undefined>>,
  platform = process.platform,
): boolean {
  if (/[/\\$~]/.test(command)) return true;
  const isWindows = platform === "win32";
  const ends = isWindows ? ["", ...(env.PATHEXT ?? ".EXE;.CMD;.BAT").split(";")] : [""];
  const folders = (env.PATH ?? env.Path ?? "").split(delimiter).filter(Boolean);
  return folders.some((folder) => ends.some((end) => canRun(join(folder, command + end), isWindows)));
}

function canRun(path: string, isWindows: boolean): boolean {
  try {
    accessSync(path, isWindows ? constants.F_OK : constants.X_OK);
    return true;
  } catch {
    return false;
  }
}
