import { chmodSync, mkdtempSync, readFileSync, rmSync, utimesSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { describe, expect, it, onTestFinished } from "vitest";
import {
  bindShortcut,
  gnomeBinding,
  gnomeUserOf,
  isBound,
  kdeEntry,
  withPlace,
} from "../../../../electron/desktop/keys/bind-shortcut.ts";

const place = "/org/gnome/settings-daemon/plugins/media-keys/custom-keybindings/parley-quick/";

function newFolder(): string {
  const folder = mkdtempSync(join(tmpdir(), "bind-"));
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
  return folder;
}

describe("a shortcut that the desktop runs", () => {
  it("is written as GTK does", () => {
    expect(gnomeBinding("Alt+Space")).toBe("<Alt>space");
    expect(gnomeBinding("Ctrl+Shift+K")).toBe("<Control><Shift>k");
    expect(gnomeBinding("Meta+PageUp")).toBe("<Super>Page_Up");
    expect(() => gnomeBinding("")).toThrow("no shortcut");
  });

  // Bug: Alt+Space was said to open the quick prompt, and opened the menu of a window.
  it("is named where GNOME uses it for something else, however it writes it", () => {
    const listed = [
      "org.gnome.desktop.wm.keybindings close ['<Alt>F4']",
      "org.gnome.desktop.wm.keybindings activate-window-menu ['<Super>m', '<Alt>space']",
      "org.gnome.shell.keybindings toggle-overview @as []",
      "org.gnome.shell.keybindings shift-overview-up ['<Shift><Primary>K']",
    ].join("\n");
    expect(gnomeUserOf("<Alt>space", listed)).toBe("activate-window-menu");
    expect(gnomeUserOf("<Control><Shift>k", listed)).toBe("shift-overview-up");
    expect(gnomeUserOf("<Alt>k", listed)).toBeNull();
    expect(gnomeUserOf("space", listed)).toBeNull();
  });

  it("is added to GNOME's list once", () => {
    expect(withPlace("@as []")).toBe(`['${place}']`);
    expect(withPlace("['/a/', '/b/']")).toBe(`['/a/', '/b/', '${place}']`);
    expect(withPlace(`['${place}', '/b/']`)).toBe(`['${place}', '/b/']`);
    expect(() => withPlace("nonsense")).toThrow("cannot be read");
  });

  // Bug: gsettings refused the command, which begins with a quote, so nothing was bound in GNOME.
  it.skipIf(process.platform === "win32")(
    "is set in GNOME by gsettings, which takes texts as GVariants: one that begins with a quote has to end with it",
    async () => {
      const folder = newFolder();
      const calls = join(folder, "calls");
      const program = join(folder, "gsettings");
      writeFileSync(
        program,
        `#!/bin/sh\ncase "$1" in get) echo "['/a/']"; exit;; list-recursively) exit 1;; esac\nprintf '%s\\n' "$*" >> '${calls}'\n`,
      );
      chmodSync(program, 0o755);
      const said = await bindShortcut("gnome", "Alt+Space", ['/opt/it\'s "here"/parley'], {
        PATH: `${folder}:${process.env.PATH}`,
      });
      expect(said).toContain("Alt+Space");
      const schema = "org.gnome.settings-daemon.plugins.media-keys";
      expect(readFileSync(calls, "utf8").trim().split("\n")).toEqual([
        `set ${schema}.custom-keybinding:${place} name "Parley: quick prompt"`,
        `set ${schema}.custom-keybinding:${place} command "'/opt/it'\\\\''s \\"here\\"/parley' --quick"`,
        `set ${schema}.custom-keybinding:${place} binding "<Alt>space"`,
        `set ${schema} custom-keybindings ['/a/', '${place}']`,
      ]);
    },
  );

  it.skipIf(process.platform === "win32")(
    "is known to be bound in GNOME, unless GNOME uses the key itself",
    async () => {
      const bound = (binding: string, used = "") => {
        const folder = newFolder();
        const program = join(folder, "gsettings");
        const answers = `*binding) echo "'${binding}'";; *custom-keybindings) echo "['${place}']";; *) echo "${used}";;`;
        writeFileSync(program, `#!/bin/sh\ncase "$*" in ${answers} esac\n`);
        chmodSync(program, 0o755);
        return isBound("gnome", "Alt+Space", { PATH: `${folder}:${process.env.PATH}` });
      };
      expect(await bound("<Alt>space")).toBe(true);
      expect(await bound("<Alt>k")).toBe(false);
      expect(await bound("<Alt>space", "org.gnome.shell.keybindings menu ['<Alt>space']")).toBe(false);
      expect(await isBound("gnome", "Alt+Space", { PATH: newFolder() })).toBe(false);
    },
  );

  it("is a desktop entry for Plasma", async () => {
    const login = newFolder();
    const folder = newFolder();
    await bindShortcut("kde", "Alt+Space", ["/opt/parley"], { XDG_DATA_HOME: folder });
    const entry = readFileSync(join(folder, "kglobalaccel/parley-quick.desktop"), "utf8");
    expect(entry).toBe(kdeEntry("Alt+Space", ["/opt/parley"]));
    expect(entry).toContain('Exec="/opt/parley" --quick\n');
    expect(entry).toContain("X-KDE-Shortcuts=Alt+Space\n");
    const isBoundThere = (key: string, data: string, display = login) =>
      isBound("kde", key, { XDG_DATA_HOME: data, XDG_RUNTIME_DIR: "/run", WAYLAND_DISPLAY: display });
    // Bug: it was told to work before Plasma had read it.
    expect(await isBoundThere("Alt+Space", folder)).toBe(false);
    const yesterday = Date.now() / 1000 - 86_400;
    utimesSync(join(folder, "kglobalaccel/parley-quick.desktop"), yesterday, yesterday);
    expect(await isBoundThere("Alt+Space", folder)).toBe(true);
    expect(await isBoundThere("Alt+K", folder)).toBe(false);
    expect(await isBoundThere("Alt+Space", newFolder())).toBe(false);
    expect(await isBoundThere("Alt+Space", folder, "/nowhere")).toBe(false);
  });
});
