import { existsSync, mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, it, onTestFinished, vi } from "vitest";

vi.mock("electron", () => ({ app: {} }));

it("at login a file for desktops on Linux starts the launcher without a window; it goes when that is not wanted", async () => {
  const { writeAutostart } = await import("../../../../electron/desktop/launch/autostart.ts");
  const folder = mkdtempSync(join(tmpdir(), "autostart-"));
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
  const file = join(folder, "autostart/parley.desktop");
  writeAutostart(join(folder, "autostart"), ['/opt/my "apps"/$HOME/parley']);
  expect(readFileSync(file, "utf8").split("\n")).toContain(
    String.raw`Exec="/opt/my \\"apps\\"/\\$HOME/parley" --background`,
  );
  // Bug: GNOME looks for the program as it is written, with both signs of `%%`, and started none.
  writeAutostart(join(folder, "autostart"), ["/opt/100%/parley"]);
  expect(readFileSync(file, "utf8").split("\n")).toContain(
    'Exec="/usr/bin/env" "/opt/100%%/parley" --background',
  );
  writeAutostart(join(folder, "autostart"), null);
  expect(existsSync(file)).toBe(false);
  writeAutostart(join(folder, "autostart"), null);
});

// Bug: the folder that an AppImage is mounted in was written down, and that is gone with the next start.
it("an AppImage is started by its own file, whichever folder it is mounted in", async () => {
  const { launcherWordsFor } = await import("../../../../electron/desktop/launch/launcher-path.ts");
  const installed = { platform: "linux", isPackaged: true, appPath: "/clone" } as const;
  const resourcesPath = "/tmp/.mount_ParleyX/resources";
  const env = { APPIMAGE: "/home/me/My Apps/Parley.AppImage" };
  expect(launcherWordsFor({ ...installed, resourcesPath, env })).toEqual([env.APPIMAGE, "--launch"]);
  expect(launcherWordsFor({ ...installed, resourcesPath: "/opt/Parley/resources", env: {} })).toEqual([
    "/opt/Parley/resources/bin/parley",
  ]);
  // A clone that was started from within another AppImage is none.
  expect(launcherWordsFor({ ...installed, isPackaged: false, resourcesPath, env })).toEqual([
    "/clone/bin/parley",
  ]);
});
