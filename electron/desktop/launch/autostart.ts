import { mkdirSync, rmSync, writeFileSync } from "node:fs";
import { homedir } from "node:os";
import { join } from "node:path";
import { app } from "electron";
import { desktopCommand } from "../keys/bind-shortcut.ts";
import { launchMark } from "./launch-request.ts";

/** Whether Parley starts when the user logs in: without a window. @param launcher the words that reach it */
export function startAtLogin(isWanted: boolean, launcher: readonly string[]): void {
  if (process.platform === "linux") {
    const config = process.env.XDG_CONFIG_HOME || join(homedir(), ".config");
    writeAutostart(join(config, "autostart"), isWanted ? launcher : null);
  } else {
    app.setLoginItemSettings({ openAtLogin: isWanted, args: [launchMark, "--background"] });
  }
}

/** The file that desktops on Linux look for. @param folder where they look @param launcher null: there is to be none */
export function writeAutostart(folder: string, launcher: readonly string[] | null): void {
  const file = join(folder, "parley.desktop");
  if (launcher === null) {
    rmSync(file, { force: true });
    return;
  }
  mkdirSync(folder, { recursive: true });
  const lines = [
    "[Desktop Entry]",
    "Type=Application",
    "Name=Parley",
    `Exec=${desktopCommand(launcher)} --background`,
    "Terminal=false",
    "X-GNOME-Autostart-enabled=true",
    "",
  ];
  writeFileSync(file, lines.join("\n"));
}
