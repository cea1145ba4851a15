import { mkdir, readdir, readFile, stat, symlink, writeFile } from "node:fs/promises";
import { diffArrays } from "diff";
import fc from "fast-check";
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import type { ExecutionEnvironment } from "../../../../electron/agent/ports/ports.ts";
import { applyHunks } from "../../../../electron/tools/patch/patch-match.ts";
import type { Hunk } from "../../../../electron/tools/patch/patch-parse.ts";
import { endsInTime } from "../../../fixtures/ends-in-time.ts";
import { createToolRig, type ToolRig } from "../tool-rig.ts";

let rig: ToolRig;
beforeEach(async () => {
  rig = await createToolRig();
});
afterEach(async () => await rig.close());

const wrapped = (...lines: string[]) => ["*** Begin Patch", ...lines, "*** End Patch"].join("\n");
const apply = async (...lines: string[]) => await rig.run("apply_patch", { patch: wrapped(...lines) });
const text = async (name: string) => await readFile(rig.at(name), "utf8");
/** Every file with its content, as it would have to be again. */
async function everything(): Promise<Record<string, string>> {
  const entries = await readdir(rig.at(), { recursive: true, withFileTypes: true });
  const files = entries
    .filter((entry) => entry.isFile())
    .map(({ parentPath, name }) => `${parentPath}/${name}`);
  return Object.fromEntries(
    await Promise.all(files.map(async (path) => [path, await readFile(path, "utf8")])),
  );
}

