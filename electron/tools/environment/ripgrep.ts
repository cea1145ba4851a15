import { accessSync, constants } from "node:fs";
import { createRequire } from "node:module";
import { delimiter, join, sep } from "node:path";

const program = process.platform === "win32" ? "rg.exe" : "rg";

/** @returns ripgrep's path: the one that came with Parley, else one of the system's; undefined where there is none */
export function findRipgrep(searchPath = process.env.PATH ?? ""): string | undefined {
  const folders = searchPath.split(delimiter).filter((folder) => folder !== "");
  const candidates = [shipped(), ...folders.map((folder) => join(folder, program))];
  return candidates.find((path) => path !== undefined && isExecutable(path));
}

/** From the package's own place: its platform packages need not be visible from ours. */
function shipped(): string | undefined {
  try {
    const require = createRequire(import.meta.url);
    const path = createRequire(require.resolve("@vscode/ripgrep")).resolve(
      `@vscode/ripgrep-${process.platform}-${process.arch}/bin/${program}`,
    );
    // A program cannot be started inside an archive: a packaged app keeps it beside.
    return path.replace(`app.asar${sep}`, `app.asar.unpacked${sep}`);
  } catch {
    return undefined;
  }
}

function isExecutable(path: string): boolean {
  try {
    accessSync(path, constants.X_OK);
    return true;
  } catch {
    return false;
  }
}
