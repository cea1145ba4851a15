import { mkdirSync, mkdtempSync, realpathSync, symlinkSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, test } from "vitest";
import { permissionRoutes } from "../../../../electron/desktop/ipc/permission-routes.ts";
import { defaultSettings, type Settings } from "../../../../shared/settings.ts";

function rig() {
  let current: Settings = defaultSettings;
  const routes = permissionRoutes({
    find: () => {
      throw new Error("No conversation is asked for.");
    },
    settings: () => current,
    changeSettings: (values) => {
      current = { ...current, ...values };
    },
    checkFence: async () => {},
  });
  return { add: routes["permission.add"], rules: () => current.permissionRules };
}

test("a written rule is added once, and counts in the folder that a link leads to", () => {
  const { add, rules } = rig();
  const folder = realpathSync(mkdtempSync(join(tmpdir(), "parley-rules-")));
  mkdirSync(join(folder, "real"));
  symlinkSync(join(folder, "real"), join(folder, "link"));
  const written = {
    verdict: "allow",
    kind: "command",
    what: "npm test",
    folder: join(folder, "link"),
  } as const;
  add(written);
  expect(rules()).toEqual([
    { verdict: "allow", command: "npm test", exact: true, folder: join(folder, "real") },
  ]);
  expect(() => add(written)).toThrow("There is this rule already.");
  expect(rules()).toHaveLength(1);
});

test("one that would allow any program is refused with the reason, and changes nothing", () => {
  const { add, rules } = rig();
  expect(() => add({ verdict: "allow", kind: "command", what: "git *", folder: null })).toThrow(
    "any program",
  );
  expect(rules()).toEqual([]);
});