describe("apply_patch", () => {
  test("adds, updates, moves and deletes in one go", async () => {
    await writeFile(rig.at("a.ts"), "one\ntwo\nthree\n");
    await writeFile(rig.at("b.ts"), "x\ny\n", { mode: 0o755 });
    await writeFile(rig.at("c.ts"), "gone\n");
    const said = await apply(
      "*** Update File: a.ts",
      "@@",
      " one",
      "-two",
      "+2",
      "+2.5",
      " three",
      "*** Update File: b.ts",
      "*** Move to: deep/b.ts",
      "@@",
      "-x",
      "+X",
      " y",
      "*** Add File: new/d.ts",
      "+hello",
      "+",
      "*** Delete File: c.ts",
    );
    expect(said).toBe("Updated a.ts\nMoved b.ts to deep/b.ts\nAdded new/d.ts\nDeleted c.ts");
    expect(await text("a.ts")).toBe("one\n2\n2.5\nthree\n");
    expect(await text("deep/b.ts")).toBe("X\ny\n");
    expect((await stat(rig.at("deep/b.ts"))).mode & 0o777).toBe(0o755);
    expect(await text("new/d.ts")).toBe("hello\n\n");
    expect((await readdir(rig.at())).sort()).toEqual(["a.ts", "deep", "new"]);
  });

  test.each([
    ["before the end", ["@@", " one", "-two", "+2", ""]],
    ["twice before the end", ["@@", " one", "-two", "+2", "", ""]],
    ["before the next section", ["@@", "-two", "+2", "", "*** Add File: b.ts", "+b"]],
    ["before the next change", ["@@", "-two", "+2", "", "@@", "-four", "+4", ""]],
    ["before the first change", ["", "@@", "-two", "+2"]],
    ["after the last lines of the file", ["@@", "-four", "+4", "", "*** End of File"]],
  ])("an empty line %s is no line of the file", async (_, lines) => {
    await writeFile(rig.at("a.ts"), "one\ntwo\nthree\nfour\n");
    await apply("*** Update File: a.ts", ...lines);
    const wanted = "one\ntwo\nthree\nfour\n"
      .replace("two", lines.includes("+2") ? "2" : "two")
      .replace("four", lines.includes("+4") ? "4" : "four");
    expect(await text("a.ts")).toBe(wanted);
  });

  test("an empty line after additions is no place to go to", async () => {
    await writeFile(rig.at("a.ts"), "class A {\n  a;\n\n  b;\n}\n");
    await apply("*** Update File: a.ts", "@@ class A {", "+  first;", "");
    expect(await text("a.ts")).toBe("class A {\n  first;\n  a;\n\n  b;\n}\n");
  });

  test("an empty line that is in the file tells two places apart", async () => {
    await writeFile(rig.at("a.ts"), "x\ny\nx\n\n");
    await apply("*** Update File: a.ts", "@@", "-x", "+X", "");
    expect(await text("a.ts")).toBe("x\ny\nX\n\n");
  });

  test("moves alone, also what is no text", async () => {
    await writeFile(rig.at("image"), new Uint8Array([0, 255, 1]));
    await apply("*** Update File: image", "*** Move to: images/one");
    expect(await readFile(rig.at("images/one"))).toEqual(Buffer.from([0, 255, 1]));
  });

  test("@@ hints choose the place among equal ones, one below the other", async () => {
    const before = "class A\n  run\n    x = 1\nclass B\n  run\n    x = 1\n";
    await writeFile(rig.at("f"), before);
    await apply("*** Update File: f", "@@ class B", "@@   run", "-    x = 1", "+    x = 2");
    expect(await text("f")).toBe("class A\n  run\n    x = 1\nclass B\n  run\n    x = 2\n");
    await apply("*** Update File: f", "@@ class A", " class A", "-  run", "+  go");
    expect(await text("f")).toContain("class A\n  go\n");
  });

  test("End of File takes the last place; additions alone go to the end, or below their hint", async () => {
    await writeFile(rig.at("f"), "x\ny\nx\n");
    await apply("*** Update File: f", "@@", "-x", "+last", "*** End of File");
    expect(await text("f")).toBe("x\ny\nlast\n");
    await apply("*** Update File: f", "+end");
    await apply("*** Update File: f", "@@ y", "+below y");
    expect(await text("f")).toBe("x\ny\nbelow y\nlast\nend\n");
    await expect(apply("*** Update File: f", "@@", "-x", "*** End of File")).rejects.toThrow("not the last");
  });

  test("the first exact place is taken, and later changes come below it", async () => {
    await writeFile(rig.at("f"), "a\nb\na\nb\n");
    await apply("*** Update File: f", "@@", "-a", "+1", "@@", "-a", "+2");
    expect(await text("f")).toBe("1\nb\n2\nb\n");
    await expect(apply("*** Update File: f", "@@", "-2", "+x", "@@", "-1", "+y")).rejects.toThrow(
      "at line 1, before where it can be",
    );
  });

  test.each([
    ["blanks at line ends", "if (a)  \n  b();\t\n", [" if (a)", "-  b();", "+  c();"], "if (a)  \n  c();\n"],
    ["indentation", "\tif (a)\n\t\tb();\n", [" if (a)", "-  b();", "+\t\tc();"], "\tif (a)\n\t\tc();\n"],
    [
      "punctuation",
      "say “hi” – it’s\u00A0me\nx\n",
      [' say "hi" - it\'s me', "-x", "+y"],
      "say “hi” – it’s\u00A0me\ny\n",
    ],
    ["stripped blank lines", "a\n\nb\n", [" a", "", "-b", "+c"], "a\n\nc\n"],
  ])("fuzzy: %s; what is kept stays as the file has it", async (_, before, hunk, after) => {
    await writeFile(rig.at("f"), before);
    await apply("*** Update File: f", "@@", ...hunk);
    expect(await text("f")).toBe(after);
  });

  test("a loose match at two places is refused: either could be meant", async () => {
    await writeFile(rig.at("f"), "  a\n    a\n");
    await expect(apply("*** Update File: f", "@@", "-a", "+b")).rejects.toThrow(
      "more than one place (lines 1 and 2)",
    );
  });

  test("CRLF, mixed line ends, the mark, and an open last line are kept", async () => {
    await writeFile(rig.at("f"), "\uFEFFone\r\ntwo\r\nthree");
    await apply("*** Update File: f", "@@", "-one", "+1", " two", "-three", "+3", "+4");
    expect(await text("f")).toBe("\uFEFF1\r\ntwo\r\n3\r\n4");
    await writeFile(rig.at("f"), "a\nb\r\nc\r\n");
    await apply("*** Update File: f", "@@", " a", " b", "-c", "+C");
    expect(await text("f")).toBe("a\nb\r\nC\r\n");
    await apply("*** Update File: f", "@@", " a", "-b", "-C");
    expect(await text("f")).toBe("a\n");
  });

  test("sections see what those before them did", async () => {
    await writeFile(rig.at("f"), "a\n");
    await apply(
      "*** Update File: f",
      "@@",
      "-a",
      "+b",
      "*** Update File: f",
      "*** Move to: g",
      "@@",
      "-b",
      "+c",
      "*** Add File: f",
      "+new",
      "*** Update File: g",
      "@@",
      "-c",
      "+d",
    );
    expect([await text("f"), await text("g")]).toEqual(["new\n", "d\n"]);
  });

  test.each([
    ["no beginning", "*** Add File: x\n+x", "must begin with"],
    ["no end", "*** Begin Patch\n*** Add File: x\n+x", "must end with"],
    ["no header", wrapped("hello"), "Line 2"],
    ["no path", wrapped("*** Delete File: "), "path is missing"],
    ["a bad line of a new file", wrapped("*** Add File: x", "x"), "Line 3"],
    ["a bad line of a change", wrapped("*** Update File: f", "@@", "x"), "Line 4"],
    ["a change without changes", wrapped("*** Update File: f", "@@", " a"), "no line that begins"],
    ["an update of nothing", wrapped("*** Update File: f"), "no change for f"],
    ["lines that are not there", wrapped("*** Update File: f", "@@", "-zzz"), "not in the file"],
    ["a hint that is not there", wrapped("*** Update File: f", "@@ zzz", "-a"), 'no line "@@ zzz"'],
    ["a file that is there", wrapped("*** Add File: f", "+x"), "there already"],
    ["a file that is not there", wrapped("*** Delete File: zzz"), "no such file"],
    [
      "an update of a deleted file",
      wrapped("*** Delete File: f", "*** Update File: f", "-a"),
      "no such file",
    ],
    ["a move onto another", wrapped("*** Update File: f", "*** Move to: g"), "there already"],
    ["a folder", wrapped("*** Delete File: folder"), "not a file"],
    ["outside", wrapped("*** Add File: ../x", "+x"), "outside the working folder"],
  ])("%s: refused in words, and nothing is written, not even what came before", async (_, patch, message) => {
    await mkdir(rig.at("folder"));
    await writeFile(rig.at("f"), "a\n");
    await writeFile(rig.at("g"), "g\n");
    const before = await everything();
    const first = patch.replace("*** Begin Patch\n", "*** Begin Patch\n*** Update File: g\n@@\n-g\n+G\n");
    await expect(rig.run("apply_patch", { patch })).rejects.toThrow(message);
    await expect(rig.run("apply_patch", { patch: first })).rejects.toThrow();
    expect(await everything()).toEqual(before);
  });

  test("a patch without changes says so", async () => {
    await expect(apply()).rejects.toThrow("changes no file");
  });

  test("a write that fails half-way: what was done before is undone", async () => {
    await writeFile(rig.at("a"), "a\n");
    await writeFile(rig.at("b"), "b\n");
    await writeFile(rig.at("c"), "c\n", { mode: 0o751 });
    await writeFile(rig.at("d"), "d\n");
    await writeFile(rig.at("blocked"), "a file where a folder would have to be");
    const before = await everything();
    await expect(
      apply(
        "*** Update File: a",
        "@@",
        "-a",
        "+A",
        "*** Update File: b",
        "*** Move to: moved",
        "*** Delete File: c",
        "*** Add File: new",
        "+new",
        "*** Add File: blocked/x",
        "+x",
      ),
    ).rejects.toThrow("Nothing was changed.");
    expect(await everything()).toEqual(before);
    expect((await stat(rig.at("c"))).mode & 0o777).toBe(0o751);
  });

  test("one file by two names is refused: the second change would undo the first", async () => {
    await writeFile(rig.at("f"), "a\nb\n");
    await symlink("f", rig.at("link"));
    for (const name of ["link", rig.at("f")]) {
      const patch = wrapped("*** Update File: f", "-a", "+A", `*** Update File: ${name}`, "-b", "+B");
      const environment = (await rig.environment.pinned?.(["f", name])) ?? rig.environment;
      await expect(rig.run("apply_patch", { patch }, { environment })).rejects.toThrow("are one file");
      expect(await text("f")).toBe("a\nb\n");
    }
  });

  test("any edit of any lines, written as a patch, gives exactly those lines", async () => {
    const lines = fc.array(fc.constantFrom("", "a", "b", " a", "+", "- x", "@@ y", "*** End", "é😀"), {
      maxLength: 12,
    });
    await fc.assert(
      fc.asyncProperty(lines, lines, fc.constantFrom("\n", "\r\n"), fc.boolean(), async (a, b, end, open) => {
        fc.pre(a.join("\n") !== b.join("\n") && a.length > 0 && b.length > 0);
        // An empty last line without an end is no line; from one line without an end no other ends can be told.
        fc.pre(!open || (a.at(-1) !== "" && b.at(-1) !== "" && a.length > 1));
        const file = (all: string[]) => all.join(end) + (open ? "" : end);
        await writeFile(rig.at("f"), file(a));
        await apply("*** Update File: f", "@@", ...hunkOf(a, b));
        expect(await text("f")).toBe(file(b));
      }),
      { numRuns: 300 },
    );
  });

  test("several changes of distinct lines with little around them find their places", async () => {
    const size = 60;
    const flags = fc.array(fc.constantFrom("keep", "keep", "keep", "keep", "change", "remove", "insert"), {
      minLength: size,
      maxLength: size,
    });
    await fc.assert(
      fc.asyncProperty(flags, async (kinds) => {
        const before = kinds.map((_, index) => `line ${index}`);
        const hunks: string[] = [];
        const after: string[] = [];
        for (const [index, kind] of kinds.entries()) {
          const line = before[index] ?? "";
          if (kind === "keep" || kind === "insert") after.push(line);
          if (kind === "insert") {
            after.push(`new ${index}`);
            hunks.push("@@", ` ${line}`, `+new ${index}`);
          }
          if (kind === "change") after.push(`changed ${index}`);
          if (kind === "change") hunks.push("@@", `-${line}`, `+changed ${index}`);
          if (kind === "remove") hunks.push("@@", `-${line}`);
        }
        fc.pre(hunks.length > 0);
        await writeFile(rig.at("f"), `${before.join("\n")}\n`);
        await apply("*** Update File: f", ...hunks);
        expect(await text("f")).toBe(after.map((line) => `${line}\n`).join(""));
      }),
      { numRuns: 50 },
    );
  });
});

