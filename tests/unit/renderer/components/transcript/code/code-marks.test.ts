import fc from "fast-check";
import { common, createLowlight } from "lowlight";
import { expect, test } from "vitest";
import { lineMarks, piecesOf } from "../../../../../../renderer/components/transcript/code/code-marks.ts";
import { command } from "../../../../../../renderer/components/transcript/code/command-language.ts";

const lowlight = createLowlight({ ...common, command });
const coloured = (language: string, code: string) => {
  const marks = lineMarks(lowlight.highlight(language, code));
  return code.split("\n").map((line, at) => piecesOf(line, marks[at] ?? ""));
};

test("each line has its kinds; what goes over lines has one in each", () => {
  expect(coloured("typescript", 'const a = "x"; // all\n/* one\ntwo */ f(1)')).toEqual([
    [
      { text: "const", kind: "keyword" },
      { text: " a = ", kind: "plain" },
      { text: '"x"', kind: "text" },
      { text: "; ", kind: "plain" },
      { text: "// all", kind: "comment" },
    ],
    [{ text: "/* one", kind: "comment" }],
    [
      { text: "two */", kind: "comment" },
      { text: " ", kind: "plain" },
      { text: "f", kind: "name" },
      { text: "(", kind: "plain" },
      { text: "1", kind: "number" },
      { text: ")", kind: "plain" },
    ],
  ]);
});

test.each([
  [
    'git commit -am "Notes; all" && npm run build | tee out',
    ["name git", 'text "Notes; all"', "keyword &&", "name npm", "keyword |", "name tee"],
  ],
  ["(./make.sh; rm out)", ["name ./make.sh", "keyword ;", "name rm"]],
  ["FOO=1 make \\\n  all\nls", ["name ls"]],
])("a command shows which programs it runs, and what joins them: %s", (code, expected) => {
  const marked = coloured("command", code)
    .flat()
    .filter(({ kind }) => kind !== "plain");
  expect(marked.map(({ kind, text }) => `${kind} ${text}`)).toEqual(expected);
});

test("code within a string is code", () => {
  const [line] = coloured("javascript", ["`a $", "{b} c`"].join(""));
  expect(line?.find(({ text }) => text.includes("b"))?.kind).toBe("plain");
});

test("whatever is coloured, it is the text that was given, line by line", () => {
  const parts = fc.array(
    fc.constantFrom("const ", "'a", "\n", "//", "/*", "*/", "`${", "}", "<a>", "  ", "𝒳", "&& "),
  );
  fc.assert(
    fc.property(parts, fc.constantFrom("typescript", "xml", "bash", "command", "diff"), (some, language) => {
      const code = some.join("");
      const lines = coloured(language, code).map((pieces) => pieces.map(({ text }) => text).join(""));
      expect(lines.join("\n")).toBe(code);
    }),
  );
});

test("a line that has grown since it was coloured is plain from there on", () => {
  expect(piecesOf("const later", "k5")).toEqual([
    { text: "const", kind: "keyword" },
    { text: " later", kind: "plain" },
  ]);
  expect(piecesOf("co", "k5")).toEqual([{ text: "co", kind: "keyword" }]);
});
