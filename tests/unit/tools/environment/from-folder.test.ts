import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { fromFolder, nameIn } from "../../../../electron/tools/environment/from-folder.ts";
import { createToolRig, type ToolRig } from "../tool-rig.ts";

describe("a path that begins in a folder of the working folder", () => {
  test.each([
    ["a.ts", "src/app/a.ts"],
    ["./deep/a.ts", "src/app/deep/a.ts"],
    ["../b.ts", "src/b.ts"],
    ["../../../out", "../out"],
    ["/etc/hosts", "/etc/hosts"],
    ["~/notes", "~/notes"],
    ["~notes", "src/app/~notes"],
  ])("%s is %s", (path, wanted) => {
    expect(fromFolder("src/app", path)).toBe(wanted);
  });

  test("is named from there again, and what lies elsewhere from the working folder", () => {
    expect(nameIn("src/app", "src/app/a.ts:3:text")).toBe("a.ts:3:text");
    expect(nameIn("src/app", "src/application.ts")).toBe("src/application.ts");
    expect(nameIn(undefined, "src/app/a.ts")).toBe("src/app/a.ts");
  });
});

describe("every tool that takes paths", () => {
  let rig: ToolRig;
  beforeEach(async () => {
    rig = await createToolRig();
  });
  afterEach(async () => await rig.close());
  const inSub = (name: string, input: object) => {
    const tool = rig.tools.find((one) => one.name === name);
    return tool?.withPaths?.(tool.input.parse(input), (path) => fromFolder("sub", path), "sub");
  };

  test("begins in the folder, also where no path is given", () => {
    expect(inSub("read_file", { path: "a" })).toMatchObject({ path: "sub/a" });
    expect(inSub("write_file", { path: "a", content: "" })).toMatchObject({ path: "sub/a" });
    expect(inSub("edit_file", { path: "a", old_string: "x", new_string: "y" })).toMatchObject({
      path: "sub/a",
    });
    expect(inSub("list_directory", {})).toMatchObject({ path: "sub" });
    expect(inSub("grep", { pattern: "x" })).toMatchObject({ path: "sub" });
    expect(inSub("glob", { pattern: "*", path: "deep" })).toMatchObject({ path: "sub/deep" });
    expect(inSub("read_many_files", { paths: ["a", "**/*.ts"] })).toEqual({
      paths: ["sub/a", "sub/**/*.ts"],
    });
    expect(inSub("shell", { command: "ls" })).toMatchObject({ working_directory: "sub" });
    expect(inSub("spawn_agent", { task: "x" })).toMatchObject({ working_dir: "sub" });
  });

  test("of a patch the headers alone are paths", () => {
    const patch = [
      "*** Begin Patch",
      "*** Update File: a.ts",
      "*** Move to: b.ts",
      "@@ *** Add File: no.ts",
      " *** Delete File: no.ts",
      "+*** Delete File: no.ts",
      "*** Add File: /abs.ts",
      "+x",
      "*** Delete File: c.ts",
      "*** End Patch",
    ];
    const wanted = patch.map((line) => line.replace(/^(\*\*\* .*: )([abc]\.ts)$/, "$1sub/$2"));
    expect(inSub("apply_patch", { patch: patch.join("\n") })).toEqual({ patch: wanted.join("\n") });
  });

  test("is among those that are known to: one whose input names a path has a way to begin elsewhere", () => {
    const takesPaths = rig.tools.filter(({ touchedPaths, effect }) => touchedPaths ?? effect === "execute");
    expect(takesPaths.length).toBeGreaterThan(4);
    for (const tool of takesPaths) expect(tool.withPaths, tool.name).toBeDefined();
  });
});
