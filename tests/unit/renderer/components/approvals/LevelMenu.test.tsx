// @vitest-environment happy-dom
import { afterEach, beforeEach, expect, it } from "vitest";
import { appInfo } from "../app-info.ts";
import { act } from "../react-act.ts";
import { WindowRig } from "../window-rig.tsx";

let rig: WindowRig;
beforeEach(async () => {
  rig = new WindowRig();
  await rig.open({ workingFolder: "/home/ann/atlas" });
  await act(() => rig.main.answer("app.info", appInfo()));
  await rig.click(one("level"));
});
afterEach(() => rig.dispose());

const one = (id: string) => rig.one(`[data-testid="${id}"]`);

it("says of each level what it means in a line, and which one counts", () => {
  expect(one("level-work").textContent).toBe("Work hereAlso edits and runs commands here");
  expect(one("level-work").title).toContain("Asks before anything else");
  const icons = ["look", "ask", "work"].map((level) => one(`level-${level}`).querySelectorAll("svg").length);
  expect(icons).toEqual([1, 2, 1]);
});

it("says what the fence lets through, and how many rules count in this folder", async () => {
  expect(one("fence-state").textContent).toBe("Fence…Writes only in atlas, reaches hosts you allow");
  expect(one("level-rules").textContent).toBe("Rules for atlas…");
  const permissionRules = [
    { verdict: "allow", command: "git log *" },
    { verdict: "allow", command: "make", exact: true, folder: "/home/ann/atlas" },
    { verdict: "deny", path: "x", folder: "/home/ann/other" },
  ];
  await act(() => rig.main.answer("setting.list", { values: { permissionRules }, path: "", waiting: [] }));
  expect(one("level-rules").textContent).toBe("Rules for atlas…2");
});

it.each(["fence-state", "level-rules"])("leads to the settings of both: %s", async (id) => {
  await act(async () => one(id).click());
  expect(rig.all('[data-testid="level-menu"]')).toEqual([]);
  const { isOpen, section } = rig.state.settingsPage;
  expect([isOpen.get(), section.get()]).toEqual([true, "permissions"]);
});
