import { execFile } from "node:child_process";
import { existsSync, mkdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { homedir } from "node:os";
import { join } from "node:path";
import { promisify } from "node:util";
import { app } from "electron";
import { desktopCommand } from "../keys/bind-shortcut.ts";
import { launchMark } from "./launch-request.ts";

const run = promisify(execFile);

/** Beside the file that a `.deb` brings. */
const fileName = "parley-links.desktop";

/**
 * Whether `parley://` links of other programs come to this package. A clone is nobody's program for links, and a `.deb` brings
 * its own file. @param launcher the words that reach Parley @throws Error where the desktop cannot be told
 */
export async function openLinks(isWanted: boolean, launcher: readonly string[]): Promise<void> {
  if (!app.isPackaged) return;
  if (process.platform !== "linux") {
    if (isWanted) app.setAsDefaultProtocolClient("parley", process.execPath, [launchMark]);
    else app.removeAsDefaultProtocolClient("parley", process.execPath, [launchMark]);
  } else if (!isDeb(process.resourcesPath)) await tellDesktop(isWanted ? launcher : null, process.env);
}

/** The package says what it is. */
function isDeb(resources: string): boolean {
  const file = join(resources, "package-type");
  return existsSync(file) && readFileSync(file, "utf8").trim() === "deb";
}

/** Writes the file that desktops on Linux go by, where it is not that already, or takes it away. @param launcher null: there is to be none */
export async function tellDesktop(launcher: readonly string[] | null, env: NodeJS.ProcessEnv): Promise<void> {
  const data = env.XDG_DATA_HOME || join(env.HOME ?? homedir(), ".local/share");
  const folder = join(data, "applications");
  const file = join(folder, fileName);
  if (launcher === null) {
    rmSync(file, { force: true });
    return;
  }
  const entry = linkEntry(launcher);
  if (existsSync(file) && readFileSync(file, "utf8") === entry) return;
  mkdirSync(folder, { recursive: true });
  writeFileSync(file, entry);
  try {
    await run("xdg-mime", ["default", fileName, "x-scheme-handler/parley"], { env });
  } catch (error) {
    // The next start tries again.
    rmSync(file, { force: true });
    throw error;
  }
}

/** Pure. */
const linkEntry = (launcher: readonly string[]): string =>
  [
    "[Desktop Entry]",
    "Type=Application",
    "Name=Parley",
    `Exec=${desktopCommand(launcher)} %u`,
    "Terminal=false",
    "NoDisplay=true",
    "MimeType=x-scheme-handler/parley;",
    "",
  ].join("\n");
