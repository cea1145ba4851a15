import { realpath, stat } from "node:fs/promises";
import { extname } from "node:path";
import { shell } from "electron";

/** What programs only show. A script, a page or a link may be run by whatever the system opens it with. */
const shownOnly = new Set(
  "bmp c conf cpp cs css csv diff go gif h hpp ini java jpeg jpg json jsonc kt log markdown md patch pdf png rs scss sql swift text toml ts tsv tsx txt webp yaml yml".split(
    " ",
  ),
);

/**
 * Opens a file in the system's program for it, where that only shows it; of any other its folder, with the file selected.
 * @throws Error where it is not there, or no program opens it
 */
export async function openFile(path: string): Promise<void> {
  // A link may lead to what its own name does not say.
  const real = await realpath(path).catch(() => null);
  const found = real && (await stat(real).catch(() => null));
  if (!real || !found) throw new Error(`${path} is no longer there.`);
  const isRunnable = process.platform !== "win32" && (found.mode & 0o111) !== 0;
  const isShownOnly = shownOnly.has(extname(real).slice(1).toLowerCase());
  if (!found.isFile() || isRunnable || !isShownOnly) return shell.showItemInFolder(real);
  const problem = await shell.openPath(real);
  if (problem) throw new Error(`${path} could not be opened: ${problem}`);
}