test("a failing undo is told: nobody must believe that nothing was changed", async () => {
  const broken: ToolRig = await createToolRig((inner) => failingAfter(inner, 2));
  try {
    await writeFile(broken.at("a"), "a\n");
    await writeFile(broken.at("b"), "b\n");
    const patch = wrapped("*** Update File: a", "-a", "+A", "*** Update File: b", "-b", "+B");
    await expect(broken.run("apply_patch", { patch })).rejects.toThrow("could not be undone in: a");
  } finally {
    await broken.close();
  }
});

/** A disk that takes so many writes and then none. */
function failingAfter(inner: ExecutionEnvironment, writes: number): ExecutionEnvironment {
  let left = writes - 1;
  return new Proxy(inner, {
    get(target, key) {
      if (key === "writeFile") {
        return async (path: string, bytes: Uint8Array) => {
          if (left-- <= 0) throw new Error("the disk is full.");
          await target.writeFile(path, bytes);
        };
      }
      const value: unknown = Reflect.get(target, key, target);
      return typeof value === "function" ? value.bind(target) : value;
    },
  });
}

/** The whole file as one change: with every line in it there is one place only. */
function hunkOf(a: string[], b: string[]): string[] {
  return diffArrays(a, b).flatMap(({ value, added, removed }) =>
    value.map((line) => `${added ? "+" : removed ? "-" : " "}${line}`),
  );
}

