import { expect, test } from "vitest";
import { commandLineSettings, commandLineStartUp } from "../../../electron/settings/command-line.ts";

test.each([
  [["--max-tokens", "5000"], { maxSessionTokens: 5000 }],
  [["--no-sandbox", "--max-tokens=0", "."], { maxSessionTokens: 0 }],
  [["--user-data-dir=/tmp/x", "."], {}],
])("%j sets %j", (argv, settings) => {
  expect(commandLineSettings(argv)).toEqual({ settings, problems: [] });
});

test.each([["--max-tokens"], ["--max-tokens=many"], ["--max-tokens", "-3"], ["--max-tokens", "1.5"]])(
  "%s is refused in words and changes nothing",
  (...argv) => {
    const { settings, problems } = commandLineSettings(argv);
    expect(settings).toEqual({});
    expect(problems).toMatchObject([
      { message: expect.stringContaining("--max-tokens needs a whole number") },
    ]);
  },
);

test.each([
  [["."], null],
  [["--new"], { kind: "new" }],
  [["--no-sandbox", ".", "--continue"], { kind: "continue" }],
  [["--resume", "Plan a trip"], { kind: "resume", reference: "Plan a trip" }],
  [["--resume=a=b"], { kind: "resume", reference: "a=b" }],
  [["--new", "--fork", "01JABC"], { kind: "fork", reference: "01JABC" }],
])("%j starts with %j", (argv, startUp) => {
  expect(commandLineStartUp(argv)).toEqual({ startUp, problems: [] });
});

test.each([["--resume"], ["--fork="], ["--resume", "--new"], ["--fork", " "]])(
  "%s without a conversation is said, and starts nothing of its own",
  (...argv) => {
    const { startUp, problems } = commandLineStartUp(argv);
    expect(startUp).toEqual(argv.includes("--new") ? { kind: "new" } : null);
    expect(problems).toMatchObject([{ message: expect.stringContaining("needs a conversation") }]);
  },
);
