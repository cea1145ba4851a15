import { execFileSync } from "node:child_process";
import { chmodSync, cpSync, mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";
import { describe, expect, it, onTestFinished } from "vitest";
import { launcher } from "../../../scripts/setup/launcher.mjs";

const root = resolve(import.meta.dirname, "../../..");

/** A folder with a blank and an apostrophe in its name, and in it a program that says what it got. */
function newFolder(program: string): string {
  const folder = join(mkdtempSync(join(tmpdir(), "launcher-")), "it's here");
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
  mkdirSync(folder, { recursive: true });
  writeFileSync(join(folder, program), "#!/bin/sh\nprintf '%s\\n' \"$@\"\n");
  chmodSync(join(folder, program), 0o755);
  return folder;
}

const words = ["--session", 'a "b" $c', "it's"];
const said = (file: string) => execFileSync(file, words, { encoding: "utf8" }).trim().split("\n");

// Bug: Chromium took a prompt such as `--utility-cmd-prefix=…` for a switch of its own, and ran what it names: behind `--` it
// looks for none.
describe.skipIf(process.platform === "win32")("the launcher", () => {
  it("of a clone starts Electron with the clone, and hands every word on as it is", async () => {
    const folder = newFolder("electron");
    await launcher({ executable: join(folder, "electron") }, folder);
    const switches = process.getuid?.() === 0 ? ["--no-sandbox"] : [];
    expect(said(join(folder, "bin/parley"))).toEqual([...switches, folder, "--", "--launch", ...words]);
  });

  it("of a package starts the program beside it, also through a link", () => {
    const folder = newFolder("parley");
    mkdirSync(join(folder, "resources/bin"), { recursive: true });
    cpSync(join(root, "resources/launcher/parley"), join(folder, "resources/bin/parley"));
    symlinkSync(join(folder, "resources/bin/parley"), join(folder, "link"));
    expect(said(join(folder, "link"))).toEqual(["--", "--launch", ...words]);
  });
});
