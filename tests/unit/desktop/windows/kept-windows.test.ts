import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, it, onTestFinished } from "vitest";
import { openWindowKeeping } from "../../../../electron/desktop/windows/kept-windows.ts";

function newFolder(): string {
  const folder = mkdtempSync(join(tmpdir(), "windows-"));
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
  return folder;
}

it("how windows stood is kept from start to start, part by part", () => {
  const folder = newFolder();
  const main = { area: { x: -5, y: 6, width: 700, height: 500 }, isMaximised: true };
  openWindowKeeping(folder).keep({ main });
  openWindowKeeping(folder).keep({ quick: { "7": { x: 1, y: 2 } } });
  expect(openWindowKeeping(folder).read()).toEqual({ main, zoomLevel: 0, quick: { "7": { x: 1, y: 2 } } });
});

it.each(["{", "[]", '{"main":{"area":{"x":"left"}},"zoomLevel":500,"quick":7}'])(
  "%s is as if there were nothing",
  (text) => {
    const folder = newFolder();
    writeFileSync(join(folder, "windows.json"), text);
    expect(openWindowKeeping(folder).read()).toEqual({ main: null, zoomLevel: 0, quick: {} });
  },
);

// Bug: on a full disk the quick prompt could not be closed, and a window that was closed could never be opened again.
it("where nothing can be written, windows go on with what was kept before", () => {
  const folder = newFolder();
  const keeping = openWindowKeeping(folder);
  keeping.keep({ zoomLevel: 1 });
  mkdirSync(join(folder, "windows.json.new"));
  keeping.keep({ zoomLevel: 2 });
  expect(keeping.read().zoomLevel).toBe(1);
});