describe("where the changes of a file belong", () => {
  const hunk = (old: readonly string[], hints: string[] = []): Hunk => ({
    lines: [...old.map((text) => ({ kind: "keep" as const, text })), { kind: "add", text: "new" }],
    hints,
    atEnd: false,
  });
  const row = (length: number, line: (index: number) => string) =>
    Array.from({ length }, (_, index) => line(index));

  test("among very many equal lines it is given up with what to write; with a line above it is found", () => {
    const equal = ["last", ...row(60_000, () => "}"), "function here", ...row(2000, () => "}")];
    const change = [...row(1000, () => "}"), "last"];
    expect(() => endsInTime(() => applyHunks(equal, [hunk(change)], "a.ts"))).toThrow(
      'a.ts: too many of its lines are alike to find where the changes belong. Put "@@ " and a line above',
    );
    const found = endsInTime(() => applyHunks(equal, [hunk(change.slice(0, 3), ["function here"])], "a.ts"));
    expect(found[60_005]).toEqual({ text: "new" });
  });

  test("a line that is nowhere in the file is known at once", () => {
    const change = [...row(1000, () => "}"), "nowhere"];
    const look = () =>
      applyHunks(
        row(60_000, () => "}"),
        [hunk(change)],
        "a.ts",
      );
    expect(() => endsInTime(look)).toThrow("a.ts, change 1 of 1: its lines are not in the file");
  });

  test("a large patch finds all its places, though it has no blanks at the ends of lines", () => {
    const lines = row(20_000, (index) => (index % 4 === 0 ? "  }  " : `  line ${index}  `));
    const hunks = row(500, String).map((_, change) =>
      hunk(lines.slice(change * 40, change * 40 + 7).map((line) => line.trimEnd())),
    );
    const result = endsInTime(() => applyHunks(lines, hunks, "a.ts"));
    expect(result.length).toBe(20_500);
    expect(result.flatMap((line, at) => ("text" in line ? [at] : []))).toEqual(
      row(500, String).map((_, change) => change * 41 + 7),
    );
  });
});
