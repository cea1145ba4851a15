import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { keySheet } from "../../../../renderer/state/keys/key-sheet.ts";
import { defaultSettings } from "../../../../shared/settings.ts";
import { docPages, guidePages, root } from "../../docs/pages.ts";

/** Where what windows, menus and the tray say is written down. */
const texts = ["renderer/texts/en", "shared", "electron/desktop"]
  .flatMap((folder) =>
    readdirSync(join(root, folder), { recursive: true, encoding: "utf8" })
      .filter((name) => name.endsWith(".ts"))
      .map((name) => readFileSync(join(root, folder, name), "utf8")),
  )
  .join("\n");

/** A whole text of a window, or what a text with values begins with. */
function isSaid(label: string): boolean {
  const escaped = label.replaceAll(/[.*+?^${}()|[\]\\]/g, "\\$&");
  return new RegExp(`["\`]${escaped}(?:["\`…:]| [(·]| \\$\\{)`).test(texts);
}

const labels = guidePages.flatMap(({ path, prose }) =>
  [...prose.matchAll(/\*\*([^*]+)\*\*/g)].flatMap(([, said = ""]) =>
    said.split(" → ").map((label) => ({ path, label: label.replaceAll(/\s+/g, " ") })),
  ),
);

test("what stands in bold on a page of the guide is what a window says", () => {
  expect(labels.length).toBeGreaterThan(80);
  const unknown = labels.filter(({ label }) => !isSaid(label));
  expect(unknown.map(({ path, label }) => `${path}: ${label}`)).toEqual([]);
});

test("a label that no window has is noticed", () => {
  expect(isSaid("Allow once")).toBe(true);
  expect(isSaid("Allow for ever")).toBe(false);
  expect(isSaid("Allow")).toBe(true);
  expect(isSaid("llow once")).toBe(false);
});

const known = new Set([
  ...keySheet("linux", { questionMark: true }).flatMap(({ rows }) => rows.flatMap(({ keys }) => keys)),
  defaultSettings.quickShortcut,
]);

test("keys that the guide and the README name are those of the window", () => {
  const named = docPages
    .filter((page) => page.path === "README.md" || guidePages.includes(page))
    .flatMap(({ path, prose }) =>
      [...prose.matchAll(/\b(?:(?:Ctrl|Alt|Shift)\+)+(?:[A-Z][a-z]+|[A-Z]|[.,/](?=\s|$|\)))/gm)].map(
        ([key]) => ({ path, key }),
      ),
    );
  expect(named.length).toBeGreaterThan(30);
  expect(named.filter(({ key }) => !known.has(key)).map(({ path, key }) => `${path}: ${key}`)).toEqual([]);
});
