import { describe, expect, test } from "vitest";
import { understand } from "../../../../electron/providers/offline/offline-requests.ts";
import { toExpression } from "../../../../electron/providers/offline/spoken-arithmetic.ts";

const asked = (prompt: string) =>
  understand(prompt).requests.map((request) =>
    request.kind === "tool" ? [request.tool, ...Object.values(request.input)].join(" ") : request.kind,
  );

describe("what the offline assistant understands", () => {
  test.each([
    ["what time is it", "current_time"],
    ["What's today's date?", "current_time"],
    ["could you please tell me what time it is", "current_time"],
    ["what is twelve times nine", "calculate 12 * 9"],
    ["What is 12*9?", "calculate 12 * 9"],
    ["what is one hundred and five times two", "calculate 105 * 2"],
    ["list the files", "list_directory ."],
    ["list the files in the docs folder", "list_directory docs"],
    ["what is in the docs folder", "list_directory docs"],
    ["can you list the files in src/main?", "list_directory src/main"],
    ["read README.md.", "read_file README.md"],
    ["read 'my notes.txt'", "read_file my notes.txt"],
    ["open docs slash plan dot m d", "read_file docs/plan.md"],
    ["read read me dot m d", "read_file readme.md"],
    ["search for TODO in the files", "grep TODO"],
    ["Please search for 'a.b (c)' in my files.", "grep a\\.b \\(c\\)"],
    ["look for plan in docs/notes.md", "grep plan docs/notes.md"],
    ["find files named *.md", "glob **/*.md"],
    ["find all files matching src/*.ts", "glob src/*.ts"],
    ["run `git status`", "shell git status"],
    ['run the command "ls -la"', "shell ls -la"],
    ["start a new session", "new_session"],
    ["turn off the microphone", "stop_listening"],
    ["what can you do", "help"],
    ["hello", "greeting"],
  ])("%j", (prompt, request) => {
    expect(asked(prompt)).toEqual([request]);
    expect(understand(prompt).rest).toEqual([]);
  });

  test("several requests in one, typed or spoken", () => {
    expect(asked("what time is it and list the files in docs")).toEqual([
      "current_time",
      "list_directory docs",
    ]);
    expect(asked("What is 5+5? Also, read a.txt, and then list the files.")).toEqual([
      "calculate 5 + 5",
      "read_file a.txt",
      "list_directory .",
    ]);
  });

  test.each([
    "show me the way",
    "what is the meaning of life",
    "five",
    "x",
    "what time is it in tokyo",
    "stop the container",
    "run the tests for me later",
    "look for a better job",
  ])("%j is left over, whole", (prompt) => {
    expect(understand(prompt)).toEqual({ requests: [], rest: [prompt] });
  });

  test("a very long prompt does not hang it", () => {
    const { rest } = understand("and then something, ".repeat(20_000));
    expect(rest.length).toBeGreaterThan(0);
  });
});

describe("toExpression", () => {
  test.each([
    ["twenty one plus three point five", "21 + 3.5"],
    ["the square root of sixteen", "sqrt(16)"],
    ["twenty percent of fifty", "20 / 100 * 50"],
    ["two million divided by four", "2000000 / 4"],
    ["nine hundred ninety nine times eleven", "999 * 11"],
    ["a thousand minus twelve", "1000 - 12"],
    ["sqrt(16)+1", "sqrt(16) + 1"],
    ["1,000 × 2", "1000 * 2"],
    ["(3 + 4) * 5", "(3 + 4) * 5"],
  ])("%j is %j", (text, expression) => expect(toExpression(text)).toBe(expression));

  test.each(["", "five", "two and three", "(1 + 2", "import('x')", "one two plus three", "plus"])(
    "%j is no arithmetic",
    (text) => expect(toExpression(text)).toBeNull(),
  );
});
