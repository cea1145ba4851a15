import { chmodSync, existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, it, onTestFinished, vi } from "vitest";

vi.mock("electron", () => ({ app: {} }));

const launcher = ["/home/me/My Apps/Parley.AppImage", "--launch"];

// Bug: once the desktop could not be told, it was never told.
it.skipIf(process.platform === "win32")(
  "where the desktop cannot be told, the next start tries again",
  async () => {
    const { tellDesktop } = await import("../../../../electron/desktop/launch/link-handler.ts");
    const folder = mkdtempSync(join(tmpdir(), "links-"));
    onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
    const env = { PATH: folder, XDG_DATA_HOME: folder };
    await expect(tellDesktop(launcher, env)).rejects.toThrow("xdg-mime");
    await expect(tellDesktop(launcher, env)).rejects.toThrow("xdg-mime");
    writeFileSync(join(folder, "xdg-mime"), "#!/bin/sh\n");
    chmodSync(join(folder, "xdg-mime"), 0o755);
    await tellDesktop(launcher, env);
  },
);

it.skipIf(process.platform === "win32")(
  "links come to a package by a file for the desktop, which is told once and taken away again",
  async () => {
    const { tellDesktop } = await import("../../../../electron/desktop/launch/link-handler.ts");
    const folder = mkdtempSync(join(tmpdir(), "links-"));
    onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
    const calls = join(folder, "calls");
    writeFileSync(join(folder, "xdg-mime"), `#!/bin/sh\nprintf '%s\\n' "$*" >> '${calls}'\n`);
    chmodSync(join(folder, "xdg-mime"), 0o755);
    const env = { PATH: `${folder}:${process.env.PATH}`, XDG_DATA_HOME: folder };
    const file = join(folder, "applications/parley-links.desktop");
    await tellDesktop(launcher, env);
    await tellDesktop(launcher, env);
    expect(readFileSync(file, "utf8").split("\n")).toEqual(
      expect.arrayContaining([
        'Exec="/home/me/My Apps/Parley.AppImage" "--launch" %u',
        "MimeType=x-scheme-handler/parley;",
      ]),
    );
    expect(readFileSync(calls, "utf8")).toBe("default parley-links.desktop x-scheme-handler/parley\n");
    await tellDesktop(null, env);
    expect(existsSync(file)).toBe(false);
  },
);
