import { expect, test } from "vitest";
import { commandLineSettings } from "../../../electron/settings/command-line.ts";

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
      { message: expect.stringContaining("--max-tokens wants a whole number") },
    ]);
  },
);
